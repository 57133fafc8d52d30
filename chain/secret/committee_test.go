package secret

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Proxies register with their stake, are chosen once they have soaked, and have it back to the base unit once they have unbonded.
//
// Spec: secrets-cbss §4 (72, 73), §6 (MIN_PROXY_STAKE, PROXY_SOAK, PROXY_UNBOND).
func TestProxies(t *testing.T) {
	w := newWorld(t, 4)
	fifth := keyOf("operator", 4).Address()
	const stake = 10_000 * unit.CBY
	w.fund(fifth, stake)
	terms := Terms{Key: keyOf("proxy", 4).Compressed(), HPKE: [32]byte{1}, Address: "127.0.0.1:9601", Stake: stake}
	for name, c := range map[string]struct {
		change func(*Terms)
		err    error
	}{
		"a unit short":   {func(t *Terms) { t.Stake-- }, ErrStake},
		"no point":       {func(t *Terms) { t.Key = sig.CompressedKey{2} }, ErrKey},
		"no HPKE key":    {func(t *Terms) { t.HPKE = [32]byte{} }, ErrForm},
		"no address":     {func(t *Terms) { t.Address = "" }, ErrForm},
		"a long address": {func(t *Terms) { t.Address = string(make([]byte, 129)) }, ErrForm},
	} {
		t.Run(name, func(t *testing.T) {
			changed := terms
			c.change(&changed)
			w.refused(c.err, func() error { _, err := w.Register(fifth, changed); return err })
		})
	}
	terms.Address = string(make([]byte, 128))
	id, err := w.Register(fifth, terms)
	if err != nil || w.balance(fifth) != 0 {
		t.Fatalf("%v, %d left", err, w.balance(fifth))
	}
	w.refused(ErrRegistered, func() error { _, err := w.Register(fifth, terms); return err })
	p, err := LoadProxy(w.overlay, id)
	if err != nil || p.Serves(w.Height) || p.Serves(w.Height+86_399) || !p.Serves(w.Height+86_400) || p.Health != 10_000 {
		t.Fatalf("%+v %v", p, err)
	}
	// A committee asked for before the fifth has soaked has too few.
	before := w.balance(owner)
	w.must(w.RequestKey(owner, owner))
	w.refused(ErrInProgress, func() error { return w.RequestKey(owner, owner) })
	w.end()
	w.end()
	if k, err := LoadPending(w.overlay, AccountScope(owner)); err != nil || k != nil || w.balance(owner) != before {
		t.Errorf("%+v %v, %d of %d back", k, err, w.balance(owner), before)
	}
	w.must(w.Deregister(id))
	w.refused(ErrLeaving, func() error { return w.Deregister(id) })
	leaves := w.Height + 604_800
	w.skip(leaves)
	if w.balance(fifth) != 0 {
		t.Error("the stake is paid out too soon")
	}
	w.end()
	if w.balance(fifth) != stake {
		t.Errorf("%d came back", w.balance(fifth))
	}
	if _, err := LoadProxy(w.overlay, id); err != ErrProxy {
		t.Errorf("%v", err)
	}
	if _, err := w.Register(fifth, terms); err != nil {
		t.Errorf("it comes again: %v", err)
	}
}

// The registry takes 1,024 proxies and no more.
func TestRegistryIsBounded(t *testing.T) {
	w := newWorld(t, 0)
	for n := range MaxProxies {
		w.enrol(n)
	}
	last := keyOf("operator", MaxProxies).Address()
	w.fund(last, 10_000*unit.CBY)
	w.refused(ErrFull, func() error {
		_, err := w.Register(last, Terms{Key: keyOf("proxy", MaxProxies).Compressed(), HPKE: [32]byte{1}, Address: "a", Stake: 10_000 * unit.CBY})
		return err
	})
	w.check0(t)
}

func (w *world) check0(t *testing.T) {
	t.Helper()
	n, err := state.Number(w.overlay, under(keyProxies))
	if err != nil || n != MaxProxies {
		t.Errorf("%d %v", n, err)
	}
}

