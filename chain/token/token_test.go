package token

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The creator owns the token, may mint and freeze, and has the supply; the identifier is the hash the text gives.
//
// Spec: tokens §2, §3; sdk §13.
func TestCreate(t *testing.T) {
	w := newWorld(t)
	most := n(5000)
	uri := []byte("ipfs://x")
	id, err := w.Create(ann, 0x0102, Terms{Name: []byte("Hay"), Symbol: []byte("HAY"), Decimals: 18, Supply: n(1000), Max: &most, Hook: &hook, URI: uri})
	if err != nil {
		t.Fatal(err)
	}
	// keccak256(aa00…01 ‖ "HAY" ‖ 0000000000000102), by a Keccak written for this from FIPS 202
	if want := "9a10f9047b1590ef8922751e5d2cb8c12272e3d4eed073468d6ddf43e8e7cc7d"; id.Hex() != want {
		t.Errorf("identifier %x, want %s", id, want)
	}
	text := string(uri)
	want := &Token{
		Name: "Hay", Symbol: "HAY", Decimals: 18, Supply: n(1000), Max: &most, Owner: ann, MintAuthority: ann, FreezeAuthority: &ann, Hook: &hook, URI: &text,
		Created: 10,
	}
	if got, err := Load(w.State, id); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	w.has(id, ann, 1000)
	if _, err := w.Create(ann, 0x0102, Terms{Name: []byte("x"), Symbol: []byte("HAY")}); !errors.Is(err, ErrExists) {
		t.Errorf("the same again: %v", err)
	}
	if other, err := w.Create(bob, 0x0102, Terms{Name: []byte("x"), Symbol: []byte("HAY")}); err != nil || other == id {
		t.Errorf("by another: %v %v", other, err)
	}
	for want := range uint64(3) {
		if got, err := w.NextNonce(ann); got != want || err != nil {
			t.Errorf("an actor's token %d has nonce %d, %v", want, got, err)
		}
	}
}

// Names, decimals, URI and supply at their limits, and one beyond.
//
// Spec: tokens §2.
func TestTerms(t *testing.T) {
	w := newWorld(t)
	limit := MaxSupply()
	if limit.String() != "1"+strings.Repeat("0", 30) {
		t.Errorf("MAX_TOKEN_SUPPLY is %v", limit)
	}
	beyond, _ := limit.Add(n(1))
	text := func(n int) []byte { return []byte(strings.Repeat("x", n)) }
	for nonce, c := range []struct {
		what   string
		change func(x *Terms)
		want   error
	}{
		{"name of 1", func(x *Terms) { x.Name = text(1) }, nil},
		{"name of 64", func(x *Terms) { x.Name = text(64) }, nil},
		{"name of 65", func(x *Terms) { x.Name = text(65) }, ErrTerms},
		{"no name", func(x *Terms) { x.Name = nil }, ErrTerms},
		{"name that is no text", func(x *Terms) { x.Name = []byte{0xff} }, ErrTerms},
		{"symbol of 16", func(x *Terms) { x.Symbol = text(16) }, nil},
		{"symbol of 17", func(x *Terms) { x.Symbol = text(17) }, ErrTerms},
		{"no symbol", func(x *Terms) { x.Symbol = []byte{} }, ErrTerms},
		{"symbol that is no text", func(x *Terms) { x.Symbol = []byte{'a', 0xc0} }, ErrTerms},
		{"18 decimals", func(x *Terms) { x.Decimals = 18 }, nil},
		{"19 decimals", func(x *Terms) { x.Decimals = 19 }, ErrTerms},
		{"256 decimals", func(x *Terms) { x.Decimals = 256 }, ErrTerms},
		{"URI of 256", func(x *Terms) { x.URI = text(256) }, nil},
		{"URI of 257", func(x *Terms) { x.URI = text(257) }, ErrTerms},
		{"URI that is no text", func(x *Terms) { x.URI = []byte{0x80} }, ErrTerms},
		{"empty URI", func(x *Terms) { x.URI = []byte{} }, nil},
		{"supply of 10^30", func(x *Terms) { x.Supply = limit }, nil},
		{"one more", func(x *Terms) { x.Supply = beyond }, ErrSupply},
		{"supply of 2^128-1", func(x *Terms) { x.Supply = unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1} }, ErrSupply},
		{"supply at its maximum", func(x *Terms) { x.Supply, x.Max = n(7), &unit.Uint128{Lo: 7} }, nil},
		{"supply above its maximum", func(x *Terms) { x.Supply, x.Max = n(8), &unit.Uint128{Lo: 7} }, ErrSupply},
		{"maximum of 0", func(x *Terms) { x.Max = &unit.Uint128{} }, nil},
		{"maximum of 10^30", func(x *Terms) { x.Max = &limit }, nil},
		{"maximum beyond", func(x *Terms) { x.Max = &beyond }, ErrTerms},
	} {
		terms := Terms{Name: []byte("n"), Symbol: []byte("s")}
		c.change(&terms)
		w.refused(c.what, c.want, func() error {
			_, err := w.Create(ann, uint64(nonce), terms)
			return err
		})
	}
}

