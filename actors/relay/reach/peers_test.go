package reach

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/account"
)

// Relays that were heard of are listed by their owners, page by page, each as it was last; when there are too many, whoever was not heard of for longest goes.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func TestPeersThatWereHeardOf(t *testing.T) {
	p := &Peers{}
	owner := func(n int) account.Address { return account.Address{byte(n >> 8), byte(n)} }
	for n := knownPeers; n > 0; n-- { // those with the highest numbers first
		p.Seen(&Relay{Owner: owner(n), Endpoint: "before:1"}, time.UnixMilli(int64(10_000-n)))
	}
	p.Seen(&Relay{Owner: owner(knownPeers), Endpoint: "after:1"}, time.UnixMilli(20_000))
	p.Seen(&Relay{Owner: owner(0)}, time.UnixMilli(30_000)) // in the place of the one before the last
	list, total := p.After(account.Address{}, 3)
	if total != knownPeers || len(list) != 3 || list[0].Owner != owner(1) {
		t.Errorf("%d in all, from %v on", total, list)
	}
	list, _ = p.After(owner(knownPeers-3), 9)
	if len(list) != 2 || list[0].Owner != owner(knownPeers-2) || list[1].Endpoint != "after:1" || list[1].SeenMs != 20_000 {
		t.Errorf("%+v", list)
	}
	if list, _ := p.After(owner(knownPeers), 9); len(list) != 0 {
		t.Errorf("behind the last: %+v", list)
	}
	var none *Peers
	none.Seen(&Relay{}, time.UnixMilli(1))
	if list, total := none.After(account.Address{}, 9); len(list) != 0 || total != 0 {
		t.Error("nobody remembers peers")
	}
}
