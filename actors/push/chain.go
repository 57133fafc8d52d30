package push

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// Chain is the newest final state, as far as it concerns runners. An error means that our machine failed.
type Chain interface {
	Height() uint64
	// Set lists the voting keys of the validators of the next block, ascending.
	Set() ([]sig.BLSPublicKey, error)
	// Registered reports whether somebody is a runner.
	Registered(runner account.Address) (bool, error)
	// Open lists jobs that a runner is selected for, at most most of them.
	Open(runner account.Address, most int) ([]digest.Hash, error)
	// Stand tells where a job stands, and whether a runner has committed itself.
	Stand(id digest.Hash, runner account.Address) (Stand, error)
	// Spec is a job's specification in its canonical encoding; nil where it is not kept any more.
	Spec(id digest.Hash) ([]byte, error)
}

// Stand is where a job stands.
type Stand struct {
	Status    market.Status
	Known     bool
	Committed bool
	Assigned  uint64 // the block of the draw
	Deadline  uint64 // the last block commitments are taken in
}

// tip is the Chain of a node.
type tip struct {
	at       *ledger.Tip
	calendar params.Calendar
}

// Tip gives the newest final state of a node.
func Tip(l *ledger.Handle, calendar params.Calendar) func() Chain {
	return func() Chain { return tip{l.Tip(), calendar} }
}

// Height implements Chain.
func (t tip) Height() uint64 { return uint64(t.at.Header.Height) }

// Set implements Chain. A chain without a registry has no validators.
func (t tip) Set() (list []sig.BLSPublicKey, err error) {
	set, err := stake.SetAt(t.at.State, t.calendar.Epoch(t.at.Header.Height+1))
	if errors.Is(err, stake.ErrNoEpoch) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	for _, m := range set.Members {
		list = append(list, m.Key)
	}
	return list, nil
}

// Registered implements Chain.
func (t tip) Registered(addr account.Address) (bool, error) {
	_, ok, err := runner.Load(t.at.State, addr)
	return ok, err
}

// Open implements Chain.
func (t tip) Open(addr account.Address, most int) ([]digest.Hash, error) {
	return market.ByRunner(t.at.State, addr, digest.Hash{}, most)
}

// Stand implements Chain.
func (t tip) Stand(id digest.Hash, addr account.Address) (s Stand, err error) {
	j, err := market.Load(t.at.State, id)
	if err != nil || j == nil {
		return s, err
	}
	c, err := market.LoadCommitment(t.at.State, id, addr)
	return Stand{j.Status, true, c != nil, uint64(j.Assigned), uint64(j.Deadline)}, err
}

// Spec implements Chain.
func (t tip) Spec(id digest.Hash) ([]byte, error) {
	spec, err := market.LoadSpec(t.at.State, id)
	if err != nil || spec == nil {
		return nil, err
	}
	return spec.Append(nil), nil
}
