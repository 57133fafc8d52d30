package stake

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const chain = sig.Namespace("cowboy-test")

const minimum = params.MinimumValidatorStake // 50,000 CBY

// world is a registry with the people behind it.
type world struct {
	t testing.TB
	*Registry
	overlay *state.Overlay
	keys    map[account.Address]*bls.PrivateKey
	shares  map[account.Address]bls.Share // of the present key
	former  map[account.Address]bls.Share // of the one before, while a ceremony is under way
	burned  unit.Amount
}

func addr(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

func votingKey(t testing.TB, n byte) *bls.PrivateKey {
	t.Helper()
	h := digest.SHA256([]byte{n})
	h[0] &= 0x3f
	k, err := bls.ParsePrivateKey(h[:])
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// newWorld has founders 1…n with the given stakes, and people up to 20 with 1,000,000 CBY each.
func newWorld(t testing.TB, stakes ...unit.Amount) *world {
	t.Helper()
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay, keys: map[account.Address]*bls.PrivateKey{}, shares: map[account.Address]bls.Share{}}
	w.Registry = &Registry{State: overlay, Chain: chain, Params: params.Genesis(), Height: 1}
	var founders []Founder
	var total unit.Amount
	for i, s := range stakes {
		a := addr(byte(i + 1))
		w.keys[a] = votingKey(t, byte(i+1))
		founders = append(founders, Founder{a, w.keys[a].PublicKey().Bytes(), s})
		total += s
	}
	slices.SortFunc(founders, func(a, b Founder) int { return bytes.Compare(a.Key[:], b.Key[:]) })
	var coefficients [][]byte
	for i := range sig.Quorum(len(founders)) {
		coefficients = append(coefficients, votingKey(t, byte(100+i)).Bytes())
	}
	sharing, shares, err := bls.Deal(coefficients, uint32(len(founders)))
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range founders {
		w.shares[f.Address] = shares[i]
	}
	Found(overlay, founders, sharing.Append(nil))
	w.give(home(), total)
	for n := byte(1); n <= 20; n++ {
		w.give(addr(n), 1_000_000*unit.CBY)
		total += 1_000_000 * unit.CBY
	}
	fee.Supply{Genesis: total, YearBase: total}.Save(overlay)
	w.end()
	return w
}

func (w *world) give(to account.Address, amount unit.Amount) {
	w.t.Helper()
	if err := account.Credit(w.State, to, amount); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.State, of)
	if err != nil {
		w.t.Fatal(err)
	}
	return a.Balance
}

