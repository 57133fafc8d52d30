package peers

import (
	"encoding/binary"
	"errors"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/discovery"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// A named peer is dialed where its name points, in turn at each of its addresses; a failure of the resolver is told once.
func TestNames(t *testing.T) {
	id := testKey("named").ID()
	name := Name{ID: id, Host: "node.test", Port: 9}
	d := newDriver(transport.Target{ID: id})
	d.names = lookups([]Name{name}, nil)

	d.tick(epoch)
	if len(d.dials) != 0 {
		t.Fatal("a peer without an address is dialed")
	}
	d.tick(epoch.Add(time.Hour)) // one lookup at a time
	if !slices.Equal(d.asked, []resolve{{name, false}}) {
		t.Errorf("asked for %v", d.asked)
	}
	for range 2 {
		d.resolved(resolved{1, name, false, nil, errors.New("no such host")}, epoch)
	}
	if len(d.events) != 1 || d.events[0].Kind != Unresolved {
		t.Errorf("%v", d.events)
	}
	both := []netip.Addr{address(7).Addr(), address(8).Addr()}
	for i, want := range []byte{7, 8, 7} {
		d.resolved(resolved{1, name, false, both, nil}, epoch)
		if len(d.dials) != i+1 || d.dials[i].Address != address(want) || d.dials[i].ID != id {
			t.Fatalf("dialed %v", d.dials)
		}
		d.failed(d.dials[i], transport.ErrTimeout, epoch)
	}
	d.tick(epoch.Add(2*time.Hour - 1))
	d.resolved(resolved{1, name, false, both, nil}, epoch.Add(2*time.Hour-1))
	asked := len(d.asked)
	d.full("named", 7)
	d.tick(epoch.Add(3 * time.Hour))
	if asked != 2 || len(d.asked) != asked {
		t.Errorf("looked up %d times, and %d times once connected", asked, len(d.asked)-asked)
	}
}

// A bootstrap node that is known by a name is looked up and asked, and looked up no more once somebody is known. It takes no persistent peer's place.
//
// Spec: WP §6.2 ("peer discovery (DHT + bootstrap nodes)").
func TestBootNames(t *testing.T) {
	id := testKey("boot").ID()
	name := Name{ID: id, Host: "boot.test", Port: 9}
	d := newDriver()
	d.names = lookups(nil, []Name{name})
	d.tick(epoch)
	if !slices.Equal(d.asked, []resolve{{name, true}}) {
		t.Fatalf("asked for %v", d.asked)
	}
	d.resolved(resolved{1, name, true, []netip.Addr{address(7).Addr()}, nil}, epoch)
	d.tick(epoch)
	want := transport.Target{ID: id, Address: address(7), Purpose: transport.Lookup}
	if len(d.dials) != 1 || d.dials[0] != want || d.book.Persistent(id) {
		t.Fatalf("dialed %v", d.dials)
	}
	other := testKey("other")
	p := d.full("other", 3)
	d.up(p, epoch)
	r := discovery.Sign(other, discovery.NetworkOf("", [32]byte{}), 1, address(3))
	advert := append([]byte{1}, wire(r)...)
	d.finder = discovery.New(discovery.Config{Key: testKey("self"), Network: discovery.NetworkOf("", [32]byte{})})
	d.finder.Up(p, epoch)
	if err := d.finder.Receive(p.ID, advert, epoch); err != nil || d.finder.Known() != 1 {
		t.Fatal(err, d.finder.Known())
	}
	d.tick(epoch.Add(time.Hour))
	if len(d.asked) != 1 {
		t.Error("looked up although somebody is known")
	}
}

// wire is a record's bytes: key ‖ seq ‖ family ‖ ip ‖ port ‖ signature.
func wire(r discovery.Record) []byte {
	b := binary.BigEndian.AppendUint64(slices.Clone(r.Key[:]), r.Seq)
	b = append(append(b, 4), r.Address.Addr().AsSlice()...)
	return append(binary.BigEndian.AppendUint16(b, r.Address.Port()), r.Signature[:]...)
}