// The checks of a transfer come in the order of the text, each with the amount that just passes.
//
// Spec: tokens §5, §12.
func TestTransferOrder(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 100, nil, &hook)
	w.allow = func(Move) error { return ErrRejected }
	try := func(what string, want error, amount uint64) {
		t.Helper()
		w.refused(what, want, func() error { return w.Transfer(ann, id, bob, n(amount)) })
	}
	freeze := func(who account.Address, frozen bool) {
		t.Helper()
		if err := w.Freeze(ann, id, who, frozen); err != nil {
			t.Fatal(err)
		}
	}
	freeze(ann, true)
	freeze(bob, true)
	try("more than there is, all frozen, hook against", ErrBalance, 101)
	try("sender frozen", ErrFrozen, 100)
	freeze(ann, false)
	try("receiver frozen", ErrFrozen, 100)
	if len(w.asked) != 0 {
		t.Errorf("the hook was asked before the checks: %v", w.asked)
	}
	freeze(bob, false)
	try("hook against", ErrRejected, 100)
	w.has(id, ann, 100)
	w.allow = func(m Move) error {
		w.has(id, ann, 100) // not yet debited
		if m != (Move{id, ann, bob, n(100)}) {
			t.Errorf("asked about %+v", m)
		}
		return nil
	}
	w.tell = func(Move) error {
		w.has(id, bob, 100)
		w.events = append(w.events, "told")
		return nil
	}
	w.events, w.asked = nil, nil
	try("all that is there", nil, 100)
	w.has(id, ann, 0)
	if got := strings.Join(w.asked, " "); got != "can_transfer on_transfer" {
		t.Errorf("asked %s", got)
	}
	if len(w.events) != 2 || w.events[0] != "told" || !strings.HasPrefix(w.events[1], TopicTransfer) {
		t.Errorf("events %q: on_transfer comes before the event", w.events)
	}
	failed := errors.New("out of cycles")
	w.allow, w.tell = nil, func(Move) error { return failed }
	w.refused("the turn ends in on_transfer", failed, func() error { return w.Transfer(bob, id, ann, n(1)) })
}

// Edges: nothing at all, to oneself, to the zero address, a token nobody made.
//
// Spec: tokens §5.
func TestTransferEdges(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 100, nil, nil)
	w.events = nil
	w.refused("nothing, by somebody who has nothing", nil, func() error { return w.Transfer(eve, id, bob, n(0)) })
	w.refused("all to oneself", nil, func() error { return w.Transfer(ann, id, ann, n(100)) })
	if w.has(id, ann, 100); len(w.events) != 2 {
		t.Errorf("%d events", len(w.events))
	}
	w.refused("more than all to oneself", ErrBalance, func() error { return w.Transfer(ann, id, ann, n(101)) })
	w.refused("to the zero address", ErrZero, func() error { return w.Transfer(ann, id, account.Address{}, n(1)) })
	w.refused("unknown token", ErrUnknown, func() error { return w.Transfer(ann, ID{1}, bob, n(0)) })
	if _, ok, _ := w.State.Lookup(balanceKey(eve, id)); ok {
		t.Error("a balance of nothing has an entry")
	}
	if err := w.Transfer(ann, id, bob, n(100)); err != nil {
		t.Fatal(err)
	}
	if _, ok, _ := w.State.Lookup(balanceKey(ann, id)); ok {
		t.Error("an emptied balance keeps its entry")
	}
}

