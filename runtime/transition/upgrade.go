package transition

import (
	"encoding/binary"
	"math"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// upgradeDomain separates the identities of the receipts of upgrades.
const upgradeDomain = "cowboy-upgrade:"

// upgrade switches the code of the system actors whose upgrade is due and has no migration. One that has is left for its turn, before anything else of the
// block. A native edition that this program is without is a failure of this machine.
//
// Spec: governance-staking B8 (activation_block).
func (s *State) upgrade() error {
	s.migrating = nil
	codes, err := govern.LoadPointers(s.overlay)
	if err != nil {
		return err
	}
	height := s.header.Height
	for _, p := range codes.Due(height) {
		if addr := account.System(p.Target); !system.Knows(addr, p.Next.Code) {
			return &system.LackingError{Address: addr, Edition: p.Next.Code.Edition, Height: height}
		}
		if p.Next.Migration.Cycles > 0 {
			s.migrating = append(s.migrating, p)
			continue
		}
		events, err := govern.Settle(s.overlay, p.Target, height, nil)
		if err != nil {
			return err
		}
		s.record(s.upgraded(p.Target, events))
	}
	if len(s.migrating) > 0 {
		return nil
	}
	return s.launch()
}

// launch lets the chapters begin the block and starts the drain, once the block's upgrades of system actors are over.
func (s *State) launch() error {
	if err := s.codes(); err != nil {
		return err
	}
	burned, err := s.chapters(system.Begin)
	if err != nil {
		return err
	}
	if s.burned, err = s.burned.Add(burned); err != nil {
		return err
	}
	s.drain, s.fresh = drain.State{}, &drain.Fresh{}
	s.effect = s.drain.Step(s.start)
	return nil
}

// codes has the block's turns run the code that the pointers of the state name.
func (s *State) codes() error {
	codes, err := govern.LoadPointers(s.overlay)
	if err != nil {
		return err
	}
	version, err := system.Under(s.version, codes, s.header.Height)
	if err != nil {
		return err
	}
	next := *s.block
	next.Codes, next.Protocol = codes, version
	s.block = &next
	return nil
}

// upgraded is the receipt of an upgrade.
func (s *State) upgraded(target byte, events []block.Event) *block.Receipt {
	return &block.Receipt{Kind: block.System, ID: s.upgradeID(target), Target: account.System(account.Governance), Events: events}
}

func (s *State) upgradeID(target byte) digest.Hash {
	return digest.Keccak256([]byte(upgradeDomain), binary.BigEndian.AppendUint64(nil, uint64(s.header.Height)), []byte{target})
}

// migration gives the turn of the next migration out. Its target answers nobody from now on to the end of the block. What it uses is nobody's and no part of
// the block's use; it may leave no work for later, since nobody would pay for that.
//
// Spec: governance-staking B8 (the target is quiet; a limit of gas).
func (s *State) migration() (*drain.Turn, error) {
	p := s.migrating[0]
	if err := govern.Begun(s.overlay, p.Target, s.header.Height); err != nil {
		return nil, err
	}
	if err := s.codes(); err != nil {
		return nil, err
	}
	id := s.upgradeID(p.Target)
	turn := &drain.Turn{
		Number: math.MaxUint32, Kind: block.System, Native: true, Target: account.System(p.Target), Sender: account.System(account.Governance),
		ID: id, TxHash: id, Origin: id, Limit: fee.Use{Cycles: p.Next.Migration.Cycles, Cells: params.MaxTxCells},
		Fanout: params.FanoutPerTx, Sent: params.SendsPerBlock, Payload: drain.Payload{Handler: p.Next.Migration.Handler},
		Block: s.block, Overlay: s.overlay, Migration: p.Next,
	}
	s.running = &running{turn: turn, number: turn.Number, mark: s.overlay.Mark(), receipt: s.upgraded(p.Target, nil)}
	return turn, nil
}

// migrated ends a migration: the code is switched, or the upgrade is over with nothing changed.
//
// Spec: governance-staking B8 (failure undoes the whole upgrade).
func (s *State) migrated(r *running, o *drain.Outcome) error {
	if o.Fault == nil && o.Enqueued > 0 {
		o.Fault = &block.Fault{Code: drain.FaultForbidden}
	}
	end := govern.Migrated{Used: min(o.Used.Cycles, r.turn.Limit.Cycles)}
	if o.Fault != nil {
		s.overlay.Revert(r.mark)
		end.Fault = o.Fault.Code
		o.Events, o.Burned, o.Sums, o.Flows = nil, 0, nil, nil
	}
	target := r.turn.Target[account.AddressSize-1]
	events, err := govern.Settle(s.overlay, target, s.header.Height, &end)
	if err != nil {
		return err
	}
	if s.burned, err = s.burned.Add(o.Burned); err != nil {
		return err
	}
	s.addSums(o.Sums)
	s.note(r, o)
	r.receipt.Events = append(o.Events, events...)
	s.record(r.receipt)
	if s.migrating = s.migrating[1:]; len(s.migrating) > 0 {
		return nil
	}
	return s.launch()
}
