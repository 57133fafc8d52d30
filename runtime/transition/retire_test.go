package transition

import (
	"encoding/binary"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/entitlement"
)

// More actors hold a removed entitlement than a block looks at: the first are announced in the block of the removal, the others in the blocks after
// it, each once and in the order of their addresses; those that do not hold it are not named.
//
// Spec: ENT §9.11 (ActorNonExecutable at the block of removal).
func TestAnnounceRetired(t *testing.T) {
	const actors = 2*retireEntries + 10
	c := newChain(t, nil)
	overlay := c.tip.State.Overlay()
	for i := range actors {
		text := `[{"id":"storage.kv","params":{"max_bytes":9}}]`
		if i%4 == 3 {
			text = `[{"id":"econ.hold_balance"}]`
		}
		m, err := entitlement.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		overlay.Set(entitlement.Key(numbered(i)), m.Encode())
	}
	overlay.Set(account.Key(account.KindActorMeta, numbered(0), 'c'), make([]byte, 8)) // a counter is no manifest
	governed := params.Genesis()
	governed.Administrators = []account.Address{admin}
	governed.Entitlements.Deprecated = []params.Deprecation{{ID: entitlement.KV, From: 1, Until: 2}}
	governed.Save(overlay)
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	header := *c.tip.Header
	header.StateRoot = commit.Root()
	c.tip = Parent{Header: &header, State: commit}

	var named []account.Address
	var perBlock []int
	for range 7 {
		r := c.mine()
		count := 0
		for _, x := range r.Receipts {
			for _, e := range x.Events {
				if string(e.Topic) == entitlement.TopicNonExecutable && string(e.Data) == entitlement.KV && x.Kind == block.System {
					named, count = append(named, e.Actor), count+1
				}
			}
		}
		perBlock = append(perBlock, count)
	}
	// Blocks 1 and 2 are the window. Three quarters of 2,048 entries hold the entitlement; the counter of actor 0 takes one place of the first.
	if perBlock[0] != 0 || perBlock[1] != 0 || perBlock[2] != 3*retireEntries/4 || perBlock[5] != 0 || perBlock[6] != 0 {
		t.Errorf("announced by block: %v", perBlock)
	}
	at := 0
	for i := range actors {
		if i%4 == 3 {
			continue
		}
		if at >= len(named) || named[at] != numbered(i) {
			t.Fatalf("the announcement %d is not of actor %d", at, i)
		}
		at++
	}
	if at != len(named) {
		t.Errorf("%d announcements, want %d", len(named), at)
	}
	if _, searching, _ := c.tip.State.Lookup(retireKey(entitlement.KV)); searching {
		t.Error("the search goes on")
	}
}

func numbered(i int) (a account.Address) {
	a[0] = 0xdd
	binary.BigEndian.PutUint32(a[16:], uint32(i))
	return a
}