// An allowance is met exactly, by one less, and not by one more; it is lowered, and undone with a transfer that fails; 2^128-1 of it are not without end.
//
// Spec: tokens §5, §12.
func TestAllowances(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 1000, nil, nil)
	allowed := func(want unit.Uint128) {
		t.Helper()
		if got, err := Allowance(w.State, id, ann, bob); err != nil || got != want {
			t.Errorf("allowed %v, want %v, %v", got, want, err)
		}
	}
	from := func(what string, want error, amount uint64) {
		t.Helper()
		w.refused(what, want, func() error { return w.TransferFrom(bob, id, ann, cid, n(amount)) })
	}
	from("none", ErrAllowance, 1)
	from("none is needed", nil, 0)
	w.refused("oneself has none", ErrAllowance, func() error { return w.TransferFrom(ann, id, ann, cid, n(1)) })
	w.refused("approve", nil, func() error { return w.Approve(ann, id, bob, n(10)) })
	from("one more", ErrAllowance, 11)
	from("one less", nil, 9)
	allowed(n(1))
	from("the rest", nil, 1)
	allowed(n(0))
	w.has(id, cid, 10)
	if _, ok, _ := w.State.Lookup(allowanceKey(ann, bob, id)); ok {
		t.Error("a spent allowance keeps its entry")
	}

	w.refused("more than there is", nil, func() error { return w.Approve(ann, id, bob, n(991)) })
	from("allowed but not there", ErrBalance, 991)
	allowed(n(991))
	w.refused("approve replaces", nil, func() error { return w.Approve(ann, id, bob, n(5)) })
	allowed(n(5))
	w.refused("one more than is", ErrAllowance, func() error { return w.DecreaseAllowance(ann, id, bob, n(6)) })
	allowed(n(5))
	w.refused("to nothing", nil, func() error { return w.DecreaseAllowance(ann, id, bob, n(5)) })
	allowed(n(0))
	all := unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1}
	w.refused("the most", nil, func() error { return w.IncreaseAllowance(ann, id, bob, all) })
	w.refused("and one", ErrAllowance, func() error { return w.IncreaseAllowance(ann, id, bob, n(1)) })
	from("spent", nil, 4)
	allowed(unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 5})
	for what, run := range map[string]func() error{
		"approve":  func() error { return w.Approve(ann, ID{1}, bob, n(1)) },
		"increase": func() error { return w.IncreaseAllowance(ann, ID{1}, bob, n(1)) },
		"decrease": func() error { return w.DecreaseAllowance(ann, ID{1}, bob, n(0)) },
		"spend":    func() error { return w.TransferFrom(bob, ID{1}, ann, cid, n(0)) },
	} {
		w.refused(what+" of an unknown token", ErrUnknown, run)
	}
}

