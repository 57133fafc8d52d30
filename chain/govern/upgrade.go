package govern

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The topics of upgrades. Their data begins with the address of the system actor.
// Spec: governance-staking B8.
const (
	TopicScheduled  = "SystemActorUpgradeScheduled" // code, UInt height
	TopicUpgraded   = "SystemActorUpgraded"         // code, UInt last block of a rollback
	TopicMigrated   = "MigrationExecuted"           // UInt cycles
	TopicUnmigrated = "MigrationFailed"             // UInt fault code
	TopicRolledBack = "SystemActorRolledBack"       // code
	TopicRecalled   = "SystemActorUpgradeCancelled" // code
)

// SystemActorUpgrade gives a system actor other code from a height on: that at which the proposal could be executed first, and Delay.
//
// Spec: governance-staking B4, B8.
type SystemActorUpgrade struct {
	Target    account.Address
	Code      Code
	Delay     uint64 // blocks
	Window    uint64 // blocks after the activation in which it can be rolled back
	Migration Migration
}

// SystemActorRollback takes back an upgrade: one whose height has not come does not happen, another is undone from the next block on.
//
// Spec: governance-staking B8 (rollback_deadline).
type SystemActorRollback struct{ Target account.Address }

// Name implements Payload.
func (*SystemActorUpgrade) Name() string { return "SystemActorUpgrade" }

// Name implements Payload.
func (*SystemActorRollback) Name() string { return "SystemActorRollback" }

func (p *SystemActorUpgrade) append(dst []byte) []byte {
	dst = p.Code.Append(codec.AppendFixed(append(dst, tagUpgrade), p.Target[:]))
	return p.Migration.append(codec.AppendUint(codec.AppendUint(dst, p.Delay), p.Window))
}

func (p *SystemActorRollback) append(dst []byte) []byte {
	return codec.AppendFixed(append(dst, tagRollback), p.Target[:])
}

func readUpgrade(r *codec.Reader) Payload {
	p := new(SystemActorUpgrade)
	r.Into(p.Target[:])
	p.Code, p.Delay, p.Window = readCode(r), r.Uint(), r.Uint()
	p.Migration = readMigration(r)
	return p
}

func readRollback(r *codec.Reader) Payload {
	p := new(SystemActorRollback)
	r.Into(p.Target[:])
	return p
}

// Upgradable reports whether a system actor's code may be replaced: it is deployed, and it is not 0x09.
// Spec: governance-staking B8; WP §9.
func Upgradable(addr account.Address) bool {
	if addr == home() {
		return false
	}
	return slices.ContainsFunc(account.SystemTable(), func(e account.SystemEntry) bool { return e.Record && account.System(e.Number) == addr })
}

func refused(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrPayload}, args...)...)
}

// validUpgrade holds an upgrade to its preconditions. Which native editions a node has is no part of them: it is not the same on all nodes.
// Spec: governance-staking B8.
func (h *Registry) validUpgrade(p *SystemActorUpgrade) error {
	least, most := uint64(h.Config.Blocks(params.RollbackHours)), uint64(h.Config.Blocks(params.MaxUpgradeHours))
	m := p.Migration
	switch {
	case !Upgradable(p.Target):
		return refused("%v is no system actor whose code can be replaced", p.Target)
	case p.Delay > most:
		return refused("a delay of %d blocks, at most %d are allowed", p.Delay, most)
	case p.Window < least || p.Window > most:
		return refused("a window of %d blocks for the rollback, %d to %d are allowed", p.Window, least, most)
	case m.Cycles > params.MaxMigrationCycles:
		return refused("a migration of %d cycles, at most %d are allowed", m.Cycles, params.MaxMigrationCycles)
	case (m.Handler != "") != (m.Cycles > 0 && p.Code.IsPython()):
		return refused("a migration has cycles, and the name of a handler if the code is Python")
	}
	all, err := LoadPointers(h.State)
	if err != nil {
		return err
	}
	now := all.Of(p.Target)
	switch {
	case now.Next != nil:
		return refused("an upgrade of %v is scheduled for block %d", p.Target, now.Next.At)
	case now.Active == p.Code:
		return refused("%v runs %v", p.Target, p.Code)
	case !p.Code.IsPython():
		return nil
	}
	_, ok, err := LoadUpload(h.State, p.Code.Hash)
	if err == nil && !ok {
		err = refused("no program %v was uploaded", p.Code.Hash)
	}
	return err
}

