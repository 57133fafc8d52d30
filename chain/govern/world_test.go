package govern_test

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const (
	chainID = 7
	purse   = 1_000_000 * unit.CBY // of everybody at the beginning
	held    = 50_000 * unit.CBY    // by the treasury at the beginning
)

// The keys of two groups of tiers 0 and 3 that take one byte; the second takes none but 1 once the world says so.
const (
	keyZero  = "test:zero"
	keyThree = "test:three"
)

// world is governance with the people around it.
type world struct {
	t       testing.TB
	overlay *state.Overlay
	config  params.GovernanceConfig
	height  unit.Height
	burned  unit.Amount
	council []*sig.PrivateKey
	closed  bool // the groups take no value any more
}

func addr(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

var (
	nine     = account.System(account.Governance)
	treasury = account.System(account.Treasury)
	bank     = account.System(account.Bank)
	voting   = digest.Hash{1}
)

// newWorld has Active validators 1…n with the given stakes, and everybody up to 30 with a purse. An hour is a block.
func newWorld(t testing.TB, stakes ...unit.Amount) *world {
	t.Helper()
	w := &world{t: t, overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(), height: 1, council: genesis.DevCouncil()}
	w.config = params.Genesis().Governance
	w.config.HourBlocks = 1
	var founders []stake.Founder
	for i, s := range stakes {
		founders = append(founders, stake.Founder{Address: addr(byte(i + 1)), Key: sig.BLSPublicKey{byte(i + 1)}, Stake: s})
		w.give(nine, s)
	}
	stake.Found(w.overlay, founders, nil)
	var members []account.Address
	for _, k := range w.council {
		members = append(members, k.Address())
	}
	govern.Found(w.overlay, members)
	for n := byte(1); n <= 30; n++ {
		w.give(addr(n), purse)
	}
	w.give(treasury, held)
	return w
}

func (w *world) give(to account.Address, amount unit.Amount) {
	w.t.Helper()
	w.must(account.Credit(w.overlay, to, amount))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

func (w *world) escrow() unit.Amount {
	w.t.Helper()
	e, err := govern.Escrow(w.overlay)
	w.must(err)
	return e
}

func (w *world) registry() *govern.Registry {
	return &govern.Registry{
		State: w.overlay, ChainID: chainID, Config: &w.config, Height: w.height, Recoverer: sig.Pure{}, Tx: digest.Hash{9},
		Group: func(key string) (govern.Group, bool) {
			check := func(value []byte) error {
				if len(value) != 1 || w.closed {
					return params.ErrInvalid
				}
				return nil
			}
			switch key {
			case keyZero:
				return govern.Group{Check: check}, true
			case keyThree:
				return govern.Group{Tier: 3, Check: check}, true
			}
			return govern.Group{}, false
		},
	}
}

// do runs a rule as a turn does: what it writes before a reject is undone.
func (w *world) do(rule func(h *govern.Registry) error) error {
	w.t.Helper()
	mark := w.overlay.Mark()
	h := w.registry()
	err := rule(h)
	if err != nil {
		w.overlay.Revert(mark)
		return err
	}
	w.burned += h.Burned
	return nil
}

// next ends the present block and begins the next one.
func (w *world) next() {
	w.t.Helper()
	h := w.registry()
	w.must(h.Close())
	w.burned += h.Burned
	w.height++
}

// to ends blocks until the present one has a height.
func (w *world) to(height unit.Height) {
	w.t.Helper()
	for w.height < height {
		w.next()
	}
}

// submit pays the deposit as a transaction does, and submits.
func (w *world) submit(by account.Address, m govern.Submission) (id uint64, err error) {
	w.t.Helper()
	err = w.do(func(h *govern.Registry) (err error) {
		if err = account.Move(w.overlay, by, nine, m.Deposit); err == nil {
			id, err = h.Submit(by, m)
		}
		return err
	})
	return id, err
}

func (w *world) submission(tier uint8, p govern.Payload) govern.Submission {
	return govern.Submission{Tier: tier, Title: voting, Payload: govern.EncodePayload(p), Deposit: w.config.Tiers[tier].Deposit}
}

// propose submits what is valid.
func (w *world) propose(by account.Address, tier uint8, p govern.Payload) uint64 {
	w.t.Helper()
	id, err := w.submit(by, w.submission(tier, p))
	w.must(err)
	return id
}

func (w *world) vote(by byte, id uint64, c govern.Choice) error {
	w.t.Helper()
	return w.do(func(h *govern.Registry) error { return h.CastVote(addr(by), id, c) })
}

func (w *world) votes(id uint64, c govern.Choice, by ...byte) {
	w.t.Helper()
	for _, n := range by {
		w.must(w.vote(n, id, c))
	}
}

func (w *world) execute(id uint64) error {
	w.t.Helper()
	return w.do(func(h *govern.Registry) error { return h.Execute(id) })
}

func (w *world) withdraw(by account.Address, id uint64) error {
	w.t.Helper()
	return w.do(func(h *govern.Registry) error { return h.Withdraw(by, id) })
}

// sign has members of the council sign an act as its next.
func (w *world) sign(act []byte, members ...int) (nonce uint64, list []sig.Signature) {
	w.t.Helper()
	c, ok, err := govern.LoadCouncil(w.overlay)
	w.must(err)
	if !ok {
		w.t.Fatal("no council")
	}
	hash := govern.Digest(chainID, c.Rotation, c.Nonce, act)
	for _, i := range members {
		list = append(list, w.council[i].Sign(hash))
	}
	return c.Nonce, list
}

func seven() []int { return []int{0, 1, 2, 3, 5, 7, 8} }

func (w *world) cancel(id uint64, members ...int) error {
	w.t.Helper()
	nonce, list := w.sign(govern.CancelAct(id), members...)
	return w.do(func(h *govern.Registry) error { return h.Cancel(id, nonce, list) })
}

func (w *world) pause(target account.Address, members ...int) error {
	w.t.Helper()
	nonce, list := w.sign(govern.PauseAct(target), members...)
	return w.do(func(h *govern.Registry) error { return h.Pause(target, nonce, list) })
}

func (w *world) load(id uint64) *govern.Proposal {
	w.t.Helper()
	p, err := govern.Load(w.overlay, id)
	w.must(err)
	return p
}

// is fails unless a proposal has a status.
func (w *world) is(id uint64, want govern.Status) {
	w.t.Helper()
	if p := w.load(id); p.Status != want {
		w.t.Fatalf("height %d: proposal %d is %v, want %v: %+v", w.height, id, p.Status, want, p)
	}
}

// queued takes a proposal that everybody of the list says yes to until it is queued.
func (w *world) queued(id uint64, by ...byte) {
	w.t.Helper()
	for _, phase := range []govern.Status{govern.TempCheck, govern.Voting} {
		if w.load(id).Status == phase {
			w.votes(id, govern.Yes, by...)
			w.to(w.load(id).Deadline + 1)
		}
	}
	w.is(id, govern.Queued)
}

func (w *world) paused(target account.Address) bool {
	w.t.Helper()
	_, yes, err := govern.Paused(w.overlay, target, w.height)
	w.must(err)
	return yes
}

// refused fails unless an error is of a class.
func (w *world) refused(what string, err, class error) {
	w.t.Helper()
	if !errors.Is(err, class) {
		w.t.Errorf("height %d: %s: %v, want %v", w.height, what, err, class)
	}
}

func zero(v byte) govern.Payload  { return &govern.ParamUpdate{Key: keyZero, Value: []byte{v}} }
func three(v byte) govern.Payload { return &govern.ParamUpdate{Key: keyThree, Value: []byte{v}} }
