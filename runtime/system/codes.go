package system

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// LackingError says that a system actor has native code from a height on that this program is without. It is a failure of this machine and no verdict on a
// block.
type LackingError struct {
	Address account.Address
	Edition uint32
	Height  unit.Height // first block that needs it, or the one that was to be executed
}

// Error implements error.
func (e *LackingError) Error() string {
	return fmt.Sprintf("block %d needs native edition %d of system actor %v, which this program does not have: start a newer one",
		e.Height, e.Edition, e.Address)
}

// Knows reports whether this program has the code of a system actor. All have every Python program and the first edition.
//
// Spec: governance-staking B8.
func Knows(addr account.Address, code govern.Code) bool {
	return code.IsPython() || code.Edition == 1 || edition(addr, code.Edition) != nil
}

// edition is a chapter that has its first home at an address, in a later edition.
func edition(addr account.Address, n uint32) *chapter.Chapter {
	at := slices.IndexFunc(every, func(c *chapter.Chapter) bool {
		return c.Edition == n && len(c.Homes) > 0 && account.System(c.Homes[0]) == addr
	})
	if at < 0 {
		return nil
	}
	return every[at]
}

// Lacking are the native editions that the pointers of a state need and this program does not have, those that are still to come among them.
//
// Spec: governance-staking B8.
func Lacking(codes govern.Pointers) (list []*LackingError) {
	for _, p := range codes {
		addr := account.System(p.Target)
		if !Knows(addr, p.Active) {
			list = append(list, &LackingError{addr, p.Active.Edition, p.Since})
		}
		if p.Next != nil && !Knows(addr, p.Next.Code) {
			list = append(list, &LackingError{addr, p.Next.Code.Edition, p.Next.At})
		}
	}
	return list
}

// Under is a version of the protocol with the native editions that governance has given system actors: each is that of the chapters whose first home the
// address is, with their instructions, handlers, syscalls and ends of a block. The error is a *LackingError.
//
// Spec: governance-staking B8.
func Under(v *protocol.Version, codes govern.Pointers, height unit.Height) (*protocol.Version, error) {
	var other []protocol.Edition
	for _, p := range codes {
		addr := account.System(p.Target)
		if p.Active.IsPython() || p.Active.Edition == 1 {
			continue
		}
		c := edition(addr, p.Active.Edition)
		if c == nil {
			return nil, &LackingError{addr, p.Active.Edition, height}
		}
		if _, runs := v.Edition(c.Name); runs {
			other = append(other, protocol.Edition{Chapter: c.Name, Number: c.Edition})
		}
	}
	if len(other) == 0 {
		return v, nil
	}
	next := *v
	next.Chapters = other
	for _, c := range newest(every) {
		n, runs := v.Edition(c.Name)
		if runs && !slices.ContainsFunc(other, func(e protocol.Edition) bool { return e.Chapter == c.Name }) {
			next.Chapters = append(next.Chapters, protocol.Edition{Chapter: c.Name, Number: n})
		}
	}
	return &next, nil
}

// Program is the Python program that a system actor runs in a block; ok is false for native code, and for any other address.
//
// Spec: governance-staking B8.
func Program(b *drain.Block, addr account.Address) (hash digest.Hash, ok bool) {
	if len(b.Codes) == 0 || !addr.IsReserved() {
		return hash, false
	}
	code := b.Codes.Of(addr).Active
	return code.Hash, code.IsPython()
}

// Runs is the Python program that a turn of a system actor runs: that of a migration, or for messages and Execute transactions the actor's own. Other
// instructions are formats of the wire, which no upgrade changes, and stay native.
//
// Spec: governance-staking B8.
func Runs(t *drain.Turn) (hash digest.Hash, ok bool) {
	if t.Migration != nil {
		return t.Migration.Code.Hash, t.Migration.Code.IsPython()
	}
	if in := t.Payload.Instruction; in != nil && in.Opcode() != tx.OpExecute {
		return hash, false
	}
	return Program(t.Block, t.Target)
}

// migrate runs the migration of a native edition.
//
// Spec: governance-staking B8.
func migrate(t *drain.Turn, call chapter.Caller) (drain.Outcome, error) {
	c := edition(t.Target, t.Migration.Code.Edition)
	if c == nil || c.Migrate == nil {
		return t.Failed(t.Limit, drain.FaultMissing, "this edition has no migration"), nil
	}
	e := chapter.NewEnv(c, t, call)
	return e.Outcome(nil, c.Migrate(e))
}

// Closed gives a reject for a system actor that answers nobody in the block: one that the circuit breaker paused, and one that was migrated in it. Whatever
// reaches a system actor asks, by whichever way it comes: instructions, messages and Execute transactions in Run, calls in Answer, syscalls in the host, and
// the host for the programs of those that run Python.
//
// Spec: governance-staking B7, B8.
func Closed(r state.Reader, addr account.Address, b *drain.Block) error {
	if !addr.IsReserved() || addr == account.System(account.Governance) {
		return nil
	}
	if len(b.Codes) > 0 && b.Codes.Of(addr).Quiet == b.Height {
		return chapter.Migrating(addr)
	}
	until, paused, err := govern.Paused(r, addr, b.Height)
	if err == nil && paused {
		err = chapter.Paused(addr, until)
	}
	return err
}
