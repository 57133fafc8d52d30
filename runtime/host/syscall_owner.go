package host

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// ownerCalls are the ownership runtime.
//
// Spec: sdk §12.
func ownerCalls() []entry {
	return []entry{
		{"get_owner", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			owner, set, err := f.Owner()
			if err != nil {
				return object.Value{}, f.raise(m, err)
			}
			if !set {
				return m.Bytes(nil), nil
			}
			return addressBytes(m, owner), nil
		}},
		{"transfer_ownership", "new_owner", func(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
			to, e := f.address(m, a.Arg(0), "new_owner")
			if e != nil {
				return object.Value{}, e
			}
			if to.IsZero() {
				return object.Value{}, m.ValueError("the zero address cannot own an actor; see renounce_ownership")
			}
			return none(f.TransferOwnership(to), f, m)
		}},
		{"renounce_ownership", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			return none(f.RenounceOwnership(), f, m)
		}},
		{"assume_ownership_if_unowned", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			owner, err := f.AssumeOwnership()
			if err != nil {
				return object.Value{}, f.raise(m, err)
			}
			return addressBytes(m, owner), nil
		}},
		{"is_initialized", "", func(f *Invocation, m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
			if err := f.charge(uint64(f.costs().StorageRead), 0); err != nil {
				return object.Value{}, f.raise(m, err)
			}
			done, err := f.initialized()
			if err != nil {
				return object.Value{}, f.raise(m, err)
			}
			return object.Bool(done), nil
		}},
	}
}
