package govern

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Code is what a system actor runs: a native edition, which is compiled into the node, or a Python program that was uploaded.
//
// Spec: governance-staking B8.
type Code struct {
	Edition uint32      // of the native code, from 1 on; 0 for Python
	Hash    digest.Hash // of the Python source; zero for native code
}

// Native is the code of an edition.
func Native(edition uint32) Code { return Code{Edition: edition} }

// Python is the code of an uploaded program.
func Python(hash digest.Hash) Code { return Code{Hash: hash} }

// IsPython reports whether it is a Python program.
func (c Code) IsPython() bool { return c.Edition == 0 }

// String is "native edition 1", or "python 0x…".
func (c Code) String() string {
	if c.IsPython() {
		return "python " + c.Hash.String()
	}
	return fmt.Sprintf("native edition %d", c.Edition)
}

// Append appends the canonical encoding: 0 and an edition, or 1 and a hash.
func (c Code) Append(dst []byte) []byte {
	if c.IsPython() {
		return codec.AppendFixed(append(dst, 1), c.Hash[:])
	}
	return codec.AppendUint(append(dst, 0), uint64(c.Edition))
}

func readCode(r *codec.Reader) (c Code) {
	if r.Tag(2) == 1 {
		r.Into(c.Hash[:])
		return c
	}
	if c.Edition = r.Uint32(); c.Edition == 0 && r.Err() == nil {
		r.Fail(codec.ErrInvalid, 0)
	}
	return c
}

// DecodeCode reads what Append wrote. The error wraps ErrPayload.
func DecodeCode(data []byte) (Code, error) {
	r := codec.NewReader(data)
	c := readCode(r)
	if err := r.Finish(); err != nil {
		return c, fmt.Errorf("%w: code: %w", ErrPayload, err)
	}
	return c, nil
}

// Migration is what the new code does to the state of the old one before it takes its place. Zero cycles: nothing.
//
// Spec: governance-staking B8.
type Migration struct {
	Handler string      // of a Python program; "" of native code, which has one at most
	Cycles  unit.Cycles // it may use
}

// Pending is an upgrade whose height has not come.
type Pending struct {
	Code      Code
	At        unit.Height // first block that runs it
	Window    uint64      // blocks after At in which it can be rolled back; zero for a rollback
	Migration Migration
	Back      bool // it is a rollback
}

// Pointer says which code a system actor runs. One without a pointer runs its first native edition.
//
// Spec: governance-staking B8, B9 (actor_versions, rollback_slot, pending_upgrades).
type Pointer struct {
	Target   byte   // last byte of its address
	Upgrades uint64 // that took effect, rollbacks among them
	Active   Code
	Since    unit.Height // first block that ran it
	Quiet    unit.Height // block in which a migration ran: it answers nobody there
	// Former is the code before, which a rollback restores in blocks up to Until; zero: there is none.
	Former Code
	Until  unit.Height
	Next   *Pending // nil: none
}

// Pointers are those of a state, ascending by address.
type Pointers []Pointer

// first is the pointer of a system actor that was never upgraded.
func first(target byte) Pointer { return Pointer{Target: target, Active: Native(1)} }

// Of is the pointer of a system actor.
func (l Pointers) Of(addr account.Address) Pointer {
	target := addr[account.AddressSize-1]
	for _, p := range l {
		if p.Target == target {
			return p
		}
	}
	return first(target)
}

// Due are the upgrades whose height has come.
func (l Pointers) Due(height unit.Height) (list Pointers) {
	for _, p := range l {
		if p.Next != nil && p.Next.At <= height {
			list = append(list, p)
		}
	}
	return list
}

// uses reports whether a pointer has a program of its own.
func (l Pointers) uses(hash digest.Hash) bool {
	c := Python(hash)
	return slices.ContainsFunc(l, func(p Pointer) bool {
		return p.Active == c || p.Until != 0 && p.Former == c || p.Next != nil && p.Next.Code == c
	})
}

// Encode is the canonical encoding: a list of records of fields in their order.
// Spec: WP §2.5.
func (l Pointers) Encode() []byte {
	dst := codec.AppendLen(nil, len(l))
	for _, p := range l {
		dst = codec.AppendUint(codec.AppendU8(dst, p.Target), p.Upgrades)
		dst = codec.AppendUint(codec.AppendUint(p.Active.Append(dst), uint64(p.Since)), uint64(p.Quiet))
		dst = codec.AppendBool(dst, p.Until != 0)
		if p.Until != 0 {
			dst = codec.AppendUint(p.Former.Append(dst), uint64(p.Until))
		}
		dst = codec.AppendBool(dst, p.Next != nil)
		if n := p.Next; n != nil {
			dst = codec.AppendUint(codec.AppendUint(n.Code.Append(dst), uint64(n.At)), n.Window)
			dst = codec.AppendBool(n.Migration.append(dst), n.Back)
		}
	}
	return dst
}

// DecodePointers reads what Encode wrote, or gives a *codec.Error.
func DecodePointers(data []byte) (Pointers, error) {
	r := codec.NewReader(data)
	list := make(Pointers, r.Len(0, account.ReservedLimit, 8))
	for i := range list {
		p := &list[i]
		p.Target, p.Upgrades, p.Active = r.U8(), r.Uint(), readCode(r)
		p.Since, p.Quiet = unit.Height(r.Uint()), unit.Height(r.Uint())
		if r.Option() {
			if p.Former, p.Until = readCode(r), unit.Height(r.Uint()); p.Until == 0 && r.Err() == nil {
				r.Fail(codec.ErrInvalid, 0)
			}
		}
		if r.Option() {
			p.Next = &Pending{Code: readCode(r), At: unit.Height(r.Uint()), Window: r.Uint(), Migration: readMigration(r), Back: r.Bool()}
		}
		if r.Err() == nil && i > 0 && list[i-1].Target >= p.Target {
			r.Fail(codec.ErrOrder, uint64(i))
		}
	}
	return list, r.Finish()
}

func (m Migration) append(dst []byte) []byte {
	return codec.AppendUint(codec.AppendBytes(dst, []byte(m.Handler)), uint64(m.Cycles))
}

func readMigration(r *codec.Reader) Migration {
	return Migration{string(r.Bytes(params.MaxMigrationName)), unit.Cycles(r.Uint())}
}

// codesKey is not modified.
var codesKey = recordKey(keyCodes)

// LoadPointers reads the code pointers of a state. It is one lookup, of nothing where no system actor was ever upgraded.
func LoadPointers(r state.Reader) (Pointers, error) {
	raw, ok, err := r.Lookup(codesKey)
	if err != nil || !ok {
		return nil, err
	}
	return DecodePointers(raw)
}

// put writes a pointer in the place of the one its system actor has.
func (l Pointers) put(s state.Store, p Pointer) {
	at, found := slices.BinarySearchFunc(l, p.Target, func(q Pointer, target byte) int { return int(q.Target) - int(target) })
	next := slices.Clone(l)
	if found {
		next[at] = p
	} else {
		next = slices.Insert(next, at, p)
	}
	s.Set(codesKey, next.Encode())
}
