package runner

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the Runner Registry during one block. Methods that return a reject may have written before they found it: the caller undoes the turn.
type Registry struct {
	State  state.Store
	Params *params.Params
	Height unit.Height // of the block
	Emit   func(topic string, data []byte)
	Looked int // tranches that settlements and slashes have looked at, for whoever bounds the work of a block
	// Look pays for so many tranches of a slash, in a turn; nil: the end of a block, which is bounded by Looked.
	Look func(tranches int) error
	// Index pays for so many changes of the lists of who can do what; nil: nobody pays.
	Index func(entries int) error
}

// Topics of the registry's events, all of 0x01. The data of each begins with the runner's address; numbers are UInt.
const (
	TopicRegistered = "runner.registered"   // stake
	TopicUpdated    = "runner.updated"      // stake: it declared itself anew
	TopicCard       = "runner.rate_card"    // max_job_value
	TopicFlagged    = "runner.flagged"      // rates that are outside of governance's bands, as the bits of their places in the card
	TopicHealth     = "runner.health"       // 1 it takes jobs again, 0 it is paused
	TopicLeaving    = "runner.deregistered" // first block its stake may be paid out in
	TopicReleased   = "runner.released"     // amount paid out: it is forgotten
	TopicSlashed    = "runner.slashed"      // amount taken ‖ of it burned
	TopicSuspended  = "runner.suspended"    // stake that is left
)

func (g *Registry) emit(topic string, addr account.Address, numbers ...uint64) {
	data := append([]byte(nil), addr[:]...)
	for _, n := range numbers {
		data = codec.AppendUint(data, n)
	}
	g.Emit(topic, data)
}

// load reads the record of a runner that has not deregistered.
func (g *Registry) load(addr account.Address) (*Runner, error) {
	r, ok, err := Load(g.State, addr)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, ErrUnknown
	case r.Status == Leaving:
		return nil, ErrLeaving
	}
	return r, nil
}

func (g *Registry) save(addr account.Address, r *Runner) { g.State.Set(stateKey(addr), r.Encode()) }

// declare keeps what a runner declares; before is what it declared, nil of a stranger.
func (g *Registry) declare(addr account.Address, before, d *Declaration) error {
	g.State.Set(declaredKey(addr), d.Encode())
	bands, err := LoadBands(g.State)
	if err != nil {
		return err
	}
	if places := bands.Outside(&d.Card); places != 0 {
		g.emit(TopicFlagged, addr, places)
	}
	return g.index(addr, before, d)
}

// Terms are what a runner registers with.
type Terms struct {
	Key          sig.CompressedKey
	Stake        unit.Amount // has been moved to the registry already
	Card         RateCard
	Capabilities Capabilities
	Endpoint     string
	Measurement  digest.Hash
}

// Register makes an account a runner, or replaces what a runner declares and adds to its stake. Rejects: ErrKey, ErrDeclaration, ErrStake, ErrCooldown,
// ErrLeaving.
//
// Spec: WP §5.2; runner-marketplace §2.5, §3 (2).
func (g *Registry) Register(from account.Address, t Terms) error {
	d := &Declaration{Card: t.Card, Capabilities: t.Capabilities, Endpoint: t.Endpoint, Measurement: t.Measurement, CardChanged: g.Height}
	if err := d.check(); err != nil {
		return err
	}
	r, err := g.load(from)
	if errors.Is(err, ErrUnknown) {
		return g.enter(from, d, t)
	}
	if err != nil {
		return err
	}
	return g.renew(from, r, d, t)
}

// enter registers a stranger.
func (g *Registry) enter(from account.Address, d *Declaration, t Terms) error {
	if owner, err := t.Key.Address(); err != nil || owner != from {
		return ErrKey
	}
	r := &Runner{
		Key: t.Key, Stake: t.Stake, Registered: g.Height, Heard: g.Height, Scored: g.Height, Reputation: ReputationOf(params.ReputationInitial),
	}
	if err := covers(r, d); err != nil {
		return err
	}
	g.save(from, r)
	g.emit(TopicRegistered, from, uint64(r.Stake))
	return g.declare(from, nil, d)
}

