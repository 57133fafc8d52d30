package entitle

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Topics of the events about entitlements that go out of use. Spec: ENT §9.11.
const (
	TopicDeprecated    = "EntitlementDeprecated"
	TopicNonExecutable = "ActorNonExecutable"
	TopicConfig        = "entitlement_config.updated"
)

// Key is where an actor's manifest lives in state, in its canonical form; absent for an actor deployed without one.
//
// Spec: ENT §5.
func Key(actor account.Address) []byte { return account.Key(account.KindActorMeta, actor) }

// Removed gives the first entitlement of a manifest that the registry has lost at a height: its actor does not execute.
//
// Spec: ENT §9.11 (removal, non-executable state).
func (m *Manifest) Removed(c *params.EntitlementConfig, height unit.Height) (id string, ok bool) {
	for i := range m.Grants {
		if c.Removed(m.Grants[i].ID, height) {
			return m.Grants[i].ID, true
		}
	}
	return "", false
}

// EventDeprecated is the data of TopicDeprecated: the actor, the height from which on the entitlement is removed, its identifier.
func EventDeprecated(actor account.Address, d *params.Deprecation) []byte {
	out := codec.AppendUint(append(make([]byte, 0, 64), actor[:]...), uint64(d.Until)+1)
	return codec.AppendBytes(out, []byte(d.ID))
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	return []account.Claim{
		{Chapter: "entitle", Holds: "manifests", Kind: account.KindActorMeta, Holder: account.Somebody, Exact: true},
	}
}