// pay moves value to the registry, as a transaction does before its turn.
func (w *world) pay(from account.Address, amount unit.Amount) {
	w.t.Helper()
	if err := account.Move(w.State, from, home(), amount); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) join(n byte, amount unit.Amount) account.Address {
	w.t.Helper()
	a := addr(n)
	w.keys[a] = votingKey(w.t, n)
	w.pay(a, amount)
	w.must(w.Register(a, w.keys[a].PublicKey().Bytes(), w.keys[a].ProvePossession(chain), amount))
	return a
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// supply checks that coins are conserved and gives the record.
func (w *world) supply() fee.Supply {
	w.t.Helper()
	s, err := fee.LoadSupply(w.overlay)
	w.must(err)
	total, err := s.Total()
	w.must(err)
	found, err := Owed(w.overlay)
	w.must(err)
	w.must(w.overlay.Scan(account.KindPrefix(account.KindAccount), nil, 0, func(_, value []byte) bool {
		a, err := account.Decode(value)
		w.must(err)
		found += a.Balance
		return true
	}))
	if found != total {
		w.t.Fatalf("height %d: %d found, %d recorded", w.Height, found, total)
	}
	return s
}

// mint adds inflation.
func (w *world) mint(amount unit.Amount) {
	w.t.Helper()
	s, err := fee.LoadSupply(w.overlay)
	w.must(err)
	s, err = s.Mint(amount)
	w.must(err)
	s.Save(w.overlay)
}

// end ends the block at the present height.
func (w *world) end() {
	w.t.Helper()
	h := &block.Header{Height: w.Height, Epoch: w.epoch(), ParentHash: digest.SHA256(fmt.Append(nil, w.Height))}
	if w.Height > 1 {
		h.ParentSeed = &sig.Seed{Round: sig.Round{Epoch: w.epoch()}, Signature: sig.BLSSignature{byte(w.Height), byte(w.Height >> 8)}}
	}
	burned, err := w.EndBlock(h)
	w.must(err)
	s, err := fee.LoadSupply(w.overlay)
	w.must(err)
	s, err = s.Burn(burned)
	w.must(err)
	s.Save(w.overlay)
	w.burned += burned
	w.supply()
}

// to ends the present epoch's midpoint block, if it lies ahead, and goes to a height of the epoch.
func (w *world) freezeBlock() {
	w.t.Helper()
	w.Height = w.Params.Calendar.Freeze(w.epoch())
	w.end()
	w.Height++
}

// boundary ends the epoch's last block and the next one's first.
func (w *world) boundary() {
	w.t.Helper()
	w.Height = w.Params.Calendar.Last(w.epoch())
	w.end()
	w.Height++
	w.end()
}

// carry ends an epoch without a ceremony.
func (w *world) carry() {
	w.t.Helper()
	w.freezeBlock()
	w.boundary()
}

// renew ends an epoch with a full ceremony.
func (w *world) renew() {
	w.t.Helper()
	w.freezeBlock()
	w.reshare()
	w.boundary()
}

// reshare plays the ceremony between the present members, but for the absent, and the list.
func (w *world) reshare(absent ...account.Address) {
	w.t.Helper()
	info, list, ok, err := Ceremony(w.overlay, chain, w.epoch())
	if err != nil || !ok {
		w.t.Fatalf("no ceremony: %v", err)
	}
	set, err := SetAt(w.overlay, w.epoch())
	w.must(err)
	var players []*beacon.Player
	for i, m := range list {
		p, err := beacon.NewPlayer(info, uint32(i), w.keys[m.Address])
		w.must(err)
		players = append(players, p)
	}
	for rank, m := range set.Members {
		if !slices.Contains(absent, m.Address) {
			w.must(w.Deal(m.Address, w.dealerLog(info, uint32(rank), m.Address, players)))
		}
	}
	logs, err := Logs(w.overlay)
	w.must(err)
	outcome, err := info.Finish(logs)
	if err != nil {
		return // the test's intention
	}
	w.former, w.shares = w.shares, map[account.Address]bls.Share{}
	for i, p := range players {
		share, err := p.Share(outcome)
		w.must(err)
		w.shares[list[i].Address] = share
	}
}

func (w *world) dealerLog(info *beacon.Info, rank uint32, of account.Address, players []*beacon.Player) []byte {
	w.t.Helper()
	d, err := beacon.NewDealer(info, rank, w.keys[of], w.shares[of].Key)
	w.must(err)
	for i, p := range players {
		deal, err := d.Deal(uint32(i))
		w.must(err)
		ack, err := p.Receive(deal)
		w.must(err)
		w.must(d.Acknowledge(ack))
	}
	log, err := d.Log()
	w.must(err)
	return log.Encode()
}

func (w *world) of(a account.Address) *Validator {
	w.t.Helper()
	v, ok, err := Load(w.overlay, a)
	if err != nil || !ok {
		w.t.Fatalf("no record of %v: %v", a, err)
	}
	return v
}

// wantSet fails unless the present set is exactly these accounts with these weights.
func (w *world) wantSet(want map[account.Address]unit.Amount) {
	w.t.Helper()
	set, err := SetAt(w.overlay, w.epoch())
	w.must(err)
	if len(set.Members) != len(want) {
		w.t.Errorf("height %d: %d members, want %d", w.Height, len(set.Members), len(want))
	}
	for i, m := range set.Members {
		if weight, ok := want[m.Address]; !ok || weight != m.Weight {
			w.t.Errorf("height %d: %v has weight %d, want %d (%v)", w.Height, m.Address, m.Weight, weight, ok)
		}
		if i > 0 && bytes.Compare(set.Members[i-1].Key[:], m.Key[:]) >= 0 {
			w.t.Errorf("height %d: members are not ascending by key", w.Height)
		}
	}
	keys, sharing, err := set.Keys(chain)
	w.must(err)
	if len(keys.Validators) != int(sharing.Total()) || sharing.Threshold() != sig.Quorum(len(want)) {
		w.t.Errorf("height %d: key shared by %d of %d for %d validators", w.Height, sharing.Threshold(), sharing.Total(), len(want))
	}
}
