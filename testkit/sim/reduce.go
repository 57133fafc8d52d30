package sim

// reduce gives a part of items that still fails and from which nothing can be taken: first large pieces are left out, then smaller ones, down to single
// items (delta debugging). It asks fails about every part it tries; that all of items fail is known.
func reduce[T any](items []T, fails func([]T) bool) []T {
	for pieces := 2; len(items) > 0; {
		if pieces > len(items) {
			pieces = len(items)
		}
		left, found := []T(nil), false
		for i := range pieces {
			from, to := i*len(items)/pieces, (i+1)*len(items)/pieces
			rest := append(append([]T(nil), items[:from]...), items[to:]...)
			if fails(rest) {
				left, found = rest, true
				break
			}
		}
		switch {
		case found:
			items, pieces = left, max(pieces-1, 2)
		case pieces == len(items):
			return items
		default:
			pieces *= 2
		}
	}
	return items
}
