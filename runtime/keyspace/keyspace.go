package keyspace

import (
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// Claims lists the ranges of the core and of all chapters. The caller owns the slice.
//
// Spec: commonware §5.10.
func Claims() []account.Claim {
	list := slices.Concat(
		account.Claims(), fee.Claims(), params.Claims(), genesis.Claims(), mailbox.Claims(), entitle.Claims(), host.Claims(),
	)
	for _, c := range system.Chapters() {
		list = append(list, c.Claims...)
		for _, p := range c.Params {
			list = append(list, account.Claim{
				Chapter: string(c.Name), Holds: "parameters", Kind: account.KindStorage, Holder: account.One,
				Address: account.System(account.Governance), Suffix: p.Key, Exact: true,
			})
		}
	}
	return list
}

// Find is the claim that has a state key; ok is false for a key that no chapter claims.
func Find(key []byte) (c account.Claim, ok bool) {
	at := slices.IndexFunc(claims, func(c account.Claim) bool { return c.Has(key) })
	if at < 0 {
		return account.Claim{}, false
	}
	return claims[at], true
}

var claims = Claims()

// KeyError says that a block wrote a key that no chapter claims.
type KeyError struct{ Key []byte }

func (e *KeyError) Error() string {
	return fmt.Sprintf("keyspace: no chapter claims the key %x", e.Key)
}

// Check holds the keys that a block wrote against the claims; after is the state it made and still carries its delta. It gives a *KeyError; anything else
// is a delta that does not decode. It is for tests and tools.
//
// Spec: commonware §5.10.
func Check(after *state.Commit) error {
	delta := after.Delta()
	for i := range delta.Len() {
		op, err := after.Config().DecodeOperation(delta.Operation(i))
		if err != nil {
			return err
		}
		if _, ok := Find(op.Key); !ok && op.Kind != state.CommitFloor {
			return &KeyError{op.Key}
		}
	}
	return nil
}
