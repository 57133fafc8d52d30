package drain

import "github.com/cowboyinc/cowboy-go/chain/digest"

// Fresh are the programs that the turns of a block have loaded. It travels with the turn, as the overlay does. The zero value is empty.
type Fresh struct {
	seen  map[digest.Hash]struct{}
	order []digest.Hash
}

// Has reports whether a program was loaded.
func (f *Fresh) Has(code digest.Hash) bool {
	_, seen := f.seen[code]
	return seen
}

// Add notes a program and reports whether it was not loaded before.
func (f *Fresh) Add(code digest.Hash) bool {
	if f.Has(code) {
		return false
	}
	if f.seen == nil {
		f.seen = map[digest.Hash]struct{}{}
	}
	f.seen[code] = struct{}{}
	f.order = append(f.order, code)
	return true
}

// Mark is how many were loaded.
func (f *Fresh) Mark() int { return len(f.order) }

// Revert forgets those that were loaded since a mark.
func (f *Fresh) Revert(mark int) {
	for _, code := range f.order[mark:] {
		delete(f.seen, code)
	}
	f.order = f.order[:mark]
}
