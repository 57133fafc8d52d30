package transition

import (
	"encoding/binary"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/params"
	seam "github.com/cowboyinc/cowboy-go/runtime/system/entitle"
)

// More actors hold removed entitlements than a block looks at: the first are announced in the block of the removal, the others in the blocks after
// it, one entitlement after the other, each actor once and in the order of the addresses.
//
// Spec: ENT §9.11 (ActorNonExecutable at the block of removal).
func TestAnnounceRetired(t *testing.T) {
	const actors = 2*seam.MaxEntries + 10
	c := newChain(t, nil)
	overlay := c.tip.State.Overlay()
	for i := range actors {
		text := `[{"id":"storage.kv","params":{"max_bytes":9}}]`
		if i%4 == 3 {
			text = `[{"id":"econ.hold_balance"}]`
		}
		m, err := entitle.Parse([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		overlay.Set(entitle.Key(numbered(i)), m.Encode())
	}
	overlay.Set(account.Key(account.KindActorMeta, numbered(0), 'c'), make([]byte, 8)) // a counter is no manifest
	governed := params.Genesis()
	governed.Administrators = []account.Address{admin}
	governed.Entitlements.Deprecated = []params.Deprecation{
		{ID: entitle.HoldBalance, From: 1, Until: 2}, {ID: entitle.KV, From: 1, Until: 2},
	}
	governed.Save(overlay)
	commit, err := overlay.Commit(0)
	if err != nil {
		t.Fatal(err)
	}
	header := *c.tip.Header
	header.StateRoot = commit.Root()
	c.tip = Parent{Header: &header, State: commit}

	named := map[string][]account.Address{}
	var perBlock []int
	for range 8 {
		count := 0
		for _, x := range c.mine().Receipts {
			for _, e := range x.Events {
				if string(e.Topic) == entitle.TopicNonExecutable && x.Kind == block.System {
					named[string(e.Data)], count = append(named[string(e.Data)], e.Actor), count+1
				}
			}
		}
		perBlock = append(perBlock, count)
	}
	// Blocks 1 and 2 are the window. Of the 2,048 entries that block 3 looks at, one is the counter of actor 0, and of the others every fourth holds
	// econ.hold_balance. Twice 4,107 entries take five blocks.
	if perBlock[0] != 0 || perBlock[1] != 0 || perBlock[2] != (seam.MaxEntries-1)/4 || perBlock[6] == 0 || perBlock[7] != 0 {
		t.Errorf("announced by block: %v", perBlock)
	}
	for id, holds := range map[string]func(int) bool{
		entitle.HoldBalance: func(i int) bool { return i%4 == 3 }, entitle.KV: func(i int) bool { return i%4 != 3 },
	} {
		t.Run(id, func(t *testing.T) {
			list := named[id]
			for i := range actors {
				if !holds(i) {
					continue
				}
				if len(list) == 0 || list[0] != numbered(i) {
					t.Fatalf("%s: the announcement of actor %d is missing or late", id, i)
				}
				list = list[1:]
			}
			if len(list) > 0 {
				t.Errorf("%s: %d announcements too many", id, len(list))
			}
			if _, searching, _ := c.tip.State.Lookup(account.KeyString(account.KindChain, account.System(account.Entitlements), "retire:"+id)); searching {
				t.Errorf("%s: the search goes on", id)
			}
		})
	}
}

func numbered(i int) (a account.Address) {
	a[0] = 0xdd
	binary.BigEndian.PutUint32(a[16:], uint32(i))
	return a
}
