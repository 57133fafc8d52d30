package roster

import (
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

func anybody(*Peer[int]) bool { return true }

func some(ids ...byte) *Roster[int] {
	r := &Roster[int]{}
	for _, id := range ids {
		r.Add(link.Peer{id}, 0)
	}
	return r
}

// Peers are listed by identity, whatever the order in which they come, and each once.
func TestPeersAreListedByIdentity(t *testing.T) {
	r := some(7, 2, 9, 2)
	if got := r.IDs(anybody); !slices.Equal(got, []link.Peer{{2}, {7}, {9}}) {
		t.Errorf("%v", got)
	}
	if r.Add(link.Peer{7}, 5) || r.Of(link.Peer{7}).Role != 0 {
		t.Error("a peer that is connected is added again")
	}
	r.Remove(link.Peer{7})
	r.Remove(link.Peer{8})
	if got := r.IDs(anybody); !slices.Equal(got, []link.Peer{{2}, {9}}) || r.Of(link.Peer{7}) != nil || len(r.All()) != 2 {
		t.Errorf("after one has gone: %v", got)
	}
	if !r.Add(link.Peer{7}, 5) || r.Of(link.Peer{7}).Role != 5 {
		t.Error("a peer that comes back is not added")
	}
}

// A peer is served 64 requests a second and not one more; a second after the first of them it is served again.
// Spec: commonware §2.6.
func TestRequestsOfAPeerAreBounded(t *testing.T) {
	r := some(1, 2)
	p, start := r.Of(link.Peer{1}), time.Unix(1_000, 0)
	for i := range 64 {
		if !p.Allow(start.Add(time.Duration(i) * time.Millisecond)) {
			t.Fatalf("request %d is refused", i+1)
		}
	}
	if p.Allow(start.Add(time.Second - 1)) {
		t.Error("request 65 within a second is served")
	}
	if !r.Of(link.Peer{2}).Allow(start) {
		t.Error("another peer pays for it")
	}
	if !p.Allow(start.Add(time.Second)) {
		t.Error("a second later nothing is served")
	}
	r.Remove(p.ID)
	r.Add(p.ID, 0)
	if p = r.Of(p.ID); !p.Allow(start.Add(time.Second)) {
		t.Error("a new connection is refused its first request")
	}
}

// Those that suit are asked in turn, everybody if none does, and never the same peer twice in a row while there is another.
func TestPeersAreAskedInTurn(t *testing.T) {
	r := some(1, 2, 3, 4)
	even := func(p *Peer[int]) bool { return p.ID[0]%2 == 0 }
	asked := map[byte]int{}
	var last link.Peer
	for range 10 {
		p := r.Next(even)
		if p.ID == last {
			t.Fatalf("%v is asked twice in a row", p.ID)
		}
		last = p.ID
		asked[p.ID[0]]++
	}
	if asked[2] != 5 || asked[4] != 5 {
		t.Errorf("ten questions to peers 2 and 4: %v", asked)
	}
	clear(asked)
	for range 8 {
		asked[r.Next(func(*Peer[int]) bool { return false }).ID[0]]++
	}
	if asked[1] != 2 || asked[2] != 2 || asked[3] != 2 || asked[4] != 2 {
		t.Errorf("nobody suits: %v", asked)
	}
	if p := some().Next(anybody); p != nil {
		t.Errorf("without peers %v is asked", p.ID)
	}
}

// What introduces one node on one chain introduces no other.
// Spec: commonware §3.7.
func TestIntroductionsAreOfOneNodeAndChain(t *testing.T) {
	seen := map[string]bool{}
	for _, chain := range []uint64{1, 2} {
		for _, node := range []link.Peer{{1}, {2}} {
			seen[string(IntroductionPreimage(sig.NewNamespace(chain), node))] = true
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d of 4 are different", len(seen))
	}
}
