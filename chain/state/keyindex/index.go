package keyindex

// Index is an immutable ordered map from key to location. The zero value is
// empty. It may be read by any number of goroutines.
type Index struct {
	root *node
	len  int
}

// node is an inner node: either kids or leaves is set, never both. Separator i
// is above every key of child i and not above any key of child i+1; versions of a
// node that differ only in their children share the separators.
type node struct {
	stamp  uint64
	seps   packed
	kids   []*node
	leaves []*leaf
}

const (
	nodeMax   = 64
	nodeMerge = 44
	nodeFew   = 16
	nodeFill  = 56
)

func (n *node) width() int {
	if n.leaves != nil {
		return len(n.leaves)
	}
	return len(n.kids)
}

// child is the position of the only child that can hold key.
func (n *node) child(key []byte) int { return n.seps.child(key) }

// Len is the number of keys.
func (x Index) Len() int { return x.len }

// Find gives the location of key.
func (x Index) Find(key []byte) (location uint64, ok bool) {
	n := x.root
	if n == nil {
		return 0, false
	}
	for n.leaves == nil {
		n = n.kids[n.child(key)]
	}
	l := n.leaves[n.child(key)]
	i, ok := l.keys.search(key)
	if !ok {
		return 0, false
	}
	return l.loc(i), true
}

// First is a cursor at the lowest key.
func (x Index) First() Cursor {
	c := Cursor{root: x.root}
	if x.root != nil {
		c.descend(x.root, func(*node) int { return 0 })
	}
	return c
}

// Last is a cursor at the highest key.
func (x Index) Last() Cursor {
	c := Cursor{root: x.root}
	if x.root != nil {
		c.descend(x.root, func(n *node) int { return n.width() - 1 })
		c.pos = c.leaf.len() - 1
	}
	return c
}

// Seek is a cursor at the lowest key that is not below key.
func (x Index) Seek(key []byte) Cursor {
	c := Cursor{root: x.root}
	if x.root == nil {
		return c
	}
	c.descend(x.root, func(n *node) int { return n.child(key) })
	c.pos, _ = c.leaf.keys.search(key)
	if c.pos == c.leaf.len() {
		c.nextLeaf()
	}
	return c
}

// After is a cursor at the lowest key above key.
func (x Index) After(key []byte) Cursor {
	c := Cursor{root: x.root}
	if x.root == nil {
		return c
	}
	c.descend(x.root, func(n *node) int { return n.child(key) })
	pos, equal := c.leaf.keys.search(key)
	if equal {
		pos++
	}
	if c.pos = pos; c.pos == c.leaf.len() {
		c.nextLeaf()
	}
	return c
}

// Before is a cursor at the highest key below key.
func (x Index) Before(key []byte) Cursor {
	c := Cursor{root: x.root}
	if x.root == nil {
		return c
	}
	c.descend(x.root, func(n *node) int { return n.child(key) })
	c.pos, _ = c.leaf.keys.search(key)
	c.Prev()
	return c
}