// Minting exactly to the maximum, and one more; by the authority alone; burning all, and one more.
//
// Spec: tokens §5, §12.
func TestMintAndBurn(t *testing.T) {
	w := newWorld(t)
	most := n(110)
	id := w.token("HAY", 100, &most, nil)
	mint := func(what string, want error, by, to account.Address, amount uint64) {
		t.Helper()
		w.refused(what, want, func() error { return w.Mint(by, id, to, n(amount)) })
	}
	mint("by a stranger, and too many", ErrAuthority, bob, bob, 11)
	mint("too many", ErrSupply, ann, bob, 11)
	mint("to the zero address", ErrZero, ann, account.Address{}, 10)
	if err := w.Freeze(ann, id, bob, true); err != nil {
		t.Fatal(err)
	}
	mint("to somebody frozen", ErrFrozen, ann, bob, 10)
	mint("too many to somebody frozen", ErrSupply, ann, bob, 11)
	w.refused("thaw", nil, func() error { return w.Freeze(ann, id, bob, false) })
	mint("exactly", nil, ann, bob, 10)
	mint("nothing", nil, ann, bob, 0)
	mint("one more", ErrSupply, ann, bob, 1)
	mint("more than 128 bits hold", ErrSupply, ann, bob, 1<<64-1)
	w.refused("2^128-1", ErrSupply, func() error { return w.Mint(ann, id, bob, unit.Uint128{Hi: 1<<64 - 1, Lo: 1<<64 - 1}) })
	w.has(id, bob, 10)

	burn := func(what string, want error, by account.Address, amount uint64) {
		t.Helper()
		w.refused(what, want, func() error { return w.Burn(by, id, n(amount)) })
	}
	burn("more than there is", ErrBalance, bob, 11)
	if err := w.Freeze(ann, id, bob, true); err != nil {
		t.Fatal(err)
	}
	burn("more than there is, and frozen", ErrBalance, bob, 11)
	burn("frozen", ErrFrozen, bob, 10)
	w.refused("thaw", nil, func() error { return w.Freeze(ann, id, bob, false) })
	burn("all", nil, bob, 10)
	if got := w.supply(id); got != n(100) {
		t.Errorf("supply %v", got)
	}
	mint("what was burned may come again", nil, ann, cid, 10)
	free := w.token("FREE", 0, nil, nil)
	w.refused("to 10^30", nil, func() error { return w.Mint(ann, free, bob, MaxSupply()) })
	w.refused("beyond 10^30", ErrSupply, func() error { return w.Mint(ann, free, bob, n(1)) })
	w.refused("mint of an unknown token", ErrUnknown, func() error { return w.Mint(ann, ID{1}, bob, n(1)) })
	w.refused("burn of an unknown token", ErrUnknown, func() error { return w.Burn(ann, ID{1}, n(0)) })
}

// Who is frozen for one token neither sends nor receives it, may approve, and is free for others; only the authority freezes.
//
// Spec: tokens §3, §5.
func TestFreeze(t *testing.T) {
	w := newWorld(t)
	id, other := w.token("HAY", 100, nil, nil), w.token("OAT", 100, nil, nil)
	w.refused("by a stranger", ErrAuthority, func() error { return w.Freeze(bob, id, ann, true) })
	w.refused("thaw by a stranger", ErrAuthority, func() error { return w.Freeze(bob, id, ann, false) })
	w.refused("unknown token", ErrUnknown, func() error { return w.Freeze(ann, ID{1}, bob, true) })
	for range 2 { // again changes nothing
		w.refused("freeze", nil, func() error { return w.Freeze(ann, id, ann, true) })
	}
	w.refused("send", ErrFrozen, func() error { return w.Transfer(ann, id, bob, n(1)) })
	w.refused("send the other", nil, func() error { return w.Transfer(ann, other, bob, n(1)) })
	w.refused("receive the other", nil, func() error { return w.Transfer(bob, other, ann, n(1)) })
	w.refused("approve", nil, func() error { return w.Approve(ann, id, bob, n(5)) })
	w.refused("another sends for it", ErrFrozen, func() error { return w.TransferFrom(bob, id, ann, cid, n(1)) })
	w.refused("in a batch", ErrFrozen, func() error { return w.TransferBatch(ann, []Leg{{other, bob, n(1)}, {id, bob, n(1)}}) })
	w.refused("thaw", nil, func() error { return w.Freeze(ann, id, ann, false) })
	w.refused("send", nil, func() error { return w.Transfer(ann, id, bob, n(1)) })
	w.has(other, ann, 100)
}

