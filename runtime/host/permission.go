package host

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// admits reports whether the sender passes a handler's tags: the actor itself always, else any tag that matches.
//
// Spec: sdk §5.1.
func (f *Invocation) admits(m *object.Machine, tags *object.Tuple) (bool, *object.Exception) {
	if f.native || f.sentBy(f.self) {
		return true, nil
	}
	for _, tag := range tags.Items() {
		if s, ok := tag.AsStr(); ok {
			switch s.String() {
			case "public":
				return true, nil
			case "owner":
				owner, set, err := f.owner()
				if err != nil {
					return false, f.raise(m, err)
				}
				if set && f.sentBy(owner) {
					return true, nil
				}
			}
			continue // "self" was answered above
		}
		if b, ok := tag.AsBytes(); ok && len(b.Data()) == account.AddressSize && f.sentBy(account.Address(b.Data())) {
			return true, nil
		}
	}
	return false, nil
}
