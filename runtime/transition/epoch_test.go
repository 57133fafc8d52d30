package transition

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

var testNamespace = sig.NewNamespace(1)

// validators is a chain on a genesis with validators, and their keys.
type validators struct {
	*chain
	votes  map[account.Address]*bls.PrivateKey
	shares map[account.Address]bls.Share
}

// newValidators starts with n development validators and, as on a local network, a rich faucet.
func newValidators(t testing.TB, n int) *validators {
	t.Helper()
	spec, err := genesis.Devnet(1, n)
	if err != nil {
		t.Fatal(err)
	}
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	if err := spec.Build(overlay); err != nil {
		t.Fatal(err)
	}
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	v := &validators{
		chain:  &chain{t: t, script: script{}, nonces: map[account.Address]uint64{}, tip: Parent{Header: spec.Header(commit.Root()), State: commit}},
		votes:  map[account.Address]*bls.PrivateKey{},
		shares: map[account.Address]bls.Share{},
	}
	set, _, err := genesis.DevValidators(n)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range set {
		v.votes[d.Account.Address()], v.shares[d.Account.Address()] = d.Vote, d.Share
	}
	return v
}

func (v *validators) faucet() account.Address { return genesis.DevFaucet().Address() }

// set is the validator set of the next block.
func (v *validators) set() *stake.Set {
	v.t.Helper()
	set, err := stake.SetAt(v.tip.State, params.Calendar{}.Epoch(v.tip.Header.Height+1))
	if err != nil {
		v.t.Fatal(err)
	}
	return set
}

func (v *validators) of(a account.Address) *stake.Validator {
	v.t.Helper()
	r, ok, err := stake.Load(v.tip.State, a)
	if err != nil || !ok {
		v.t.Fatalf("no record of %v: %v", a, err)
	}
	return r
}

// empty makes a block without transactions, built only.
func (v *validators) empty(edit ...func(*block.Header)) *Result {
	v.t.Helper()
	h := v.header()
	for _, f := range edit {
		f(&h)
	}
	built, err := Apply(v.tip, Job{Mode: Build, Header: h}, v.script)
	if err != nil {
		v.t.Fatal(err)
	}
	if err := CheckSupplyStep(v.tip.State, built.State); err != nil {
		v.t.Fatal(err)
	}
	header := built.Header
	v.tip = Parent{Header: &header, State: built.State, Known: built.Known}
	return built
}

// to makes empty blocks up to a height, checks the coins, and gives the last.
func (v *validators) to(height unit.Height) (last *Result) {
	v.t.Helper()
	for v.tip.Header.Height < height {
		last = v.empty()
	}
	if err := CheckSupply(v.tip.State); err != nil {
		v.t.Fatal(err)
	}
	return last
}

