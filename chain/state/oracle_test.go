package state

import (
	"bytes"
	"sort"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// oracle is a second, obvious implementation of the store: it keeps the list of
// operations and computes everything else from it, every time, by the text of
// the specification. It also covers the variants the chain does not use.
type oracle struct {
	sum            digest.Function
	ordered, fixed bool
	arrays         bool // keys and values are 32-byte arrays, without a length
	ops            []oracleOp
}

type oracleOp struct {
	kind             byte
	key, value, next string
	floor            uint64
}

func newOracle(sum digest.Function, ordered, fixed, arrays bool) *oracle {
	return &oracle{sum: sum, ordered: ordered, fixed: fixed, arrays: arrays, ops: []oracleOp{{kind: 0xd3}}}
}

func (o *oracle) encode(op oracleOp) []byte {
	part := func(s string) []byte {
		if o.arrays || o.fixed {
			return []byte(s)
		}
		return append(leb(uint64(len(s))), s...)
	}
	out := []byte{op.kind}
	switch op.kind {
	case 0xd1:
		out = append(out, part(op.key)...)
	case 0xd2:
		out = append(append(out, part(op.key)...), part(op.value)...)
		if o.ordered {
			out = append(out, part(op.next)...)
		}
	case 0xd3:
		out = append(out, 0)
		if o.fixed {
			out = append(append(out, make([]byte, 32)...), be8(op.floor)...)
		} else {
			out = append(out, leb(op.floor)...)
		}
	}
	if o.fixed {
		size := 65
		if o.ordered {
			size = 97
		}
		out = append(out, make([]byte, size-len(out))...)
	}
	return out
}

func leb(v uint64) (out []byte) {
	for v >= 0x80 {
		out = append(out, byte(v)|0x80)
		v >>= 7
	}
	return append(out, byte(v))
}

// live gives the location of the present update of every key.
func (o *oracle) live() map[string]int {
	at := map[string]int{}
	for i, op := range o.ops {
		switch op.kind {
		case 0xd1:
			delete(at, op.key)
		case 0xd2:
			at[op.key] = i
		}
	}
	return at
}

// active gives the activity bit of every location.
func (o *oracle) active() []bool {
	bits := make([]bool, len(o.ops))
	for _, i := range o.live() {
		bits[i] = true
	}
	for i := len(o.ops) - 1; i >= 0; i-- {
		if o.ops[i].kind == 0xd3 {
			bits[i] = true
			break
		}
	}
	return bits
}

func (o *oracle) floor() uint64 { return o.ops[len(o.ops)-1].floor }

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// apply appends a batch: nil values delete.
func (o *oracle) apply(batch map[string]*string) {
	before, bitsBefore, start := o.live(), o.active(), len(o.ops)
	final := map[string]bool{}
	for k := range before {
		final[k] = true
	}
	var deletes, updates, creates []string
	for _, k := range sortedKeys(batch) {
		_, existed := before[k]
		switch {
		case batch[k] == nil && existed:
			deletes = append(deletes, k)
			delete(final, k)
		case batch[k] == nil:
		case existed:
			updates = append(updates, k)
		default:
			creates = append(creates, k)
			final[k] = true
		}
	}
	steps := len(deletes) + len(updates)
	order := sortedKeys(final)
	following := func(k string) string {
		i := sort.SearchStrings(order, k)
		return order[(i+1)%len(order)]
	}
	update := func(k, v string) {
		op := oracleOp{kind: 0xd2, key: k, value: v}
		if o.ordered {
			op.next = following(k)
		}
		o.ops = append(o.ops, op)
	}
	if o.ordered {
		for _, k := range deletes {
			o.ops = append(o.ops, oracleOp{kind: 0xd1, key: k})
		}
		for _, k := range updates {
			update(k, *batch[k])
		}
	} else {
		existing := append(append([]string(nil), deletes...), updates...)
		sort.Slice(existing, func(i, j int) bool { return before[existing[i]] < before[existing[j]] })
		for _, k := range existing {
			if batch[k] == nil {
				o.ops = append(o.ops, oracleOp{kind: 0xd1, key: k})
			} else {
				update(k, *batch[k])
			}
		}
	}
	for _, k := range creates {
		update(k, *batch[k])
	}
	var survivors []string
	for _, k := range sortedKeys(before) {
		if final[k] {
			survivors = append(survivors, k)
		}
	}
	if o.ordered && len(survivors) > 0 {
		written := map[string]bool{}
		for _, k := range updates {
			written[k] = true
		}
		for _, k := range append(append([]string(nil), creates...), deletes...) {
			i := sort.SearchStrings(survivors, k)
			p := survivors[(i+len(survivors)-1)%len(survivors)]
			if !written[p] {
				written[p] = true
				update(p, o.ops[before[p]].value)
				steps++
			}
		}
	}
	o.raise(bitsBefore, start, steps+1)
}

func (o *oracle) raise(bitsBefore []bool, start, moves int) {
	floor, tip := o.ops[start-1].floor, len(o.ops)
	if len(o.live()) == 0 {
		o.ops = append(o.ops, oracleOp{kind: 0xd3, floor: uint64(tip)})
		return
	}
	for at := int(floor); at < tip && moves > 0; at++ {
		if at < start && !bitsBefore[at] {
			continue
		}
		floor = uint64(at + 1)
		op := o.ops[at]
		if present, ok := o.live()[op.key]; op.kind == 0xd2 && ok && present == at {
			o.ops = append(o.ops, op)
			moves--
		}
	}
	o.ops = append(o.ops, oracleOp{kind: 0xd3, floor: floor})
}

// roots computes the ops root and the state root.
func (o *oracle) roots() (ops, state digest.Hash) {
	n := len(o.ops)
	bits := make([]byte, (n+255)/256*32)
	for i, on := range o.active() {
		if on {
			bits[i/8] |= 1 << (i % 8)
		}
	}
	ones := func(v int) (c int) {
		for ; v != 0; v >>= 1 {
			c += v & 1
		}
		return c
	}
	var node func(start, height int, graft bool) digest.Hash
	node = func(start, height int, graft bool) digest.Hash {
		pos := be8(uint64(2*start - ones(start) + 1<<(height+1) - 2))
		if height == 0 {
			return o.sum(append(pos, o.encode(o.ops[start])...))
		}
		l, r := node(start, height-1, graft), node(start+1<<(height-1), height-1, graft)
		d := o.sum(append(append(pos, l[:]...), r[:]...))
		if chunk := bits[start/8 : min(start/8+32, len(bits))]; graft && height == 8 && !bytes.Equal(chunk, make([]byte, 32)) {
			d = o.sum(append(append([]byte(nil), chunk...), d[:]...))
		}
		return d
	}
	root := func(graft bool) digest.Hash {
		var peaks []digest.Hash
		inactive, leading, start := 0, true, 0
		for h := 62; h >= 0; h-- {
			if n>>h&1 == 0 {
				continue
			}
			peaks = append(peaks, node(start, h, graft))
			start += 1 << h
			if leading = leading && uint64(start) <= o.floor(); leading && (!graft || start%256 == 0) {
				inactive++
			} else {
				leading = false
			}
		}
		list := peaks
		if inactive > 0 {
			acc := peaks[0]
			for _, p := range peaks[1:inactive] {
				acc = o.sum(append(append([]byte(nil), acc[:]...), p[:]...))
			}
			list = append([]digest.Hash{acc}, peaks[inactive:]...)
		}
		acc := list[len(list)-1]
		for i := len(list) - 2; i >= 0; i-- {
			acc = o.sum(append(append([]byte(nil), list[i][:]...), acc[:]...))
		}
		head := be8(uint64(n))
		if inactive > 0 {
			head = append(head, be8(uint64(inactive))...)
		}
		return o.sum(append(head, acc[:]...))
	}
	ops = root(false)
	grafted := root(true)
	text := append(append([]byte(nil), ops[:]...), grafted[:]...)
	if n%256 != 0 {
		last := o.sum(bits[len(bits)-32:])
		text = append(append(text, be8(uint64(n%256))...), last[:]...)
	}
	return ops, o.sum(text)
}