// A batch moves everything or nothing, and nothing where one of its tokens has a hook.
//
// Spec: tokens §5, §12.
func TestBatch(t *testing.T) {
	w := newWorld(t)
	id, other, hooked := w.token("HAY", 100, nil, nil), w.token("OAT", 50, nil, nil), w.token("RYE", 50, nil, &hook)
	w.refused("one part more than there is", ErrBalance, func() error {
		return w.TransferBatch(ann, []Leg{{id, bob, n(60)}, {other, bob, n(50)}, {id, cid, n(41)}})
	})
	w.refused("a token with a hook", ErrBatch, func() error { return w.TransferBatch(ann, []Leg{{id, bob, n(1)}, {hooked, bob, n(1)}}) })
	w.refused("to the zero address", ErrZero, func() error { return w.TransferBatch(ann, []Leg{{id, bob, n(1)}, {id, account.Address{}, n(1)}}) })
	w.refused("unknown token", ErrUnknown, func() error { return w.TransferBatch(ann, []Leg{{id, bob, n(1)}, {ID{1}, bob, n(1)}}) })
	w.has(id, ann, 100)
	w.has(other, bob, 0)
	w.events = nil
	w.refused("exactly", nil, func() error {
		return w.TransferBatch(ann, []Leg{{id, bob, n(60)}, {other, bob, n(50)}, {id, cid, n(40)}})
	})
	w.has(id, bob, 60)
	w.has(id, cid, 40)
	w.has(other, bob, 50)
	if len(w.events) != 3 {
		t.Errorf("%d events of three parts", len(w.events))
	}
	w.refused("no part", nil, func() error { return w.TransferBatch(ann, nil) })
	legs := make([]Leg, params.TokenBatchLegs+1)
	for i := range legs {
		legs[i] = Leg{id, bob, n(0)}
	}
	w.refused("too many", ErrLegs, func() error { return w.TransferBatch(ann, legs) })
	w.refused("as many as may be", nil, func() error { return w.TransferBatch(ann, legs[1:]) })
}

// Ownership goes with what the owner may do; only the owner gives it or names a hook.
//
// Spec: tokens §2, §3.
func TestOwner(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 100, nil, nil)
	w.refused("by a stranger", ErrAuthority, func() error { return w.TransferOwnership(bob, id, bob) })
	w.refused("hook by a stranger", ErrAuthority, func() error { return w.SetHook(bob, id, nil) })
	w.refused("to nobody", ErrZero, func() error { return w.TransferOwnership(ann, id, account.Address{}) })
	w.refused("unknown token", ErrUnknown, func() error { return w.TransferOwnership(ann, ID{1}, bob) })
	w.refused("hook of an unknown token", ErrUnknown, func() error { return w.SetHook(ann, ID{1}, nil) })
	w.refused("hand on", nil, func() error { return w.TransferOwnership(ann, id, bob) })
	for what, run := range map[string]func(by account.Address) error{
		"mint":   func(by account.Address) error { return w.Mint(by, id, cid, n(1)) },
		"freeze": func(by account.Address) error { return w.Freeze(by, id, cid, false) },
		"hook":   func(by account.Address) error { return w.SetHook(by, id, &hook) },
	} {
		w.refused(what+" by the former owner", ErrAuthority, func() error { return run(ann) })
		w.refused(what+" by the owner", nil, func() error { return run(bob) })
	}
	w.has(id, ann, 100)
	w.asked = nil
	w.refused("asked", nil, func() error { return w.Transfer(ann, id, bob, n(1)) })
	w.refused("no hook", nil, func() error { return w.SetHook(bob, id, nil) })
	w.refused("not asked", nil, func() error { return w.Transfer(ann, id, bob, n(1)) })
	if len(w.asked) != 2 {
		t.Errorf("asked %v", w.asked)
	}

	apart := golden.Fill(&Token{Name: "n", Symbol: "s"})
	apart.Owner, apart.FreezeAuthority = ann, nil
	w.write(ID{7}, apart)
	w.refused("hand on a token whose authorities are others'", nil, func() error { return w.TransferOwnership(ann, ID{7}, bob) })
	got, err := Load(w.State, ID{7})
	if err != nil || got.Owner != bob || got.MintAuthority != apart.MintAuthority || got.FreezeAuthority != nil {
		t.Errorf("%+v, %v", got, err)
	}
	w.refused("nobody may freeze", ErrAuthority, func() error { return w.Freeze(bob, ID{7}, cid, true) })
}