// Who may ask for a key.
//
// Spec: secrets-cbss §4 (77).
func TestWhoAsksForKeys(t *testing.T) {
	w := newWorld(t, 5)
	for name, c := range map[string]struct {
		by, of account.Address
		err    error
	}{
		"the account": {owner, owner, nil}, "who made the actor": {maker, actor, nil}, "a stranger": {nobody, owner, ErrOwner},
		"a stranger, an actor's": {nobody, actor, ErrOwner}, "an actor itself": {actor, actor, nil},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held := w.overlay.Mark(), w.Held
			if err := w.RequestKey(c.by, c.of); err != c.err {
				t.Errorf("%v, want %v", err, c.err)
			}
			w.overlay.Revert(mark)
			w.Held = held
		})
	}
	w.accountKey(owner)
	w.refused(ErrHasKey, func() error { return w.RequestKey(owner, owner) })
}

// A committee is not known before the block after the one it is asked for in, and is drawn by stake times health from that block's seed.
//
// Spec: secrets-cbss §5 (selection of proxies).
func TestCommitteesAreDrawnLater(t *testing.T) {
	w := newWorld(t, 9)
	w.must(w.RequestKey(owner, owner))
	of := AccountScope(owner)
	w.end()
	p, err := LoadPending(w.overlay, of)
	if err != nil || p.Committee != nil {
		t.Fatalf("drawn in the block it is asked for in: %+v %v", p, err)
	}
	drawn := func(view uint64) []digest.Hash {
		mark := w.overlay.Mark()
		defer w.overlay.Revert(mark)
		w.Seed.Round.View = view
		w.must(w.End())
		p, err := LoadPending(w.overlay, of)
		w.must(err)
		if len(p.Committee) != 5 || p.Deadline != w.Height+7_200 {
			t.Fatalf("%+v", p)
		}
		return p.Committee
	}
	if slices.Equal(drawn(1), drawn(2)) || !slices.Equal(drawn(3), drawn(3)) {
		t.Error("the seed does not decide")
	}
	// Weights: 0.05 of health is the least; over many seeds a proxy of no health is drawn about a twentieth as often.
	sick, err := LoadProxy(w.overlay, w.proxies[0].id)
	w.must(err)
	sick.Health = 0
	w.saveProxy(w.proxies[0].id, sick)
	hits, others := 0, 0
	for view := uint64(10); view < 410; view++ {
		for _, id := range drawn(view)[:1] {
			if id == w.proxies[0].id {
				hits++
			} else if id == w.proxies[1].id {
				others++
			}
		}
	}
	// 400 · 0.05/8.05 = 2.5 and 400/8.05 = 50.
	if hits > 10 || others < 25 || others > 80 {
		t.Errorf("the sick one %d times, a healthy one %d times", hits, others)
	}
}

// A proxy is drawn by its stake times its health, of which a twentieth counts at least.
//
// Spec: secrets-cbss §5 (selection of proxies: stake × max(0.05, health)).
func TestWeights(t *testing.T) {
	w := newWorld(t, 6)
	counts := map[account.Address]uint64{}
	for i, c := range [...]struct{ health, counts uint64 }{{0, 500}, {499, 500}, {500, 500}, {501, 501}, {9_750, 9_750}, {10_000, 10_000}} {
		p, err := LoadProxy(w.overlay, w.proxies[i].id)
		w.must(err)
		p.Health = c.health
		w.saveProxy(w.proxies[i].id, p)
		counts[p.Operator] = c.counts
	}
	list, _, err := w.pool()
	if w.must(err); len(list) != 6 {
		t.Fatalf("%d proxies", len(list))
	}
	for _, c := range list {
		if want := (unit.Uint128{Lo: uint64(10_000*unit.CBY) * counts[c.Address]}); c.Weight != want {
			t.Errorf("%v weighs %v, want %v", c.Address, c.Weight, want)
		}
	}
}