// renew takes the new declaration of a runner. Whoever was suspended returns with the reputation of a beginner at least.
//
// Spec: runner-marketplace §8 (return from jail: the median's tenth is at most 20 of 200, so that 50 is the larger).
func (g *Registry) renew(from account.Address, r *Runner, d *Declaration, t Terms) error {
	before, err := LoadDeclaration(g.State, from)
	if err != nil {
		return err
	}
	if t.Key != r.Key {
		return ErrKey
	}
	if before.Card.Same(&d.Card) {
		d.CardChanged = before.CardChanged
	} else if err := g.cooled(before); err != nil {
		return err
	}
	if r.Stake, err = r.Stake.Add(t.Stake); err != nil {
		return err
	}
	if err := covers(r, d); err != nil {
		return err
	}
	if r.Status == Suspended {
		r.Status, r.Heard = Active, g.Height
		r.Reputation = max(r.Reputation, ReputationOf(params.ReputationInitial))
	}
	g.save(from, r)
	g.emit(TopicUpdated, from, uint64(r.Stake))
	return g.declare(from, before, d)
}

// covers holds a stake against what is declared.
func covers(r *Runner, d *Declaration) error {
	if !r.Covers(d.Card.MaxJobValue) {
		return ErrStake
	}
	return nil
}

// cooled holds a change of a card against the change before it.
func (g *Registry) cooled(before *Declaration) error {
	if ready, err := before.CardChanged.Add(before.Card.cooldown()); err != nil || g.Height < ready {
		return ErrCooldown
	}
	return nil
}

// UpdateCard replaces a runner's rate card. Rejects: ErrUnknown, ErrLeaving, ErrDeclaration, ErrCooldown, ErrStake.
//
// Spec: runner-marketplace §2.5, §3 (3).
func (g *Registry) UpdateCard(from account.Address, card RateCard) error {
	r, err := g.load(from)
	if err != nil {
		return err
	}
	d, err := LoadDeclaration(g.State, from)
	if err != nil {
		return err
	}
	if err := g.cooled(d); err != nil {
		return err
	}
	before := *d
	d.Card, d.CardChanged = card, g.Height
	if err := d.check(); err != nil {
		return err
	}
	if err := covers(r, d); err != nil {
		return err
	}
	g.emit(TopicCard, from, uint64(card.MaxJobValue))
	return g.declare(from, &before, d)
}

// Heartbeat says that a runner is there, and whether it takes new jobs. Rejects: ErrUnknown, ErrLeaving, ErrSuspended.
//
// Spec: runner-marketplace §2.5 (Paused), §3 (4), §11.
func (g *Registry) Heartbeat(from account.Address, accepting bool) error {
	r, err := g.load(from)
	if err != nil {
		return err
	}
	if r.Status == Suspended {
		return ErrSuspended
	}
	before := r.Status
	r.Heard, r.Status = g.Height, Paused
	word := uint64(0)
	if accepting {
		r.Status, word = Active, 1
	}
	if before != r.Status {
		g.emit(TopicHealth, from, word)
	}
	g.save(from, r)
	return nil
}

// Deregister takes a runner out, and begins the unbonding of what is delegated to it. Its stake stays for the unbonding period, and longer while a job of it
// is open or may be challenged. Rejects: ErrUnknown, ErrLeaving.
//
// Spec: runner-marketplace §3 (5), §7 (unbonding exceeds the challenge window).
func (g *Registry) Deregister(from account.Address) error {
	r, err := g.load(from)
	if err != nil {
		return err
	}
	d, err := LoadDeclaration(g.State, from)
	if err != nil {
		return err
	}
	if err := g.index(from, d, nil); err != nil {
		return err
	}
	g.State.Delete(attestedKey(from))
	r.Status, r.Leaves = Leaving, max(g.Height+params.RunnerUnbondingBlocks, r.LockedUntil+1)
	g.State.Set(leavingKey(r.Leaves, from), nil)
	if err := g.unbondAll(from, r); err != nil {
		return err
	}
	g.save(from, r)
	g.emit(TopicLeaving, from, uint64(r.Leaves))
	return nil
}
