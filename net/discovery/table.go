package discovery

import (
	"bytes"
	"math/bits"
	"net/netip"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

const (
	bucketSize  = 16 // nodes in a bucket
	waitingSize = 8  // nodes that wait for a place in it
	bucketShare = 2  // of one network, in a bucket
	tableShare  = 10 // of one network, in the table
	failuresMax = 2  // in a row, before a node loses its place
)

// node is a place in the table.
type node struct {
	id       transport.ID
	record   Record
	heard    time.Time // when it last answered or was connected
	failures int
}

type bucket struct {
	nodes   []node // longest known first
	waiting []node // latest last
}

// table is a Kademlia routing table.
type table struct {
	self    transport.ID
	buckets [256]bucket
	shares  map[netip.Prefix]int
}

func newTable(self transport.ID) *table {
	return &table{self: self, shares: map[netip.Prefix]int{}}
}

// index is the bucket of an identity: how many leading bits it has in common with ours; at most 255.
func (t *table) index(id transport.ID) int {
	for i := range id {
		if x := id[i] ^ t.self[i]; x != 0 {
			return 8*i + bits.LeadingZeros8(x)
		}
	}
	return 255
}

// closer compares two identities by their distance to a target.
func closer(target, a, b transport.ID) int {
	for i := range target {
		if x, y := a[i]^target[i], b[i]^target[i]; x != y {
			return int(x) - int(y)
		}
	}
	return 0
}

// network is the part of an address counted against the shares; private addresses have none.
func network(a netip.Addr) (netip.Prefix, bool) {
	if a.IsPrivate() || a.IsLoopback() || a.IsLinkLocalUnicast() {
		return netip.Prefix{}, false
	}
	size := 24
	if a.Is6() {
		size = 64
	}
	p, err := a.Prefix(size)
	return p, err == nil
}

// add gives a node whose address is proven its place, or refreshes it.
func (t *table) add(r Record, now time.Time) {
	id := r.ID()
	if id == t.self {
		return
	}
	b := &t.buckets[t.index(id)]
	if i := b.find(id); i >= 0 {
		n := &b.nodes[i]
		n.heard, n.failures = now, 0
		if r.Seq > n.record.Seq && t.move(b, n.record.Address, r.Address) {
			n.record = r
		}
		return
	}
	fresh := node{id: id, record: r, heard: now}
	if len(b.nodes) < bucketSize && t.claim(b, r.Address) {
		b.drop(id)
		b.nodes = append(b.nodes, fresh)
		return
	}
	b.drop(id)
	if len(b.waiting) == waitingSize {
		b.waiting = slices.Delete(b.waiting, 0, 1)
	}
	b.waiting = append(b.waiting, fresh)
}

func (b *bucket) find(id transport.ID) int {
	return slices.IndexFunc(b.nodes, func(n node) bool { return n.id == id })
}

// drop removes a waiting node.
func (b *bucket) drop(id transport.ID) {
	b.waiting = slices.DeleteFunc(b.waiting, func(n node) bool { return n.id == id })
}

// claim counts an address against its network's shares, if they allow it.
func (t *table) claim(b *bucket, at netip.AddrPort) bool {
	p, public := network(at.Addr())
	if !public {
		return true
	}
	here := 0
	for _, n := range b.nodes {
		if q, ok := network(n.record.Address.Addr()); ok && q == p {
			here++
		}
	}
	if here >= bucketShare || t.shares[p] >= tableShare {
		return false
	}
	t.shares[p]++
	return true
}

func (t *table) release(at netip.AddrPort) {
	if p, public := network(at.Addr()); public {
		if t.shares[p]--; t.shares[p] <= 0 {
			delete(t.shares, p)
		}
	}
}

// move changes a node's address, if the shares allow the new one.
func (t *table) move(b *bucket, from, to netip.AddrPort) bool {
	p, public := network(from.Addr())
	if q, ok := network(to.Addr()); ok == public && p == q {
		return true
	}
	if !t.claim(b, to) {
		return false
	}
	t.release(from)
	return true
}

// fail notes that a node did not answer. One that keeps failing gives its place to the latest that waits.
func (t *table) fail(id transport.ID) {
	b := &t.buckets[t.index(id)]
	b.drop(id)
	i := b.find(id)
	if i < 0 {
		return
	}
	if b.nodes[i].failures++; b.nodes[i].failures < failuresMax {
		return
	}
	t.release(b.nodes[i].record.Address)
	b.nodes = slices.Delete(b.nodes, i, i+1)
	for k := len(b.waiting) - 1; k >= 0; k-- {
		if t.claim(b, b.waiting[k].record.Address) {
			b.nodes = append(b.nodes, b.waiting[k])
			b.waiting = slices.Delete(b.waiting, k, k+1)
			return
		}
	}
}

// hear notes a sign of life.
func (t *table) hear(id transport.ID, now time.Time) {
	b := &t.buckets[t.index(id)]
	if i := b.find(id); i >= 0 {
		b.nodes[i].heard, b.nodes[i].failures = now, 0
	}
}

// closest gives the n nodes nearest to a target, nearest first, leaving one out.
func (t *table) closest(target transport.ID, n int, except transport.ID) []Record {
	var all []*node
	for i := range t.buckets {
		for k := range t.buckets[i].nodes {
			if m := &t.buckets[i].nodes[k]; m.id != except {
				all = append(all, m)
			}
		}
	}
	slices.SortFunc(all, func(a, b *node) int { return closer(target, a.id, b.id) })
	out := make([]Record, 0, n)
	for _, m := range all[:min(n, len(all))] {
		out = append(out, m.record)
	}
	return out
}

// stalest is the node unheard of for longest, if any.
func (t *table) stalest() (found *node) {
	for i := range t.buckets {
		for k := range t.buckets[i].nodes {
			n := &t.buckets[i].nodes[k]
			if found == nil || n.heard.Before(found.heard) || n.heard.Equal(found.heard) && bytes.Compare(n.id[:], found.id[:]) < 0 {
				found = n
			}
		}
	}
	return found
}

// len is how many nodes have a place.
func (t *table) len() (n int) {
	for i := range t.buckets {
		n += len(t.buckets[i].nodes)
	}
	return n
}