// Every way in which a rotation is wrong.
//
// Spec: secrets-cbss §5 (RotateCommittee), §9, §10 (3).
func TestRotations(t *testing.T) {
	w := newWorld(t, 12)
	of := AccountScope(owner)
	w.must(w.RequestKey(owner, owner))
	w.end()
	w.end()
	first := w.agreed(of)
	stage := func(t *testing.T, r *rotation, k *ReleaseKey) {
		other := w.number().Public()
		exchange := func(r *rotation) {
			r.next.Committee = slices.Clone(r.next.Committee)
			slices.Reverse(r.next.Committee)
		}
		for name, c := range map[string]struct {
			change func(*rotation)
			signs  bool // anew, over what was changed
			err    error
		}{
			"right":                  {func(*rotation) {}, false, nil},
			"a quorum signs":         {func(r *rotation) { r.signed = r.signed[1:]; r.prior = r.prior[min(1, len(r.prior)):] }, false, nil},
			"one short":              {func(r *rotation) { r.signed = r.signed[2:] }, false, ErrSignatures},
			"one twice":              {func(r *rotation) { r.signed = append(r.signed[:3:3], r.signed[2]) }, false, ErrSignatures},
			"out of order":           {func(r *rotation) { r.signed = []Signed{r.signed[1], r.signed[0], r.signed[2], r.signed[3]} }, false, ErrSignatures},
			"one of another place":   {func(r *rotation) { r.signed = slices.Clone(r.signed); r.signed[0].Place = 1 }, false, ErrSignatures},
			"beyond the committee":   {func(r *rotation) { r.signed = slices.Clone(r.signed); r.signed[4].Place = 5 }, false, ErrSignatures},
			"another epoch":          {func(r *rotation) { r.next.Epoch++ }, true, ErrEpoch},
			"another key":            {func(r *rotation) { r.master = other }, true, ErrRotation},
			"another constant":       {func(r *rotation) { r.next.Commitments = append([]cbss.Key{other}, r.next.Commitments[1:]...) }, true, ErrRotation},
			"one commitment less":    {func(r *rotation) { r.next.Commitments = r.next.Commitments[:3] }, true, ErrRotation},
			"one commitment more":    {func(r *rotation) { r.next.Commitments = append(r.next.Commitments[:4:4], other) }, true, ErrRotation},
			"a commitment infinite":  {func(r *rotation) { r.next.Commitments = append(r.next.Commitments[:3:3], cbss.Key{0xc0}) }, true, ErrRotation},
			"a commitment no point":  {func(r *rotation) { r.next.Commitments = append(r.next.Commitments[:3:3], cbss.Key{1}) }, true, ErrRotation},
			"another committee":      {func(r *rotation) { r.next.Committee = append([]digest.Hash{{1}}, r.next.Committee[1:]...) }, true, ErrRotation},
			"members exchanged":      {exchange, true, ErrRotation},
			"commitments not signed": {func(r *rotation) { r.next.Commitments = append(r.next.Commitments[:3:3], other) }, false, ErrSignatures},
		} {
			t.Run(name, func(t *testing.T) {
				changed := *r
				c.change(&changed)
				if c.signs {
					w.sign(&changed, k)
				}
				mark, held := w.overlay.Mark(), w.Held
				if err := w.bring(&changed); err != c.err {
					t.Errorf("%v, want %v", err, c.err)
				}
				w.overlay.Revert(mark)
				w.Held = held
			})
		}
	}
	stage(t, first, nil)
	w.must(w.bring(first))
	w.shares[tag(of, 1)] = first.shares
	w.must(w.Reshare(of, owner))
	w.end()
	w.end()
	k, err := LoadKey(w.overlay, of)
	w.must(err)
	next := w.agreed(of)
	stage(t, next, k)
	for name, change := range map[string]func(*rotation){
		"the former one short": func(r *rotation) { r.prior = r.prior[2:] },
		"nobody of the former": func(r *rotation) { r.prior = nil },
		"the new for the old":  func(r *rotation) { r.prior = r.signed },
	} {
		t.Run(name, func(t *testing.T) {
			changed := *next
			change(&changed)
			w.refused(ErrSignatures, func() error { return w.bring(&changed) })
		})
	}
	p, err := LoadPending(w.overlay, of)
	w.must(err)
	w.at(p.Deadline + 1)
	w.refused(ErrNoKey, func() error { return w.bring(next) })
	w.at(p.Deadline)
	w.must(w.bring(next))
	w.refused(ErrNoKey, func() error { return w.bring(next) })
}

