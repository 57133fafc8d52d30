package peers_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/netip"
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/discovery"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// The kinds of discovery's messages, as its documentation gives them.
const (
	wireAdvert = 1
	wireFound  = 3
	wireSeen   = 4
)

// wireRecord is a record's bytes: key ‖ seq ‖ family ‖ ip ‖ port ‖ signature.
func wireRecord(r discovery.Record) []byte {
	b := binary.BigEndian.AppendUint64(slices.Clone(r.Key[:]), r.Seq)
	b = append(append(b, 4), r.Address.Addr().AsSlice()...)
	return append(binary.BigEndian.AppendUint16(b, r.Address.Port()), r.Signature[:]...)
}

// invented are records of nodes that nobody runs.
func invented(n int) (records [][]byte, keys []transport.PublicKey) {
	network := discovery.NetworkOf("test", [32]byte{})
	for i := range n {
		key := testKey(fmt.Sprintf("invented %d", i))
		keys = append(keys, key.Public())
		records = append(records, wireRecord(discovery.Sign(key, network, 1, netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 9, 0, byte(i)}), 3000))))
	}
	return records, keys
}

// lie makes a node say that it knows invented nodes only, and that everybody is somewhere else.
func lie(records [][]byte) func([]byte) []byte {
	return func(frame []byte) []byte {
		switch frame[0] {
		case wireFound:
			out := append(slices.Clone(frame[:5]), byte(len(records)))
			return slices.Concat(append([][]byte{out}, records...)...)
		case wireSeen:
			out := slices.Clone(frame)
			copy(out[2:6], []byte{10, 6, 6, 6})
			return out
		}
		return frame
	}
}

// founded is a network as the guide founds one: four validators that name each other, others that joined and name one peer, and followers. All listen at every
// address of their machines, and none is told its own.
type founded struct {
	*world
	validators, nodes int
	liar              int
}

func found(t *testing.T, seed uint64, prepare func(int, *radio)) *founded {
	const founders, validators, nodes, liar = 4, 9, 24, 23
	f := &founded{validators: validators, nodes: nodes, liar: liar}
	target := func(i int) transport.Target {
		return transport.Target{ID: testKey(fmt.Sprintf("virtual %d", i)).ID(), Address: virtualAt(i)}
	}
	f.world = newWorldOf(t, nodes, seed, func(i int, s *peers.Subsystem) {
		s.Boot, s.Book = nil, book.Config{Seed: seed + uint64(i), Outbound: 3}
		switch {
		case i < founders:
			for k := range founders {
				s.Book.Persistent = append(s.Book.Persistent, target(k))
			}
			s.Book.Persistent = slices.Delete(s.Book.Persistent, i, i+1)
		case i == 5: // one was given two peers, of which one lies
			s.Book.Persistent = []transport.Target{target(liar), target(1)}
		default:
			s.Book.Persistent = []transport.Target{target(i % founders)}
		}
		if i < validators {
			s.Missing = func() (int, []link.Peer) {
				var met []link.Peer
				for k, r := range f.radios[:validators] {
					if at, ok := f.radios[i].find(r.Self()); ok && k != i && f.radios[i].conns[at].Purpose == transport.Full {
						met = append(met, link.Peer(r.Self()))
					}
				}
				return validators - 1 - len(met), met
			}
		}
	}, nil)
	f.air.prepare = prepare
	return f
}

// TestFoundedNetwork takes a network founded by the guide: validators that joined through one peer end up connected to all the others, with more followers than
// places. One node says of everybody that it is elsewhere, and knows invented nodes only: nobody passes those on, and in the end each signs its own place.
//
// Spec: WP §6.2 ("peer discovery (DHT + bootstrap nodes)").
func TestFoundedNetwork(t *testing.T) {
	records, keys := invented(16)
	for seed := range uint64(2) {
		adverts := map[int][]byte{}
		watch := func(i int, r *radio) {
			r.open = true
			if i == 23 {
				r.twist = lie(records)
				return
			}
			r.watch = func(_ transport.ID, frame []byte) {
				switch frame[0] {
				case wireAdvert:
					adverts[i] = frame
				case wireFound:
					for _, k := range keys {
						if bytes.Contains(frame, k[:]) {
							t.Errorf("seed %d: node %d passes on a node that nobody reached", seed, i)
						}
					}
				}
			}
		}
		f := found(t, seed, watch)
		f.run(8 * time.Minute)
		for i, r := range f.radios[:f.validators] {
			for k, other := range f.radios[:f.validators] {
				if at, ok := r.find(other.Self()); i != k && (!ok || r.conns[at].Purpose != transport.Full) {
					t.Errorf("seed %d: validators %d and %d are not connected", seed, i, k)
				}
			}
			if i != 5 && len(adverts[i]) == 0 {
				t.Errorf("seed %d: validator %d never said where it is", seed, i)
			}
		}
		places(t, seed, adverts)
	}
}

// places holds that every node says where it is.
func places(t *testing.T, seed uint64, adverts map[int][]byte) {
	t.Helper()
	for i, frame := range adverts { // order-free: each is looked at
		at := frame[1+transport.KeyBytes+8+1:][:4]
		if want := virtualAt(i).Addr().As4(); !bytes.Equal(at, want[:]) {
			t.Errorf("seed %d: node %d says that it is at %v", seed, i, at)
		}
	}
}
