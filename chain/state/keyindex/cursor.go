package keyindex

// depthMax bounds the height of a tree: 16^9 keys at the poorest fill.
const depthMax = 10

// Cursor is a place in an Index. It stays valid as long as it is kept, because
// the Index it came from never changes. The zero value is at no key.
type Cursor struct {
	root  *node
	path  [depthMax]step
	depth int
	leaf  *leaf
	pos   int
}

type step struct {
	node *node
	at   int
}

// Valid reports whether the cursor is at a key.
func (c *Cursor) Valid() bool { return c.leaf != nil }

// Location is the location of the current key.
func (c *Cursor) Location() uint64 { return c.leaf.loc(c.pos) }

// AppendKey appends the current key to dst.
func (c *Cursor) AppendKey(dst []byte) []byte { return c.leaf.keys.appendKey(dst, c.pos) }

// Next moves to the following key; past the last one the cursor is at no key.
func (c *Cursor) Next() {
	if c.pos++; c.pos == c.leaf.len() {
		c.nextLeaf()
	}
}

// Prev moves to the preceding key; before the first one the cursor is at no key.
func (c *Cursor) Prev() {
	if c.pos--; c.pos >= 0 {
		return
	}
	for c.depth > 0 {
		s := &c.path[c.depth-1]
		if s.at > 0 {
			s.at--
			c.fall(s, func(n *node) int { return n.width() - 1 })
			c.pos = c.leaf.len() - 1
			return
		}
		c.depth--
	}
	c.leaf = nil
}

func (c *Cursor) nextLeaf() {
	for c.depth > 0 {
		s := &c.path[c.depth-1]
		if s.at+1 < s.node.width() {
			s.at++
			c.fall(s, func(*node) int { return 0 })
			c.pos = 0
			return
		}
		c.depth--
	}
	c.leaf = nil
}

// fall enters the child a step points at and goes down to a leaf.
func (c *Cursor) fall(s *step, pick func(*node) int) {
	if s.node.leaves != nil {
		c.leaf = s.node.leaves[s.at]
		return
	}
	c.descend(s.node.kids[s.at], pick)
}

func (c *Cursor) descend(n *node, pick func(*node) int) {
	for {
		at := pick(n)
		c.path[c.depth] = step{n, at}
		c.depth++
		if n.leaves != nil {
			c.leaf = n.leaves[at]
			return
		}
		n = n.kids[at]
	}
}
