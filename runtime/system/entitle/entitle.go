package entitle

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/grant"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// New gives the chapter.
//
// Spec: CIP-2 §7; entitlement-extras §5; ENT §9.11.
func New() *chapter.Chapter {
	return &chapter.Chapter{
		Name: tx.ChapterEntitle, Homes: []byte{account.Entitlements}, Domain: "cowboy-non-executable-actors:", End: announce,
		Instructions: instructions(), Syscalls: syscalls(), Faults: faults(), Params: append(domainSets(), regions()),
		Handlers: []chapter.Handler{{Name: HandlerUse, Ways: chapter.ByCall, Run: use}},
		Claims: append(grant.Claims(string(tx.ChapterEntitle)), account.Claim{
			Chapter: string(tx.ChapterEntitle), Holds: "where the search for actors that lose an entitlement has got to",
			Kind: account.KindChain, Holder: account.One, Address: account.System(account.Entitlements), Suffix: nameSearch,
		}),
	}
}

// domainSets are the curated sets of domains, a parameter each.
//
// Spec: entitlement-extras §2.3.
func domainSets() []chapter.Param {
	var list []chapter.Param
	for _, name := range entitle.SetNames() {
		hosts, _ := entitle.GenesisSets().Hosts(name)
		list = append(list, chapter.Param{
			Key: entitle.KeyDomainSet + name, Default: entitle.EncodeSet(hosts), Tier: 1, // a registry, governance-staking B3
			Check: func(value []byte) error { _, err := entitle.DecodeSet(value); return err },
		})
	}
	return list
}

// regions are the regions that actors ask for and runners provide.
//
// Spec: entitlement-extras §2.2.
func regions() chapter.Param {
	return chapter.Param{
		Key: entitle.KeyRegions, Default: entitle.EncodeSet(entitle.GenesisRegions()), Tier: 1, // a registry, governance-staking B3
		Check: func(value []byte) error { _, err := entitle.DecodeRegions(value); return err },
	}
}

// Bounds of the manifests a block looks at for what a removed entitlement does to their actors. That an actor does not execute needs no such
// search: it holds from the block of the removal on, by the actor's own manifest. What the search makes is the event.
const (
	MaxEntries = 2_048
	maxBytes   = 512 << 10
)

const nameSearch = "retire:"

// searchKey is where the search for the actors that hold a removed entitlement has got to: the last state key it looked at.
func searchKey(id string) []byte {
	return account.KeyString(account.KindChain, account.System(account.Entitlements), nameSearch+id)
}

// announce announces the actors that do not execute any more, from the block of a removal on, in the order of their addresses, as many as a block may
// look at.
//
// Spec: ENT §9.11 (ActorNonExecutable at the block of removal).
func announce(b *chapter.Boundary) error {
	s := search{b: b}
	for _, d := range b.Block.Params.Entitlements.Deprecated {
		if b.Block.Height <= d.Until {
			continue
		}
		if err := s.one(d.ID, b.Block.Height == d.Until+1); err != nil {
			return err
		}
	}
	return nil
}

// search is what a block has looked at.
type search struct {
	b             *chapter.Boundary
	entries, size int
}

// one goes on with the search for the holders of one entitlement, or begins it.
func (s *search) one(id string, begins bool) error {
	key := searchKey(id)
	after, searching, err := s.b.State.Lookup(key)
	if err != nil || !searching && !begins {
		return err
	}
	done, broken := true, error(nil)
	err = s.b.State.Scan(account.KindPrefix(account.KindActorMeta), after, 0, func(at, value []byte) bool {
		if s.entries >= MaxEntries || s.size >= maxBytes {
			done = false
			return false
		}
		s.entries, s.size = s.entries+1, s.size+len(value)
		after = append([]byte(nil), at...)
		_, actor, suffix, _ := account.SplitKey(at)
		if len(suffix) > 0 {
			return true // a counter of the actor
		}
		m, err := entitle.Parse(value)
		if err != nil {
			broken = err
			return false
		}
		if _, holds := m.Grant(id); holds {
			s.b.Events = append(s.b.Events, block.Event{Actor: actor, Topic: []byte(entitle.TopicNonExecutable), Data: []byte(id)})
		}
		return true
	})
	switch {
	case err != nil:
		return err
	case broken != nil:
		return broken
	case !done:
		s.b.State.Set(key, after)
	case searching:
		s.b.State.Delete(key)
	}
	return nil
}