// validRollback requires something to take back.
// Spec: governance-staking B8.
func (h *Registry) validRollback(p *SystemActorRollback) error {
	all, err := LoadPointers(h.State)
	if err != nil {
		return err
	}
	switch now := all.Of(p.Target); {
	case !Upgradable(p.Target):
		return refused("%v is no system actor whose code can be replaced", p.Target)
	case now.Next != nil && now.Next.Back:
		return refused("%v is rolled back in block %d", p.Target, now.Next.At)
	case now.Next != nil:
		return nil
	case now.Until == 0:
		return refused("%v has no upgrade to take back", p.Target)
	case h.Height > now.Until:
		return refused("the upgrade of %v could be taken back until block %d", p.Target, now.Until)
	}
	return nil
}

// applyUpgrade schedules an upgrade for the first block from its height on in which no other system actor's is due, so that a block has one migration at most.
// Spec: governance-staking B8 (activation_block).
func (h *Registry) applyUpgrade(p *SystemActorUpgrade) error {
	all, err := LoadPointers(h.State)
	if err != nil {
		return err
	}
	at := max(h.from+unit.Height(p.Delay), h.Height+1)
	for slices.ContainsFunc(all, func(q Pointer) bool { return q.Next != nil && q.Next.At == at }) {
		at++
	}
	next := all.Of(p.Target)
	next.Next = &Pending{Code: p.Code, At: at, Window: p.Window, Migration: p.Migration}
	all.put(h.State, next)
	h.emit(TopicScheduled, codec.AppendUint(p.Code.Append(codec.AppendFixed(nil, p.Target[:])), uint64(at)))
	return nil
}

// applyRollback takes back what validRollback found.
func (h *Registry) applyRollback(p *SystemActorRollback) error {
	all, err := LoadPointers(h.State)
	if err != nil {
		return err
	}
	next := all.Of(p.Target)
	if n := next.Next; n != nil {
		next.Next = nil
		all.put(h.State, next)
		h.emit(TopicRecalled, n.Code.Append(codec.AppendFixed(nil, p.Target[:])))
		return nil
	}
	next.Next = &Pending{Code: next.Former, At: h.Height + 1, Back: true}
	all.put(h.State, next)
	h.emit(TopicScheduled, codec.AppendUint(next.Former.Append(codec.AppendFixed(nil, p.Target[:])), uint64(h.Height+1)))
	return nil
}

// Direct applies an upgrade or a rollback for an administrator, from the block that says so on. Rejects: ErrPayload.
// Spec: governance-staking B10.
func (h *Registry) Direct(p Payload) error {
	h.from = h.Height
	return h.apply(p)
}

// Begun notes that the migration of a due upgrade runs in the block: until its end the system actor answers nobody.
// Spec: governance-staking B8 (the target is quiet).
func Begun(s state.Store, target byte, height unit.Height) error {
	all, err := LoadPointers(s)
	if err != nil {
		return err
	}
	next := all.Of(account.System(target))
	next.Quiet = height
	all.put(s, next)
	return nil
}

// Migrated is how the migration of an upgrade ended.
type Migrated struct {
	Used  unit.Cycles
	Fault uint16 // 0: it succeeded
}

// Settle ends a due upgrade: the pointer is switched, or the upgrade is dropped if its migration failed. m is nil for one that has none.
// Spec: governance-staking B8.
func Settle(s state.Store, target byte, height unit.Height, m *Migrated) (events []block.Event, err error) {
	all, err := LoadPointers(s)
	if err != nil {
		return nil, err
	}
	addr := account.System(target)
	p := all.Of(addr)
	n := p.Next
	emit := func(topic string, data []byte) {
		events = append(events, block.Event{Actor: home(), Topic: []byte(topic), Data: append(addr[:], data...)})
	}
	p.Next = nil
	switch {
	case m != nil && m.Fault != 0:
		all.put(s, p)
		emit(TopicUnmigrated, codec.AppendUint(nil, uint64(m.Fault)))
		return events, nil
	case m != nil:
		emit(TopicMigrated, codec.AppendUint(nil, uint64(m.Used)))
	}
	p.Upgrades++
	if n.Back {
		p.Active, p.Former, p.Until = n.Code, Code{}, 0
		emit(TopicRolledBack, n.Code.Append(nil))
	} else {
		p.Former, p.Active, p.Until = p.Active, n.Code, height+unit.Height(n.Window)
		emit(TopicUpgraded, codec.AppendUint(n.Code.Append(nil), uint64(p.Until)))
	}
	p.Since = height
	all.put(s, p)
	return events, nil
}
