package host

import (
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/cost"
)

// imports are the modules that the invocations of a turn have imported, which a further invocation imports at the price of a repeated import.
//
// Spec: CIP-3 §2.2.1 (repeated imports within the same transaction).
type imports struct {
	added []string        // one by one
	lists [][]string      // of templates that were started
	known map[string]bool // what of both has been looked up
	next  int             // of added, to look up
	again uint64          // how often Has said yes
}

// Add implements pvm.Imports.
func (x *imports) Add(name string) { x.added = append(x.added, name) }

// Has implements pvm.Imports.
func (x *imports) Has(name string) bool {
	if x.known == nil {
		x.known = map[string]bool{}
	}
	for _, list := range x.lists {
		for _, n := range list {
			x.known[n] = true
		}
	}
	for _, n := range x.added[x.next:] {
		x.known[n] = true
	}
	x.lists, x.next = nil, len(x.added)
	if x.known[name] {
		x.again++
	}
	return x.known[name]
}

func (x *imports) empty() bool { return len(x.added)+len(x.lists)+len(x.known) == 0 }

// spared is what a top level that imports these modules costs less than in the first invocation of a turn.
func (x *imports) spared(p *cost.Prices, names []string) (cycles uint64) {
	if x.empty() {
		return 0
	}
	for _, n := range names {
		if x.Has(n) {
			cycles += uint64(pvm.ImportSpared(p))
		}
	}
	return cycles
}