// Resharings: when who may ask, how long former committees serve, and how many of them.
//
// Spec: secrets-cbss §4 (83), §5, §6 (RESHARE_INTERVAL, RESHARE_GRACE, MAX_PRIOR_EPOCHS).
func TestResharings(t *testing.T) {
	w := newWorld(t, 12)
	w.refused(ErrNoKey, func() error { return w.Reshare(AccountScope(owner), owner) })
	k := w.accountKey(owner)
	of, master := AccountScope(owner), k.Master
	w.refused(ErrNotDue, func() error { return w.Reshare(of, nobody) })
	due := k.Reshared + 1_296_000
	w.skip(due)
	w.at(due - 1)
	w.refused(ErrNotDue, func() error { return w.Reshare(of, nobody) })
	w.at(due)
	w.must(w.try(func() error { return w.Reshare(of, nobody) }))
	w.refused(ErrInProgress, func() error { return w.Reshare(of, owner) })
	for epoch := uint64(2); epoch <= 5; epoch++ {
		if epoch > 2 {
			w.must(w.Reshare(of, owner))
		}
		if k = w.keyed(of); k.Epoch != epoch || len(k.Prior) != int(epoch)-1 || k.Master != master || k.Commitments[0] != master {
			t.Fatalf("epoch %d, %d former", k.Epoch, len(k.Prior))
		}
	}
	w.refused(ErrGrace, func() error { return w.Reshare(of, owner) })
	first := k.Prior[0]
	for name, c := range map[string]struct {
		at  unit.Height
		err error
	}{"last block": {first.Expires - 1, nil}, "over": {first.Expires, ErrStaleEpoch}} {
		t.Run(name, func(t *testing.T) {
			now := w.Height
			defer func() { w.Height = now }()
			w.Height = c.at
			if _, err := w.served(k, first.Epoch); err != c.err {
				t.Errorf("%v", err)
			}
		})
	}
	w.skip(first.Expires)
	w.must(w.Reshare(of, owner))
	if k = w.keyed(of); k.Epoch != 6 || len(k.Prior) > MaxPrior {
		t.Errorf("epoch %d, %d former", k.Epoch, len(k.Prior))
	}
}

