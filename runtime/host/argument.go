package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// octets reads an argument that stands for bytes: bytes, bytearray, memoryview, or str as UTF-8. The result is the caller's to keep:
// bytes of mutable objects are copied.
func octets(m *object.Machine, v object.Value, what string) ([]byte, *object.Exception) {
	if b, ok := v.AsBytes(); ok {
		return b.Data(), nil
	}
	if s, ok := v.AsStr(); ok {
		if s.HasSurrogate() >= 0 {
			return nil, m.ValueError("%s holds a lone surrogate", what)
		}
		if e := copies(m, len(s.String())); e != nil {
			return nil, e
		}
		return []byte(s.String()), nil
	}
	if b, ok := v.AsByteArray(); ok {
		if e := copies(m, len(b.Data())); e != nil {
			return nil, e
		}
		return append([]byte(nil), b.Data()...), nil
	}
	if v.Type().Name == "memoryview" {
		b, e := m.BytesLike(v)
		if e == nil {
			e = copies(m, len(b))
		}
		if e != nil {
			return nil, e
		}
		return append([]byte(nil), b...), nil
	}
	return nil, m.TypeError("%s must be bytes or str, not %s", what, v.Type().Name)
}

// copies takes the price of copying n bytes out of the machine, before they are: that of the memory they take.
//
// Spec: CIP-3 §2.2.1 (memory allocation is metered).
func copies(m *object.Machine, n int) *object.Exception {
	return m.Charge(n >> (m.Costs().ByteShift & 63))
}

// isOctets says whether octets would take v.
func isOctets(v object.Value) bool {
	if _, ok := v.AsBytes(); ok {
		return true
	}
	if _, ok := v.AsStr(); ok {
		return true
	}
	_, ok := v.AsByteArray()
	return ok || v.Type().Name == "memoryview"
}

// address reads an argument that stands for an address.
func (f *Invocation) address(m *object.Machine, v object.Value, what string) (account.Address, *object.Exception) {
	if !isOctets(v) {
		if made, e := m.LookupAttr(v, nameToBytes); e != nil {
			return account.Address{}, e
		} else if !made.IsZero() {
			raw, e := m.Call(made, object.Args{})
			if e != nil {
				return account.Address{}, e
			}
			v = raw
		}
	}
	if s, ok := v.AsStr(); ok {
		addr, err := account.ParseAddress(s.String())
		if err != nil {
			return addr, f.raise(m, raise(BadAddress, "%s is not 40 hexadecimal digits", what))
		}
		return addr, nil
	}
	raw, e := octets(m, v, what)
	if e != nil {
		return account.Address{}, e
	}
	if len(raw) != account.AddressSize {
		return account.Address{}, f.raise(m, raise(BadAddress, "%s has %d bytes, not 20", what, len(raw)))
	}
	return account.Address(raw), nil
}

// number reads a non-negative integer below 2^64.
func (f *Invocation) number(m *object.Machine, v object.Value, what string) (uint64, *object.Exception) {
	i, ok := v.AsInt()
	if !ok {
		return 0, m.TypeError("%s must be int, not %s", what, v.Type().Name)
	}
	n := i.BigInt()
	if !n.IsUint64() {
		return 0, f.raise(m, raise(InvalidArgument, "%s is outside 0 to 2^64-1", what))
	}
	return n.Uint64(), nil
}

// coins reads an amount of base units, zero where the argument is missing. A bool is a mistake, not an amount.
func (f *Invocation) coins(m *object.Machine, v object.Value, what string) (unit.Amount, *object.Exception) {
	if v.IsZero() {
		return 0, nil
	}
	if v.IsBool() {
		return 0, m.TypeError("%s must be int, not bool", what)
	}
	n, e := f.number(m, v, what)
	return unit.Amount(n), e
}

// wide reads an integer from 0 to 2^128-1. A bool is a mistake, not an amount.
func (f *Invocation) wide(m *object.Machine, v object.Value, what string) (unit.Uint128, *object.Exception) {
	i, ok := v.AsInt()
	if !ok || v.IsBool() {
		return unit.Uint128{}, m.TypeError("%s must be int, not %s", what, v.Type().Name)
	}
	n, ok := unit.Uint128FromInt(i.BigInt())
	if !ok {
		return unit.Uint128{}, f.raise(m, raise(InvalidArgument, "%s is outside 0 to 2^128-1", what))
	}
	return n, nil
}

// optional is number for an argument that may be missing or None.
func (f *Invocation) optional(m *object.Machine, v object.Value, what string) (*uint64, *object.Exception) {
	if v.IsZero() || v.IsNone() {
		return nil, nil
	}
	n, e := f.number(m, v, what)
	return &n, e
}

// text reads a str, or bytes that are UTF-8.
func text(m *object.Machine, v object.Value, what string) (string, *object.Exception) {
	if s, ok := v.AsStr(); ok {
		return s.String(), nil
	}
	return "", m.TypeError("%s must be str, not %s", what, v.Type().Name)
}

func (f *Invocation) timerID(m *object.Machine, v object.Value) (timer.ID, *object.Exception) {
	raw, e := octets(m, v, "timer_id")
	if e != nil {
		return timer.ID{}, e
	}
	if len(raw) != len(timer.ID{}) {
		return timer.ID{}, f.raise(m, raise(InvalidArgument, "timer_id has %d bytes, not 32", len(raw)))
	}
	return timer.ID(raw), nil
}

func given(v object.Value) bool { return !v.IsZero() && !v.IsNone() }
