package door

import (
	"context"
	"errors"
	"net/netip"
	"testing"
)

func source(n byte) netip.Addr { return netip.AddrFrom4([4]byte{192, 0, 2, n}) }

// held counts what each source holds.
func (s *Shares) count(of ...byte) (list []int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range of {
		list = append(list, len(s.held[source(n)]))
	}
	return list
}

func equal(t *testing.T, what string, got []int, want ...int) {
	t.Helper()
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// TestPlacesAreShared: one source may have all places until others come; each then gets as many as the others, the oldest of whoever has most go first, and
// nobody takes anything of who has no more than one more.
func TestPlacesAreShared(t *testing.T) {
	s := NewShares(8, 0)
	var evicted []int
	for i := range 8 {
		if _, ok := s.Try(source(1), func() { evicted = append(evicted, i) }); !ok {
			t.Fatal(i)
		}
	}
	if _, ok := s.Try(source(1), nil); ok {
		t.Error("a ninth place")
	}
	for want := 1; want <= 4; want++ {
		if _, ok := s.Try(source(2), func() { t.Error("evicted") }); !ok {
			t.Fatal("no place for another source")
		}
		equal(t, "both", s.count(1, 2), 8-want, want)
	}
	if _, ok := s.Try(source(2), nil); ok {
		t.Error("a source has more than its half")
	}
	equal(t, "who had to go", evicted, 0, 1, 2, 3)
	if s.Taken() != 8 {
		t.Error(s.Taken())
	}
}

// TestPlacesThatAreKept: what is kept is not taken away, and what one source may have at most holds with free places too.
func TestPlacesThatAreKept(t *testing.T) {
	s := NewShares(4, 3)
	var first *Place
	for i := range 3 {
		p, _ := s.Try(source(1), func() {
			if i != 1 {
				t.Errorf("place %d is taken away", i)
			}
		})
		if i == 0 {
			first = p
		}
	}
	if _, ok := s.Try(source(1), nil); ok {
		t.Error("a source has a fourth")
	}
	if !first.Keep(true) {
		t.Error("it is not held")
	}
	s.Try(source(2), nil)
	if _, ok := s.Try(source(3), nil); !ok {
		t.Error("nothing is taken of who has three")
	}
	equal(t, "all", s.count(1, 2, 3), 2, 1, 1)
	first.Leave()
	first.Leave()
	if s.Taken() != 3 {
		t.Error(s.Taken())
	}
}

// TestWaiting: whoever waits is told when a place that was taken away is left, the source that holds fewest first, and not before.
func TestWaiting(t *testing.T) {
	s := NewShares(2, 0)
	gone := make(chan int, 2)
	var places []*Place
	for i := range 2 {
		p, err := s.Wait(t.Context(), source(1), func() { gone <- i })
		if err != nil {
			t.Fatal(err)
		}
		places = append(places, p)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := s.Wait(ended, source(1), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("one source waits for itself: %v", err)
	}
	came := make(chan *Place)
	go func() {
		p, err := s.Wait(t.Context(), source(2), func() {})
		if err != nil {
			t.Error(err)
		}
		came <- p
	}()
	if i := <-gone; i != 0 {
		t.Errorf("place %d has to go, want the oldest", i)
	}
	select {
	case <-came:
		t.Error("it came before the other one left")
	default:
	}
	if places[0].Keep(true) {
		t.Error("what was taken away is held")
	}
	places[0].Leave()
	p := <-came
	equal(t, "both", s.count(1, 2), 1, 1)
	p.Leave()
	places[1].Leave()
	if s.Taken() != 0 || len(s.held) != 0 || len(s.waiting) != 0 {
		t.Errorf("%+v", s)
	}
}

// TestWhoWorksGivesWayAfterwards: a place that is kept while somebody waits is taken away as soon as it is kept no more.
func TestWhoWorksGivesWayAfterwards(t *testing.T) {
	s := NewShares(2, 0)
	gone := make(chan int, 2)
	var places []*Place
	for i := range 2 {
		p, _ := s.Try(source(1), func() { gone <- i })
		p.Keep(true)
		places = append(places, p)
	}
	came := make(chan *Place)
	go func() {
		p, _ := s.Wait(t.Context(), source(2), func() {})
		came <- p
	}()
	for waits := 0; waits == 0; {
		s.mu.Lock()
		waits = len(s.waiting)
		s.mu.Unlock()
	}
	if len(gone) != 0 {
		t.Error("a place that is kept is taken away")
	}
	places[1].Keep(false)
	if i := <-gone; i != 1 {
		t.Errorf("place %d", i)
	}
	places[1].Leave()
	(<-came).Leave()
}

// TestSource: of IPv6 the first 64 bits are the network's (RFC 4291 §2.5.4), and an IPv4 address is the same however it is written.
func TestSource(t *testing.T) {
	for address, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "::ffff:192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "fe80::1%lo": "fe80::",
	} {
		t.Run(address, func(t *testing.T) {
			if got := Source(netip.MustParseAddr(address)); got.String() != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}
