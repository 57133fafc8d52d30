package transition

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
)

// Bounds of the manifests a block looks at for what a removed entitlement does to their actors. That an actor does not execute needs no such
// search: it holds from the block of the removal on, by the actor's own manifest. What the search makes is the event.
const (
	retireEntries = 2_048
	retireBytes   = 512 << 10
)

// retireDomain separates the identities of the receipts that announce non-executable actors.
const retireDomain = "cowboy-non-executable-actors:"

// retireKey is where the search for the actors that hold a removed entitlement has got to: the last state key it looked at.
func retireKey(id string) []byte {
	return account.KeyString(account.KindChain, account.System(account.Entitlements), "retire:"+id)
}

// announceRetired announces the actors that do not execute any more, from the block of a removal on, in the order of their addresses, as many as a block may
// look at.
//
// Spec: ENT §9.11 (ActorNonExecutable at the block of removal).
func (s *State) announceRetired() error {
	entries, size := 0, 0
	var events []block.Event
	for _, d := range s.block.Params.Entitlements.Deprecated {
		if s.header.Height <= d.Until {
			continue
		}
		key := retireKey(d.ID)
		after, searching, err := s.overlay.Lookup(key)
		if err != nil {
			return err
		}
		if !searching && s.header.Height != d.Until+1 {
			continue
		}
		done, broken := true, error(nil)
		err = s.overlay.Scan(account.KindPrefix(account.KindActorMeta), after, 0, func(at, value []byte) bool {
			if entries >= retireEntries || size >= retireBytes {
				done = false
				return false
			}
			entries, size = entries+1, size+len(value)
			after = append([]byte(nil), at...)
			_, actor, suffix, _ := account.SplitKey(at)
			if len(suffix) > 0 {
				return true // a counter of the actor
			}
			m, err := entitlement.Parse(value)
			if err != nil {
				broken = err
				return false
			}
			if _, holds := m.Grant(d.ID); holds {
				events = append(events, block.Event{Actor: actor, Topic: []byte(entitlement.TopicNonExecutable), Data: []byte(d.ID)})
			}
			return true
		})
		switch {
		case err != nil:
			return err
		case broken != nil:
			return broken
		case done:
			if searching {
				s.overlay.Delete(key)
			}
		default:
			s.overlay.Set(key, after)
		}
	}
	if len(events) > 0 {
		id := digest.Keccak256([]byte(retireDomain), binary.BigEndian.AppendUint64(nil, uint64(s.header.Height)))
		s.record(&block.Receipt{Kind: block.System, ID: id, Target: account.System(account.Entitlements), Events: events})
	}
	return nil
}