func devKey(t testing.TB, label ...any) *bls.PrivateKey {
	t.Helper()
	h := digest.SHA256(fmt.Append(nil, label...))
	h[0] &= 0x3f
	k, err := bls.ParsePrivateKey(h[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// register is the transaction that makes a person a validator.
func (v *validators) register(a account.Address, amount unit.Amount) tx.Verified {
	v.t.Helper()
	k := devKey(v.t, "vote", a)
	v.votes[a] = k
	return v.sign(a, &tx.ValidatorRegister{Key: k.PublicKey().Bytes(), Possession: k.ProvePossession(testNamespace), Stake: amount})
}

// twice is the transaction that proves a member's two votes in a view.
func (v *validators) twice(from, guilty account.Address, view uint64) tx.Verified {
	v.t.Helper()
	rank, ok := v.set().Rank(guilty)
	if !ok {
		v.t.Fatal("no member")
	}
	e := simplex.Evidence{Offence: simplex.DoubleNotarize, Signer: rank}
	for i, s := range []*simplex.Statement{&e.First, &e.Second} {
		s.Kind, s.Subject = sig.Notarization, sig.Subject{Height: 5, Round: sig.Round{View: view}, BlockHash: digest.Hash{byte(i)}}
		s.Signature = v.votes[guilty].Sign(s.Preimage(testNamespace))
	}
	return v.sign(from, &tx.SubmitMisbehaviour{Evidence: e.Encode()})
}

// ceremony is everybody's part in a resharing.
type ceremony struct {
	info    *beacon.Info
	list    []stake.Member
	players []*beacon.Player
}

func (v *validators) ceremony() *ceremony {
	v.t.Helper()
	c := new(ceremony)
	var ok bool
	var err error
	if c.info, c.list, ok, err = stake.Ceremony(v.tip.State, testNamespace, v.tip.Header.Epoch); err != nil || !ok {
		v.t.Fatalf("no ceremony at %d: %v", v.tip.Header.Height, err)
	}
	for i, m := range c.list {
		p, err := beacon.NewPlayer(c.info, uint32(i), v.votes[m.Address])
		if err != nil {
			v.t.Fatal(err)
		}
		c.players = append(c.players, p)
	}
	return c
}

// log is a dealer's; a liar gives the first player a wrong value, and puts a wrong one into its log.
func (v *validators) log(c *ceremony, dealer account.Address, liar bool) tx.Verified {
	v.t.Helper()
	rank, _ := v.set().Rank(dealer)
	d, err := beacon.NewDealer(c.info, rank, v.votes[dealer], v.shares[dealer].Key)
	if err != nil {
		v.t.Fatal(err)
	}
	for i, p := range c.players {
		deal, err := d.Deal(uint32(i))
		if err != nil {
			v.t.Fatal(err)
		}
		if liar && i == 0 {
			deal.Share.Key = devKey(v.t, "lie")
		}
		ack, err := p.Receive(deal)
		if err != nil {
			continue
		}
		if err := d.Acknowledge(ack); err != nil {
			v.t.Fatal(err)
		}
	}
	log, err := d.Log()
	if err != nil {
		v.t.Fatal(err)
	}
	if liar {
		log.Reveals[0].Key = devKey(v.t, "lie")
	}
	return v.sign(dealer, &tx.SystemDkg{Log: log.Encode()})
}

// TestEpochChange runs an epoch of 3,600 blocks with two joining, one leaving and one jailed for double signing, and a resharing with a crashed and a
// lying dealer. Afterwards set, weights, slash, rewards and key are what the rules say; seeds verify under the key, and who left holds nothing useful.
//
// Spec: WP "Validator Set", "Staking and Rewards", "Slashing", §3.4, §8.2, §8.4; governance-staking part A; commonware §4.3.
func TestEpochChange(t *testing.T) {
	v := newValidators(t, 7)
	first := v.set()
	member := func(i int) account.Address { return first.Members[i].Address }
	exiting, guilty, crashed, lying := member(3), member(4), member(5), member(6)
	joining := []account.Address{person(1), person(2)}
	var fund []tx.Verified
	for _, a := range append(joining, member(0), member(1), member(2), exiting, guilty, crashed, lying) {
		fund = append(fund, v.sign(v.faucet(), &tx.Transfer{To: a, Amount: 200_000 * unit.CBY}))
	}
	if r := v.mine(fund...); len(r.Refused) > 0 {
		t.Fatalf("%+v", r.Refused)
	}
	r := v.mine(v.register(joining[0], 50_000*unit.CBY), v.register(joining[1], 60_000*unit.CBY), v.sign(exiting, &tx.ValidatorExit{}),
		v.register(v.faucet(), 49_999*unit.CBY))
	faults := 0
	for _, x := range r.Receipts {
		if x.Status == block.Faulted {
			faults++
			if x.Sender != v.faucet() || x.Fault.Code != drain.FaultValue {
				t.Errorf("%v: %d %s", x.Sender, x.Fault.Code, x.Fault.Text)
			}
		}
	}
	if faults != 1 || v.of(joining[1]).Stake != 60_000*unit.CBY || v.of(exiting).Status != stake.Exiting {
		t.Errorf("%d faults, %+v", faults, v.of(joining[1]))
	}
	v.to(299)
	r = v.mine(v.twice(person(1), guilty, 90))
	x := r.wantReceipt(t, 0, block.Transaction, block.Success, 0)
	if string(x.ReturnData) != string(guilty[:]) || v.of(guilty).JailedUntil != 300+86_400 {
		t.Errorf("%+v, %+v", x, v.of(guilty))
	}
	v.mine(v.twice(person(2), guilty, 90)).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultExists)
	v.jailedProposer(guilty)

	v.to(params.SetFreezeBlock)
	c := v.ceremony()
	if len(c.list) != 7 { // seven less one leaving and one jailed, and two joining
		t.Fatalf("a list of %d", len(c.list))
	}
	v.mine(v.log(c, lying, true)).wantReceipt(t, 0, block.Transaction, block.Faulted, drain.FaultInput)
	for _, d := range []account.Address{member(0), member(1), member(2), exiting, guilty} {
		v.mine(v.log(c, d, false)).wantReceipt(t, 0, block.Transaction, block.Success, 0)
	}
	logs, err := stake.Logs(v.tip.State)
	if err != nil {
		t.Fatal(err)
	}
	v.to(params.Calendar{}.Last(0) - 1)
	before := v.supply()
	owed, err := stake.Owed(v.tip.State)
	if err != nil || owed == 0 {
		t.Errorf("owed %d, %v", owed, err)
	}
	v.settled(v.mine(), before, guilty)
	v.reshared(c, logs, first, []account.Address{exiting, guilty})
}

// settled checks the epoch's last block: the slash burned to the base unit, everybody's weight, and the rewards paid.
func (v *validators) settled(last *Result, before fee.Supply, guilty account.Address) {
	v.t.Helper()
	after := v.supply()
	if burned := after.Burned - before.Burned; burned != 1_000*unit.CBY { // 1 % of 100,000; the block is empty
		v.t.Errorf("%d burned", burned)
	}
	events := map[string]int{}
	for _, r := range last.Receipts {
		for _, e := range r.Events {
			events[string(e.Topic)]++
		}
	}
	if events[stake.TopicSlashed] != 1 || events[stake.TopicEpoch] != 1 {
		v.t.Errorf("announced %v", events)
	}
	if r := v.of(guilty); r.Status != stake.Jailed || r.Stake != 99_000*unit.CBY {
		v.t.Errorf("%+v", r)
	}
	set := v.set()
	if set.Epoch != 1 || len(set.Members) != 7 {
		v.t.Fatalf("epoch %d, %d members", set.Epoch, len(set.Members))
	}
	for _, m := range set.Members {
		want := genesis.DevnetStake
		switch m.Address {
		case person(1):
			want = 50_000 * unit.CBY
		case person(2):
			want = 60_000 * unit.CBY
		}
		if m.Weight != want || v.of(m.Address).Status != stake.Active {
			v.t.Errorf("%v has weight %d", m.Address, m.Weight)
		}
	}
	if owed, err := stake.Owed(v.tip.State); err != nil || owed >= 7 {
		v.t.Errorf("%d owed after the epoch, %v", owed, err)
	}
}

func (v *validators) supply() fee.Supply {
	v.t.Helper()
	raw, _, err := v.tip.State.Lookup(fee.SupplyKey())
	if err != nil {
		v.t.Fatal(err)
	}
	s, err := fee.DecodeSupply(raw)
	if err != nil {
		v.t.Fatal(err)
	}
	return s
}

// jailedProposer: no block of a jailed proposer is valid.
func (v *validators) jailedProposer(guilty account.Address) {
	v.t.Helper()
	rank, _ := v.set().Rank(guilty)
	for want, index := range map[error]uint32{stake.ErrProposerJailed: rank, stake.ErrProposer: uint32(len(v.set().Members))} {
		h := v.header()
		h.ProposerIndex = index
		var bad *Invalid
		if _, err := Apply(v.tip, Job{Mode: Build, Header: h}, v.script); !errors.As(err, &bad) || !errors.Is(err, want) {
			v.t.Errorf("rank %d proposes: %v", index, err)
		}
	}
}

// reshared: the new holders make the old group's seeds, and old shares neither verify nor complete a quorum.
func (v *validators) reshared(c *ceremony, logs []*beacon.Log, old *stake.Set, left []account.Address) {
	v.t.Helper()
	set := v.set()
	keys, sharing, err := set.Keys(testNamespace)
	if err != nil {
		v.t.Fatal(err)
	}
	was, _, err := old.Keys(testNamespace)
	if err != nil || was.Group.Bytes() != keys.Group.Bytes() {
		v.t.Fatalf("the group key changed: %v", err)
	}
	outcome, err := c.info.Finish(logs)
	if err != nil {
		v.t.Fatal(err)
	}
	message := testNamespace.Seed(sig.Round{Epoch: 1, View: 1})
	var partials []bls.Partial
	for _, p := range c.players {
		share, err := p.Share(outcome)
		if err != nil {
			v.t.Fatal(err)
		}
		partials = append(partials, share.Sign(message))
	}
	for from := range 3 { // any five of seven
		s, err := bls.Recover(sharing.Threshold(), partials[from:from+5])
		if err != nil || keys.VerifySeed(sig.Seed{Round: sig.Round{Epoch: 1, View: 1}, Signature: s}) != nil {
			v.t.Errorf("no seed of five from %d: %v", from, err)
		}
	}
	for _, a := range left {
		share := v.shares[a]
		partial := share.Sign(message)
		for rank := range sharing.Total() {
			if key, err := sharing.PartialKey(rank); err != nil || bls.Verify(key, message, partial.Signature) == nil {
				v.t.Errorf("the share of %v passes as rank %d's: %v", a, rank, err)
			}
		}
		mixed := append([]bls.Partial{{Index: 6, Signature: partial.Signature}}, partials[:4]...)
		if s, err := bls.Recover(5, mixed); err == nil && bls.Verify(keys.Group, message, s) == nil {
			v.t.Errorf("the share of %v completes a quorum", a)
		}
	}
}

// TestDowntimeInBlocks: headers carry who voted for the parent; after 501 missed votes the absent validator is jailed and loses nothing. Votes of
// another set end the block.
// Spec: WP "Slashing"; governance-staking A3.
func TestDowntimeInBlocks(t *testing.T) {
	v := newValidators(t, 4)
	absent := 2
	votes := func(h *block.Header) {
		h.ParentVotes = &sig.Votes{Signers: sig.NewSigners(4)}
		var sum []sig.BLSSignature
		for i, m := range v.set().Members {
			if i != absent {
				h.ParentVotes.Signers.Add(i)
				sum = append(sum, v.votes[m.Address].Sign(testNamespace.Notarize(h.Parent(h.Epoch))))
			}
		}
		var err error
		if h.ParentVotes.Aggregate, err = bls.Aggregate(sum); err != nil {
			t.Fatal(err)
		}
	}
	v.empty()
	for range 531 { // of 501 votes the last may be reported until 31 blocks later
		v.empty(votes)
	}
	who := v.set().Members[absent].Address
	if v.of(who).Status != stake.Active {
		t.Fatal("jailed too early")
	}
	parent := v.tip
	r := v.empty(votes)
	if x := v.of(who); x.Status != stake.Jailed || x.Stake != genesis.DevnetStake || x.JailedUntil != 533+86_400 {
		t.Errorf("%+v", x)
	}
	if _, err := Apply(parent, Job{Header: r.Header, Txs: r.Txs}, v.script); err != nil {
		t.Errorf("verified: %v", err)
	}
	foreign := sig.Votes{Signers: sig.NewSigners(5)}
	for i := range 5 {
		foreign.Signers.Add(i)
	}
	twice := sig.LateVotes{Height: 510, Votes: sig.Votes{Signers: sig.NewSigners(4)}}
	twice.Signers.Add(0)
	for name, edit := range map[string]func(*block.Header){
		"votes of another set":       func(h *block.Header) { h.ParentVotes = &foreign },
		"late votes reported before": func(h *block.Header) { h.LateVotes = []sig.LateVotes{twice} },
	} {
		t.Run(name, func(t *testing.T) {
			for _, mode := range []Mode{Verify, Build} {
				h := r.Header
				edit(&h)
				var bad *Invalid
				if _, err := Apply(parent, Job{Mode: mode, Header: h, Txs: r.Txs}, v.script); !errors.As(err, &bad) || !errors.Is(err, stake.ErrVotes) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
	}
	missed := sig.LateVotes{Height: 510, Kind: sig.Finalization, Votes: sig.Votes{Signers: sig.NewSigners(4)}}
	missed.Signers.Add(absent)
	h := r.Header
	h.LateVotes = []sig.LateVotes{missed}
	late, err := Apply(parent, Job{Mode: Build, Header: h, Txs: r.Txs}, v.script)
	if err != nil {
		t.Fatal(err)
	}
	ballot, ok, err := stake.LoadBallot(late.State, 510)
	if err != nil || !ok || ballot.Voters.Size() != 4 || late.Header.StateRoot == r.Header.StateRoot {
		t.Errorf("late votes are not in the state: %+v, %v, %v", ballot, ok, err)
	}
}

// TestAlone: the validator of a development network is paid by the epoch, all of its inflation, and goes on from epoch to epoch without a ceremony.
// Spec: WP §8.2; commonware §4.3.
func TestAlone(t *testing.T) {
	v := newValidators(t, 1)
	who := v.set().Members[0].Address
	v.to(1_000)
	if v.account(who).Balance != genesis.DevnetPurse || v.account(proposer).Balance != 0 {
		t.Error("paid before the epoch's end")
	}
	v.to(3_600)
	minted := v.supply().Minted
	perBlock := minted / 3_600
	if got := v.account(who).Balance - genesis.DevnetPurse; got < minted-2*perBlock || got > minted {
		t.Errorf("paid %d of %d", got, minted)
	}
	if set := v.set(); set.Epoch != 1 || len(set.Members) != 1 || set.Members[0].Weight != genesis.DevnetStake {
		t.Errorf("%+v", set)
	}
}

// BenchmarkRegistry is an empty block with a registry of so many validators; none is a state without one.
func BenchmarkRegistry(b *testing.B) {
	for _, n := range []int{0, 1, 4, 100} {
		b.Run(fmt.Sprintf("validators=%d", n), func(b *testing.B) {
			c := newChain(b, script{})
			if n > 0 {
				c = newValidators(b, n).chain
			}
			h := c.header()
			for b.Loop() {
				if _, err := Apply(c.tip, Job{Mode: Build, Header: h}, c.script); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