// Who pays for a resharing: the owner has a bond as for a new key, of which 50 CBY are lost if nobody makes it, and one goes to who says so. Where it is due,
// because the interval is over, or a member leaves or is suspended, it costs nothing, whoever asks.
//
// Spec: secrets-cbss §4 (83), §6 (DKG_BOND, DKG_TIMEOUT_SLASH, EXPIRE_DKG_REWARD, RESHARE_INTERVAL).
func TestBondOfAResharing(t *testing.T) {
	member := func(w *world) digest.Hash {
		k, err := LoadKey(w.overlay, AccountScope(owner))
		w.must(err)
		return k.Committee[0]
	}
	for name, c := range map[string]struct {
		wear                 func(w *world)
		by                   account.Address
		bond, lost, rewarded unit.Amount
	}{
		"the owner":                     {func(*world) {}, owner, 1_000 * unit.CBY, 50 * unit.CBY, unit.CBY},
		"after the interval, the owner": {func(w *world) { w.at(w.Height + 1_296_000) }, owner, 0, 0, 0},
		"after the interval, anybody":   {func(w *world) { w.at(w.Height + 1_296_000) }, nobody, 0, 0, 0},
		"a member leaves":               {func(w *world) { w.must(w.Deregister(member(w))) }, owner, 0, 0, 0},
		"a member is suspended": {func(w *world) {
			p, err := LoadProxy(w.overlay, member(w))
			w.must(err)
			p.Suspended = true
			w.saveProxy(member(w), p)
		}, nobody, 0, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 12)
			w.accountKey(owner)
			of, other := AccountScope(owner), account.Address{0: 0xae}
			c.wear(w)
			before := w.balance(c.by)
			w.must(w.Reshare(of, c.by))
			if got := before - w.balance(c.by); got != c.bond {
				t.Errorf("a bond of %d", got)
			}
			w.end()
			w.end()
			p, err := LoadPending(w.overlay, of)
			w.must(err)
			w.at(p.Deadline)
			w.refused(ErrNotDue, func() error { return w.Expire(of, other) })
			w.at(p.Deadline + 1)
			w.must(w.Expire(of, other))
			if before-w.balance(c.by) != c.lost || w.balance(other) != c.rewarded {
				t.Errorf("%d lost, %d rewarded", before-w.balance(c.by), w.balance(other))
			}
		})
	}
	t.Run("a poor owner", func(t *testing.T) {
		w := newWorld(t, 12)
		w.accountKey(owner)
		w.must(account.Debit(w.overlay, owner, w.balance(owner)-1_000*unit.CBY+1))
		var short *account.ShortfallError
		if err := w.try(func() error { return w.Reshare(AccountScope(owner), owner) }); !errors.As(err, &short) {
			t.Errorf("%v", err)
		}
	})
	t.Run("one that is made", func(t *testing.T) {
		w := newWorld(t, 12)
		w.accountKey(owner)
		before := w.balance(owner)
		w.must(w.Reshare(AccountScope(owner), owner))
		if k := w.keyed(AccountScope(owner)); k.Epoch != 2 || w.balance(owner) != before {
			t.Errorf("epoch %d, %d did not come back", k.Epoch, before-w.balance(owner))
		}
	})
}

// A proxy that leaves has all its committees replaced, sixteen in a block.
//
// Spec: secrets-cbss §4 (73: forces reshare), §5.
func TestLeavingForcesResharings(t *testing.T) {
	w := newWorld(t, 5)
	var scopes []Scope
	for n := range 20 {
		who := keyOf("account", n).Address()
		w.fund(who, 2_000*unit.CBY)
		w.accountKey(who)
		scopes = append(scopes, AccountScope(who))
	}
	w.must(w.Deregister(w.proxies[0].id))
	pending := func() (n int) {
		for _, of := range scopes {
			p, err := LoadPending(w.overlay, of)
			w.must(err)
			if p != nil {
				n++
			}
		}
		return n
	}
	w.must(w.force())
	if n := pending(); n != 16 {
		t.Errorf("%d in one block", n)
	}
	w.must(w.force())
	if n := pending(); n != 20 {
		t.Errorf("%d in two", n)
	}
	w.must(w.force())
	if _, ok, err := w.overlay.Lookup(under(underLeaving, w.proxies[0].id[:])); ok || err != nil {
		t.Errorf("it goes on: %v", err)
	}
	// Without a fifth proxy that serves they are dropped; anybody may ask again.
	w.end()
	w.end()
	w.end()
	if n := pending(); n != 0 {
		t.Errorf("%d left", n)
	}
	w.enrol(5)
	w.skip(w.Height + 86_400)
	w.must(w.Reshare(scopes[0], nobody))
	k := w.keyed(scopes[0])
	if k.PlaceOf(w.proxies[0].id) != 0 || k.PlaceOf(w.proxies[5].id) == 0 || k.Epoch != 2 {
		t.Errorf("%+v", k.Committee)
	}
}
