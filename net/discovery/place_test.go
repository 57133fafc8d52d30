package discovery

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// said makes a peer and what it says of where we are.
func said(f *Finder, n int, inbound bool, at netip.AddrPort) error {
	p := transport.Peer{ID: testID(n), Key: testKey(n).Public(), Address: addr(n), Listen: 9, Inbound: inbound, Version: seenVersion}
	if _, connected := f.peers[p.ID]; !connected {
		f.Up(p, epoch)
	}
	m := message{kind: kindSeen, address: at}
	return f.Receive(p.ID, m.encode(), epoch)
}

// A node that was told no address goes by most of those it dialed and of its operator's own peers: not by strangers who came, and by nobody twice.
//
// Spec: WP §6.2 ("peer discovery (DHT + bootstrap nodes)").
func TestOwnPlaceIsWhatMostSay(t *testing.T) {
	open := netip.MustParseAddrPort("0.0.0.0:9")
	right, wrong := netip.MustParseAddrPort("93.184.7.1:9"), netip.MustParseAddrPort("93.184.7.2:9")
	private := netip.MustParseAddrPort("10.0.0.1:9")
	f := New(Config{Key: testKey(0), Network: testNet, Seq: 5, Address: open, Listen: 9, Own: []transport.ID{testID(7)}})
	for i, step := range []struct {
		from    int
		inbound bool
		at      netip.AddrPort
		want    netip.AddrPort // zero: nothing is advertised
	}{
		{1, true, wrong, netip.AddrPort{}},                                 // a stranger who came
		{2, false, netip.AddrPortFrom(wrong.Addr(), 10), netip.AddrPort{}}, // not where this node listens
		{3, false, private, private},
		{4, false, wrong, wrong}, // public before private
		{4, false, right, wrong}, // nobody speaks twice
		{5, false, right, wrong}, // one against one
		{7, true, right, right},  // the operator's peer: two against one
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if err := said(f, step.from, step.inbound, step.at); err != nil {
				t.Fatal(err)
			}
			if f.own == nil && step.want.IsValid() || f.own != nil && f.own.Address != step.want {
				t.Errorf("%+v, want %v", f.own, step.want)
			}
		})
	}
	if f.own.Seq != 7 || f.own.verify(testNet) != nil { // the first, and two changes
		t.Errorf("%+v", f.own)
	}
	told := 0
	for _, e := range f.Effects() {
		if e.Send != nil && e.Send.Frame[0] == kindAdvert {
			told++
		}
	}
	// At 3's word 1, 2 and 3 are told, at 4's word four are, 5 and 7 when they come, and at 7's word all six.
	if told != 3+1+4+1+1+6 {
		t.Errorf("%d adverts", told)
	}
	fixed := New(Config{Key: testKey(0), Network: testNet, Address: addr(0), Listen: 9})
	if err := said(fixed, 3, false, right); err != nil || fixed.own.Address != addr(0) {
		t.Errorf("a configured address was given up: %v, %+v", err, fixed.own)
	}
}

// Whoever speaks the first version of the protocol is not told a message it would call a fault; the others are told where they were dialed, or would be.
func TestSeenIsToldToThoseWhoKnowIt(t *testing.T) {
	for _, c := range []struct {
		peer transport.Peer
		want string
	}{
		{transport.Peer{Version: seenVersion - 1, Listen: 9}, ""},
		{transport.Peer{Version: seenVersion, Listen: 9}, "10.0.0.1:9"},
		{transport.Peer{Version: seenVersion, Listen: 7, Inbound: true}, "10.0.0.1:7"},
		{transport.Peer{Version: seenVersion, Inbound: true}, ""}, // takes no connections
	} {
		t.Run(fmt.Sprint(c.peer.Version, c.peer.Listen, c.peer.Inbound), func(t *testing.T) {
			f := New(Config{Key: testKey(0), Network: testNet})
			c.peer.ID, c.peer.Address = testID(1), addr(1)
			f.Up(c.peer, epoch)
			got := ""
			for _, e := range f.Effects() {
				if e.Send != nil && e.Send.Frame[0] == kindSeen {
					m, err := decodeMessage(e.Send.Frame)
					if err != nil {
						t.Fatal(err)
					}
					got = m.address.String()
				}
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// A peer at a public address cannot send this node around its own private network.
func TestPrivateAddressesOfStrangers(t *testing.T) {
	for at, learned := range map[string]bool{"93.184.7.1:9": false, "10.0.0.9:9": true} {
		t.Run(at, func(t *testing.T) {
			f := New(Config{Key: testKey(0), Network: testNet})
			p := transport.Peer{ID: testID(1), Key: testKey(1).Public(), Address: netip.MustParseAddrPort(at)}
			f.Up(p, epoch)
			f.Effects()
			m := message{kind: kindFound, request: f.questions[p.ID].request, records: []Record{record(2)}}
			if err := f.Receive(p.ID, m.encode(), epoch); err != nil {
				t.Fatal(err)
			}
			got := false
			for _, e := range f.Effects() {
				got = got || e.Learned != nil || e.Dial != nil
			}
			if got != learned {
				t.Errorf("a private address is learned: %v", got)
			}
		})
	}
}

// A bootstrap node whose name was looked up is asked at the next tick, while nobody is known.
func TestBootstrapLater(t *testing.T) {
	f := New(Config{Key: testKey(0), Network: testNet})
	f.Tick(true, epoch)
	if e := f.Effects(); len(e) != 0 {
		t.Fatalf("%+v", e)
	}
	target := transport.Target{ID: testID(1), Address: addr(1)}
	f.Bootstrap(target)
	f.Tick(true, epoch.Add(1))
	e := f.Effects()
	if want := (transport.Target{ID: target.ID, Address: target.Address, Purpose: transport.Lookup}); len(e) != 1 || e[0].Dial == nil || *e[0].Dial != want {
		t.Fatalf("%+v", e)
	}
}

// A private node is a peer like any other, and nobody is told where it is.
func TestPrivateNodesAreNotTold(t *testing.T) {
	f := New(Config{Key: testKey(0), Network: testNet, Private: []transport.ID{testID(1)}})
	for n := 1; n <= 3; n++ {
		p := transport.Peer{ID: testID(n), Key: testKey(n).Public(), Address: addr(n), Listen: 9}
		f.Up(p, epoch)
		advert := message{kind: kindAdvert, records: []Record{record(n)}}
		if err := f.Receive(p.ID, advert.encode(), epoch); err != nil {
			t.Fatal(err)
		}
	}
	f.Effects()
	find := message{kind: kindFind, request: 7, target: testID(1)}
	if err := f.Receive(testID(3), find.encode(), epoch); err != nil {
		t.Fatal(err)
	}
	e := f.Effects()
	if len(e) != 1 || e[0].Send == nil {
		t.Fatalf("%+v", e)
	}
	m, err := decodeMessage(e[0].Send.Frame)
	if err != nil || len(m.records) != 1 || m.records[0].ID() != testID(2) {
		t.Errorf("%+v, %v", m, err)
	}
}