// While a token's hook runs, nothing changes that token, in either phase; other tokens change, and everything is read.
//
// Spec: tokens §6, §12.
func TestBusy(t *testing.T) {
	w := newWorld(t)
	id, other := w.token("HAY", 100, nil, &hook), w.token("OAT", 100, nil, &hook)
	if err := w.Approve(ann, id, bob, n(5)); err != nil {
		t.Fatal(err)
	}
	runs := 0
	within := func(Move) error {
		runs++
		for what, run := range map[string]func() error{
			"transfer": func() error { return w.Transfer(ann, id, bob, n(0)) },
			"from":     func() error { return w.TransferFrom(bob, id, ann, cid, n(0)) },
			"batch":    func() error { return w.TransferBatch(ann, []Leg{{id, bob, n(0)}}) },
			"approve":  func() error { return w.Approve(ann, id, bob, n(0)) },
			"increase": func() error { return w.IncreaseAllowance(ann, id, bob, n(0)) },
			"decrease": func() error { return w.DecreaseAllowance(ann, id, bob, n(0)) },
			"mint":     func() error { return w.Mint(ann, id, bob, n(0)) },
			"burn":     func() error { return w.Burn(ann, id, n(0)) },
			"freeze":   func() error { return w.Freeze(ann, id, bob, true) },
			"hook":     func() error { return w.SetHook(ann, id, nil) },
			"owner":    func() error { return w.TransferOwnership(ann, id, bob) },
			"permit":   func() error { return w.Permit(Permit{Token: id, Deadline: 100}, [65]byte{}) },
		} {
			w.refused(what+" within the hook", ErrBusy, run)
		}
		if runs <= 2 {
			w.refused("the other token", nil, func() error { return w.Transfer(ann, other, bob, n(1)) })
		}
		return nil
	}
	w.allow = func(m Move) error {
		if m.Token == id {
			return within(m)
		}
		return nil
	}
	w.tell = w.allow
	w.refused("transfer", nil, func() error { return w.Transfer(ann, id, bob, n(10)) })
	if runs != 2 {
		t.Errorf("the hook ran %d times", runs)
	}
	w.has(other, bob, 2)
	w.refused("afterwards", nil, func() error { return w.Approve(ann, id, bob, n(1)) })
}

// The bytes of every event, written down from the text: 88 for a transfer, 68 for minting and burning, the quantity little-endian.
//
// Spec: tokens §7, §12.
func TestEventBytes(t *testing.T) {
	w := newWorld(t)
	id := w.token("HAY", 0x0102, nil, nil)
	amount := unit.Uint128{Hi: 0x1122334455667788, Lo: 0x99aabbccddeeff00}
	little := "00ffeeddccbbaa998877665544332211"
	const a, b = "aa00000000000000000000000000000000000001", "aa00000000000000000000000000000000000002"
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(w.Approve(ann, id, bob, amount))
	do(w.Mint(ann, id, ann, n(0x0506)))
	do(w.Transfer(ann, id, bob, n(0x0304)))
	do(w.Burn(bob, id, n(0x0304)))
	do(w.Freeze(ann, id, bob, true))
	do(w.Freeze(ann, id, bob, false))
	do(w.SetHook(ann, id, &bob))
	do(w.SetHook(ann, id, nil))
	do(w.TransferOwnership(ann, id, bob))
	zeros := func(n int) string { return strings.Repeat("00", n) }
	for i, want := range []struct {
		topic, rest string
		size        int
	}{
		{"TokenCreated", a + "0201" + zeros(14), 68},
		{"TokenApproval", a + b + little, 88},
		{"TokenMinted", a + "0605" + zeros(14), 68},
		{"TokenTransfer", a + b + "0403" + zeros(14), 88},
		{"TokenBurned", b + "0403" + zeros(14), 68},
		{"TokenFrozen", b, 52},
		{"TokenThawed", b, 52},
		{"TokenHookUpdated", b, 52},
		{"TokenHookUpdated", zeros(20), 52},
		{"TokenOwnershipTransferred", a + b, 72},
	} {
		t.Run(want.topic, func(t *testing.T) {
			data, err := hex.DecodeString(hex.EncodeToString(id[:]) + want.rest)
			if err != nil || len(data) != want.size {
				t.Fatal(want, err)
			}
			if w.events[i] != want.topic+" "+string(data) {
				t.Errorf("event %d: %q, want %s %x", i, w.events[i], want.topic, data)
			}
		})
	}
	if got := HookFailed(id, bob, 0x04d2); hex.EncodeToString(got[32:]) != b+"04d2" || len(w.events) != 10 {
		t.Errorf("%x, %d events", got, len(w.events))
	}
}
