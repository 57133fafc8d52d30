// Package unused has things that nobody uses.
package unused

const taken = 1

const left = 2 // want "const left is unused"

type holder struct {
	used   int
	unused int // want "field unused is unused"
}

// Sum uses some of them.
func Sum(h *holder) int { return h.used + taken }

func lonely() {} // want "func lonely is unused"

func tested() int { return 1 }
