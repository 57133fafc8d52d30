package peers

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// A named peer is dialed where its name points, in turn at each of its addresses; a failure of the resolver is told once.
func TestNames(t *testing.T) {
	id := testKey("named").ID()
	name := Name{ID: id, Host: "node.test", Port: 9}
	inner, link, events := newState(transport.Target{ID: id})
	s := &Subsystem{Handle: NewHandle(testKey("self")), generation: 1, state: inner, Observe: inner.observe}
	asked := make(chan string, 8)
	s.resolver = newResolver([]Name{name}, func(_ context.Context, host string) ([]netip.Addr, error) {
		asked <- host
		return nil, errors.New("unused: the test answers")
	})
	defer s.resolver.cancel()

	inner.tick(epoch)
	if len(link.dials) != 0 {
		t.Fatal("a peer without an address is dialed")
	}
	s.resolve(epoch)
	s.resolve(epoch.Add(time.Hour)) // one lookup at a time
	if host := <-asked; host != name.Host || len(asked) != 0 {
		t.Errorf("asked for %s", host)
	}
	for range 2 {
		s.resolved(resolved{1, name, nil, errors.New("no such host")}, epoch)
	}
	if len(*events) != 1 || (*events)[0].Kind != Unresolved {
		t.Errorf("%v", *events)
	}
	both := []netip.Addr{address(7).Addr(), address(8).Addr()}
	for i, want := range []byte{7, 8, 7} {
		s.resolved(resolved{1, name, both, nil}, epoch)
		if len(link.dials) != i+1 || link.dials[i].Address != address(want) || link.dials[i].ID != id {
			t.Fatalf("dialed %v", link.dials)
		}
		inner.failed(link.dials[i], transport.ErrTimeout, epoch)
	}
	link.peers = append(link.peers, transport.Peer{ID: id, Address: address(7)})
	s.resolve(epoch.Add(2 * time.Hour))
	select {
	case <-asked:
		t.Error("the name of a connected peer is looked up")
	default:
	}
}
