package attendant

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var namespace = sig.NewNamespace(1)

// town is a registry with epochs of 20 blocks and the duties of its four validators, whose links lose what a test wants.
type town struct {
	t        testing.TB
	calendar params.Calendar
	view     *state.Commit
	height   unit.Height
	keys     []genesis.DevValidator
	duties   []*duties
	kept     []map[uint64][]beacon.Deal
	stored   [][][]byte
	wire     []packet
	drop     func(packet) bool
	posted   []*tx.Tx
	reports  []string
	watch    func([]effect)          // sees what one event brings
	payers   map[int]*sig.PrivateKey // of validators whose stake is another account's
}

// packet is a frame on its way.
type packet struct {
	from, to int
	frame    []byte
}

func newTown(t testing.TB) *town { return townOf(t, nil) }

// townOf is a town some of whose validators pay from accounts of their own, which have coins and no stake.
func townOf(t testing.TB, payers map[int]*sig.PrivateKey) *town {
	t.Helper()
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	spec.EpochBlocks = 20
	for i := range spec.Accounts { // the coins come from the faucet
		if spec.Faucet != nil && spec.Accounts[i].Address == *spec.Faucet {
			for _, key := range payers { // order-free: a test's accounts
				spec.Accounts[i].Balance -= 1_000 * unit.CBY
				spec.Accounts = append(spec.Accounts, genesis.Allocation{Address: key.Address(), Balance: 1_000 * unit.CBY})
			}
			break
		}
	}
	first, err := ledger.Genesis(spec, state.Config{}, state.NewMemory(state.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	x := &town{t: t, payers: payers, view: first.State, drop: func(packet) bool { return false }, stored: make([][][]byte, 4)}
	if x.calendar, err = spec.Calendar(); err != nil {
		t.Fatal(err)
	}
	if x.keys, _, err = genesis.DevValidators(4); err != nil {
		t.Fatal(err)
	}
	x.duties = make([]*duties, len(x.keys))
	for i := range x.keys {
		x.kept = append(x.kept, map[uint64][]beacon.Deal{})
		x.boot(i)
	}
	return x
}

func peerOf(i int) link.Peer { return link.Peer{byte(i + 1)} }

// boot starts a validator's duties on what it has kept, among all the others.
func (x *town) boot(i int) {
	k := x.keys[i]
	d := &duties{
		own:    introduction(k.Vote, roster.IntroductionPreimage(namespace, peerOf(i))),
		writer: &txWriter{chainID: 1, key: k.Account},
		ceremony: &stake.Attendant{
			Namespace: namespace, Calendar: x.calendar, Key: k.Vote, Kept: func(epoch uint64) []beacon.Deal { return x.kept[i][epoch] },
			Held: func(since uint64) *bls.Share {
				if since == 0 {
					return &k.Share
				}
				return nil
			},
		},
	}
	if payer := x.payers[i]; payer != nil {
		d.writer.key = payer
	}
	x.duties[i] = d
	for j := range x.keys {
		if j != i {
			x.take(i, d.up(peerOf(j)))
		}
	}
	x.carry()
}

// take sees to what a validator wants done.
func (x *town) take(from int, out []effect) {
	x.t.Helper()
	if x.watch != nil {
		x.watch(out)
	}
	for _, o := range out {
		switch o := o.(type) {
		case send:
			x.wire = append(x.wire, packet{from, int(o.to[0]) - 1, o.frame})
		case keep:
			x.kept[from][o.epoch] = append(x.kept[from][o.epoch], o.deal)
		case store:
			x.stored[from] = o.charges
		case report:
			x.reports = append(x.reports, fmt.Sprintf("%d reports %d: %s", from, o.peer[0]-1, o.why))
		case submit:
			decoded, err := tx.Decode(o.raw)
			if err != nil {
				x.t.Fatal(err)
			}
			x.posted = append(x.posted, decoded)
		}
	}
}

// carry delivers until nothing is on its way.
func (x *town) carry() {
	x.t.Helper()
	for len(x.wire) > 0 {
		p := x.wire[0]
		x.wire = x.wire[1:]
		if x.duties[p.to] != nil && !x.drop(p) {
			x.take(p.to, x.duties[p.to].heard(peerOf(p.from), bytes.Clone(p.frame), time.Unix(int64(x.height), 0)))
		}
	}
}

// block executes the posted transactions by the registry's rules, and shows the state to everybody.
func (x *town) block() {
	x.t.Helper()
	x.height++
	o := x.view.Overlay()
	p, err := params.Load(o)
	if err != nil {
		x.t.Fatal(err)
	}
	g := &stake.Registry{State: o, Chain: namespace, Params: p, Height: x.height}
	for _, t := range x.posted {
		raw, _, err := o.Lookup(t.From.Key())
		if err != nil {
			x.t.Fatal(err)
		}
		a, err := account.Decode(raw)
		if err != nil || a.Nonce != t.Nonce {
			continue
		}
		if _, err := tx.Verify(t, 1, sig.Default()); err != nil {
			x.t.Errorf("%T: %v", t.Instruction, err)
		}
		a.Nonce++
		o.Set(t.From.Key(), a.Encode())
		switch in := t.Instruction.(type) {
		case *tx.SystemDkg:
			err = g.Deal(t.From, in.Log)
		case *tx.SubmitMisbehaviour:
			_, err = g.Misbehave(t.From, in.Evidence)
		}
		if err != nil {
			x.t.Errorf("%T of %v: %v", t.Instruction, t.From, err)
		}
	}
	x.posted = nil
	h := &block.Header{Height: x.height, Epoch: x.calendar.Epoch(x.height), ParentHash: digest.Hash{byte(x.height)}}
	if _, err := g.EndBlock(h); err != nil {
		x.t.Fatal(err)
	}
	if x.view, err = o.Commit(x.height); err != nil {
		x.t.Fatal(err)
	}
	for i, d := range x.duties {
		if d == nil {
			continue
		}
		out, err := d.final(x.height, x.view)
		if err != nil {
			x.t.Fatal(err)
		}
		x.take(i, out)
	}
	x.carry()
}

func (x *town) to(height unit.Height) {
	x.t.Helper()
	for x.height < height {
		x.block()
	}
}

// shares derives everybody's share of the next epoch's key.
func (x *town) shares(epoch uint64) (held int) {
	x.t.Helper()
	set, err := stake.SetAt(x.view, epoch)
	if err != nil || set.Shared != epoch {
		x.t.Fatalf("the key of epoch %d was not renewed: %v", epoch, err)
	}
	sharing, err := bls.DecodeSharing(set.Sharing)
	if err != nil {
		x.t.Fatal(err)
	}
	for i, k := range x.keys {
		share, err := stake.Recover(x.view, namespace, k.Vote, epoch, x.kept[i][epoch])
		if err != nil {
			x.t.Fatal(err)
		}
		if share != nil && sharing.Holds(*share) {
			held++
		}
	}
	return held
}

// A ceremony by itself: everybody deals and answers, four logs go on chain in one block each validator pays for, and the key is handed on.
//
// Spec: commonware §4.3.
func TestCeremony(t *testing.T) {
	x := newTown(t)
	x.to(10)
	if s := x.duties[0].info; s.Epoch != 1 || !s.Dealer || !s.Player || s.Required != 3 || s.Players != 4 {
		t.Errorf("status %+v", s)
	}
	x.to(14) // who sees the midpoint first deals to some who have not, and again after the next block
	if s := x.duties[0].info; s.Logs != 4 || s.Silent != 0 || s.Held != 4 {
		t.Errorf("status %+v", s)
	}
	x.to(19)
	if n := x.shares(1); n != 4 {
		t.Errorf("%d shares", n)
	}
	x.to(21)
	if s := x.duties[0].info; s.Epoch != 0 {
		t.Errorf("status %+v", s)
	}
	if len(x.reports) > 0 {
		t.Error(x.reports)
	}
}

// A deal is on disk before its answer is sent: what a player has acknowledged it can derive its share from.
//
// Spec: commonware §4.3 (2).
func TestDealIsKeptBeforeItIsAnswered(t *testing.T) {
	x := newTown(t)
	answered := 0
	x.watch = func(out []effect) {
		kept := 0
		for _, o := range out {
			switch o := o.(type) {
			case keep:
				kept++
			case send:
				if f, err := DecodePeerMessage(bytes.Clone(o.frame)); err != nil {
					t.Error(err)
				} else if _, ok := f.(*Ack); ok {
					if answered++; kept == 0 {
						t.Error("a deal is answered that was not kept")
					}
				}
			}
		}
	}
	x.to(12)
	if answered == 0 {
		t.Error("no deal was answered")
	}
}

// The same with every third frame lost, one validator that is down, and one that restarts in the middle with nothing but what it kept: it deals the same
// again. The values of the one that is down are in the open.
//
// Spec: commonware §4.3 (2, 3).
func TestCeremonyUnderLoss(t *testing.T) {
	x := newTown(t)
	x.to(9)
	x.duties[3] = nil
	n := 0
	deals := map[string][]byte{} // from, to and epoch: what was dealt
	x.drop = func(p packet) bool {
		if f, err := DecodePeerMessage(bytes.Clone(p.frame)); err == nil {
			if d, ok := f.(*Deal); ok {
				name := fmt.Sprint(p.from, p.to, d.Epoch)
				if before, had := deals[name]; had && !bytes.Equal(before, p.frame) {
					t.Errorf("%d deals %d another value", p.from, p.to)
				}
				deals[name] = bytes.Clone(p.frame)
			}
		}
		n++
		return n%3 == 0
	}
	x.to(12)
	x.boot(1)
	x.to(19)
	if got := x.shares(1); got != 4 { // that of the silent one can be made by everybody
		t.Errorf("%d shares", got)
	}
	if len(x.reports) > 0 {
		t.Error(x.reports)
	}
}

// A dealer that tells wrong values is reported by who it told them, and its log is not there; frames out of time are no offence.
//
// Spec: commonware §4.3 (2).
func TestLyingDealer(t *testing.T) {
	x := newTown(t)
	other, err := bls.DeriveKey([]byte("a secret of thirty-two bytes or more"), []byte("x"))
	if err != nil {
		t.Fatal(err)
	}
	early := EncodePeerMessage(samples(t)[1])
	x.take(0, x.duties[0].heard(peerOf(2), early, time.Unix(0, 0)))
	if len(x.reports) > 0 {
		t.Errorf("reported for a deal before its time: %v", x.reports)
	}
	x.drop = func(p packet) bool {
		f, err := DecodePeerMessage(bytes.Clone(p.frame))
		d, ok := f.(*Deal)
		if p.from != 2 || err != nil || !ok {
			return false
		}
		d.Deal.Share.Key = other
		x.take(p.to, x.duties[p.to].heard(peerOf(2), EncodePeerMessage(d), time.Unix(int64(x.height), 0)))
		return true
	}
	x.to(19)
	if n := x.shares(1); n != 4 {
		t.Errorf("%d shares", n)
	}
	if len(x.reports) == 0 {
		t.Error("nobody noticed")
	}
	for _, r := range x.reports {
		if r[2:len("0 reports 2")] != "reports 2" {
			t.Error(r)
		}
	}
	if there, err := stake.Posted(x.view, 2); there || err != nil {
		t.Errorf("the liar's log: %v, %v", there, err)
	}
}

func (x *town) evidence(guilty int, view uint64) *simplex.Evidence {
	e := &simplex.Evidence{Offence: simplex.DoubleNotarize, Signer: uint32(guilty)}
	for i, s := range []*simplex.Statement{&e.First, &e.Second} {
		s.Kind, s.Subject = sig.Notarization, sig.Subject{Height: 5, Round: sig.Round{View: view}, BlockHash: digest.Hash{byte(i)}}
		s.Signature = x.keys[guilty].Vote.Sign(s.Preimage(namespace))
	}
	return e
}

// Everybody has the evidence; the member after the guilty one brings it to the chain, the others see that it is done. If that one does not, the next does.
//
// Spec: WP "Slashing"; governance-staking A3 (one penalty per validator and round).
func TestEvidence(t *testing.T) {
	for name, down := range map[string]int{"the first in line": -1, "the second in line": 2} {
		t.Run(name, func(t *testing.T) {
			x := newTown(t)
			x.to(2)
			if down >= 0 {
				x.duties[down] = nil
			}
			for i, d := range x.duties {
				if d != nil {
					x.take(i, d.accuse(x.evidence(1, 3)))
					if again := d.accuse(x.evidence(1, 3)); len(again) != 0 {
						t.Errorf("%s: the same evidence again: %v", name, again)
					}
					if len(d.charges.list) != 1 || len(x.stored[i]) != 1 {
						t.Fatalf("%s: %d charges, %d stored", name, len(d.charges.list), len(x.stored[i]))
					}
				}
			}
			var by []account.Address
			for x.height < 9 {
				x.block()
				for _, p := range x.posted {
					by = append(by, p.From)
				}
			}
			want := 2
			if down >= 0 {
				want = 3
			}
			if len(by) != 1 || by[0] != x.keys[want].Account.Address() {
				t.Errorf("%s: brought by %v", name, by)
			}
			v, _, err := stake.Load(x.view, x.keys[1].Account.Address())
			if err != nil || v.Status != stake.Jailed || v.Jailings != 1 || len(v.Penalties) != 1 {
				t.Errorf("%s: %+v, %v", name, v, err)
			}
			for i, d := range x.duties {
				if d != nil && (len(d.charges.list) != 0 || len(x.stored[i]) != 0) {
					t.Errorf("%s: %d keeps %d charges", name, i, len(d.charges.list))
				}
			}
		})
	}
}

// What the chain does not take is given up, and what waits is bounded.
func TestEvidenceIsBounded(t *testing.T) {
	x := newTown(t)
	d := x.duties[2]
	for view := uint64(1); view < 2*chargesMax; view++ {
		d.accuse(x.evidence(1, view))
	}
	if len(d.charges.list) != chargesMax {
		t.Errorf("%d charges", len(d.charges.list))
	}
	c := d.charges.list[0]
	for c.tries = 0; c.tries < triesMax; c.tries++ {
		if dropped, err := d.charges.settle(1, x.view); dropped || err != nil {
			t.Errorf("dropped after %d tries: %v", c.tries, err)
		}
	}
	if dropped, err := d.charges.settle(1, x.view); !dropped || err != nil || len(d.charges.list) != chargesMax-1 {
		t.Errorf("not given up: %v", err)
	}
	if done, err := stake.Settled(x.view, c.evidence, x.calendar.Last(0)+params.UnbondingBlocks+1); !done || err != nil {
		t.Errorf("out of date: %v, %v", done, err)
	}
	d.writer = nil
	if d.accuse(x.evidence(3, 9)); len(d.charges.list) != chargesMax-1 {
		t.Error("a charge nobody can bring")
	}
}

// A transaction is the same until its nonce is taken or it pays too little, and is not made for an account that cannot pay.
func TestDuties(t *testing.T) {
	x := newTown(t)
	d := &txWriter{chainID: 1, key: x.keys[0].Account}
	in := &tx.SubmitMisbehaviour{Evidence: []byte{1, 2, 3}}
	spent := 0
	write := func() []byte {
		raw, err := d.write(in, 4, x.view, func() { spent++ })
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	first := write()
	if again := write(); !bytes.Equal(first, again) {
		t.Error("another transaction for the same end")
	}
	o := x.view.Overlay()
	o.Set(x.keys[0].Account.Address().Key(), (&account.Account{Nonce: 1, Balance: 1_000 * unit.CBY}).Encode())
	var err error
	if x.view, err = o.Commit(1); err != nil {
		t.Fatal(err)
	}
	if next := write(); bytes.Equal(first, next) || spent != 1 {
		t.Errorf("the same after its nonce was taken, %d spent", spent)
	}
	o = x.view.Overlay()
	o.Set(x.keys[0].Account.Address().Key(), (&account.Account{Nonce: 2, Balance: 5}).Encode())
	if x.view, err = o.Commit(2); err != nil {
		t.Fatal(err)
	}
	if _, err := d.write(in, 4, x.view, func() {}); err != errUnpaid {
		t.Errorf("without coins: %v", err)
	}
}
