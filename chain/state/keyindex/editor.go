package keyindex

// Editor turns one Index into another. It is used by one goroutine; the Index
// it started from stays as it was.
type Editor struct {
	stamp uint64
	root  *node
	len   int
}

// Edit starts an edit. stamp must be above the stamp of every edit x descends
// from: nodes carrying it belong to this edit alone and are changed in place.
func (x Index) Edit(stamp uint64) *Editor {
	return &Editor{stamp: stamp, root: x.root, len: x.len}
}

// Index is the result so far. The editor must not be used after it.
func (e *Editor) Index() Index { return Index{root: e.root, len: e.len} }

// View reads the result so far; it is valid until the next change.
func (e *Editor) View() Index { return Index{root: e.root, len: e.len} }

// Put sets the location of key and gives the location it had.
func (e *Editor) Put(key []byte, location uint64) (previous uint64, existed bool) {
	if e.root == nil {
		l := (&leaf{keys: pack(0, nil)}).with(e.stamp, 0, key, location)
		e.root = &node{stamp: e.stamp, seps: pack(0, nil), leaves: []*leaf{l}}
		e.len = 1
		return 0, false
	}
	e.root = e.own(e.root)
	previous, existed, sep, right := e.put(e.root, key, location)
	if right != nil {
		e.root = &node{stamp: e.stamp, seps: pack(0, nil).with(0, sep), kids: []*node{e.root, right}}
	}
	if !existed {
		e.len++
	}
	return previous, existed
}

// Replace sets the location of a key that is present, gives the location it had,
// and appends to dst the key that follows it, cyclically. It answers ok false and
// changes nothing when the key is absent.
func (e *Editor) Replace(key []byte, location uint64, dst []byte) (previous uint64, following []byte, ok bool) {
	if e.root == nil {
		return 0, dst, false
	}
	var path [depthMax]step
	depth := 0
	for n := e.root; ; n = n.kids[path[depth-1].at] {
		path[depth] = step{n, n.child(key)}
		depth++
		if n.leaves != nil {
			break
		}
	}
	last := &path[depth-1]
	i, ok := last.node.leaves[last.at].keys.search(key)
	if !ok {
		return 0, dst, false
	}
	// Own the path from the top down.
	e.root = e.own(e.root)
	n := e.root
	for d := range depth - 1 {
		kid := e.own(n.kids[path[d].at])
		n.kids[path[d].at] = kid
		n = kid
	}
	l := e.ownLeaf(n, last.at)
	previous = l.loc(i)
	l.setLoc(i, location)
	if i+1 < l.len() {
		return previous, l.keys.appendKey(dst, i+1), true
	}
	next := e.View().After(key)
	if !next.Valid() {
		next = e.View().First()
	}
	return previous, next.AppendKey(dst), true
}

// put works on an owned node and returns a right sibling when the node split.
func (e *Editor) put(n *node, key []byte, location uint64) (previous uint64, existed bool, sep []byte, right *node) {
	at := n.child(key)
	if n.leaves != nil {
		l := n.leaves[at]
		i, found := l.keys.search(key)
		if found {
			l = e.ownLeaf(n, at)
			previous = l.loc(i)
			l.setLoc(i, location)
			return previous, true, nil, nil
		}
		e.insert(n, at, i, key, location)
	} else {
		kid := e.own(n.kids[at])
		n.kids[at] = kid
		var kidSep []byte
		var kidRight *node
		previous, existed, kidSep, kidRight = e.put(kid, key, location)
		if kidRight == nil {
			return previous, existed, nil, nil
		}
		n.seps = n.seps.with(at, kidSep)
		n.kids = insertAt(n.kids, at+1, kidRight)
	}
	if n.width() > nodeMax {
		sep, right = e.split(n)
	}
	return previous, existed, sep, right
}

// insert adds a new key to leaf at of n, splitting the leaf when it is full.
func (e *Editor) insert(n *node, at, i int, key []byte, location uint64) {
	l := n.leaves[at]
	if l.len() < leafMax {
		n.leaves[at] = l.with(e.stamp, i, key, location)
		return
	}
	cut := leafMax / 2
	if at == len(n.leaves)-1 && i == leafMax {
		cut = leafFill // ascending input leaves full leaves behind
	}
	left, right := l.part(e.stamp, 0, cut), l.part(e.stamp, cut, leafMax)
	if i <= cut {
		left = left.with(e.stamp, i, key, location)
	} else {
		right = right.with(e.stamp, i-cut, key, location)
	}
	n.leaves[at] = left
	n.seps = n.seps.with(at, right.low())
	n.leaves = insertAt(n.leaves, at+1, right)
}

// split halves an owned node.
func (e *Editor) split(n *node) (sep []byte, right *node) {
	cut := n.width() / 2
	sep = n.seps.appendKey(nil, cut-1)
	right = &node{stamp: e.stamp, seps: n.seps.slice(cut, n.seps.len())}
	n.seps = n.seps.slice(0, cut-1)
	if n.leaves != nil {
		right.leaves = append([]*leaf(nil), n.leaves[cut:]...)
		n.leaves = append([]*leaf(nil), n.leaves[:cut]...)
	} else {
		right.kids = append([]*node(nil), n.kids[cut:]...)
		n.kids = append([]*node(nil), n.kids[:cut]...)
	}
	return sep, right
}

// Remove deletes key and gives the location it had.
func (e *Editor) Remove(key []byte) (previous uint64, existed bool) {
	if e.root == nil {
		return 0, false
	}
	if _, ok := e.View().Find(key); !ok {
		return 0, false
	}
	e.root = e.own(e.root)
	previous = e.remove(e.root, key)
	e.len--
	for e.root != nil && e.root.leaves == nil && len(e.root.kids) <= 1 {
		if len(e.root.kids) == 0 {
			e.root = nil
		} else {
			e.root = e.root.kids[0]
		}
	}
	if e.root != nil && e.root.width() == 0 {
		e.root = nil
	}
	return previous, true
}

// remove works on an owned node that is known to hold key.
func (e *Editor) remove(n *node, key []byte) (previous uint64) {
	at := n.child(key)
	if n.leaves == nil {
		kid := e.own(n.kids[at])
		n.kids[at] = kid
		previous = e.remove(kid, key)
		switch {
		case kid.width() == 0:
			n.kids = removeAt(n.kids, at)
			n.seps = dropSep(n.seps, at)
		case kid.width() < nodeFew:
			e.mergeKids(n, at)
		}
		return previous
	}
	l := n.leaves[at]
	i, _ := l.keys.search(key)
	previous = l.loc(i)
	if l.len() == 1 {
		n.leaves = removeAt(n.leaves, at)
		n.seps = dropSep(n.seps, at)
		return previous
	}
	l = l.without(e.stamp, i)
	n.leaves[at] = l
	if l.len() < leafFew {
		e.mergeLeaves(n, at)
	}
	return previous
}

// mergeLeaves joins leaf at with a neighbour when the two fit in one.
func (e *Editor) mergeLeaves(n *node, at int) {
	left := neighbour(len(n.leaves), at, func(a int) int { return n.leaves[a].len() + n.leaves[a+1].len() }, leafMerge)
	if left < 0 {
		return
	}
	n.leaves[left] = joined(e.stamp, n.leaves[left], n.leaves[left+1])
	n.leaves = removeAt(n.leaves, left+1)
	n.seps = n.seps.without(left)
}

// mergeKids joins child at with a neighbour when the two fit in one.
func (e *Editor) mergeKids(n *node, at int) {
	left := neighbour(len(n.kids), at, func(a int) int { return n.kids[a].width() + n.kids[a+1].width() }, nodeMerge)
	if left < 0 {
		return
	}
	a, b := n.kids[left], n.kids[left+1]
	m := &node{stamp: e.stamp, seps: join(a.seps.with(a.seps.len(), n.seps.appendKey(nil, left)), b.seps)}
	if a.leaves != nil {
		m.leaves = append(append([]*leaf(nil), a.leaves...), b.leaves...)
	} else {
		m.kids = append(append([]*node(nil), a.kids...), b.kids...)
	}
	n.kids[left] = m
	n.kids = removeAt(n.kids, left+1)
	n.seps = n.seps.without(left)
}

// neighbour picks the left position of a pair that includes at and whose joint
// size is at most limit, or -1.
func neighbour(width, at int, joint func(left int) int, limit int) int {
	if at > 0 && joint(at-1) <= limit {
		return at - 1
	}
	if at+1 < width && joint(at) <= limit {
		return at
	}
	return -1
}

// own gives a node this edit may change.
func (e *Editor) own(n *node) *node {
	if n.stamp == e.stamp {
		return n
	}
	c := &node{stamp: e.stamp, seps: n.seps}
	if n.leaves != nil {
		c.leaves = append(make([]*leaf, 0, len(n.leaves)+1), n.leaves...)
	} else {
		c.kids = append(make([]*node, 0, len(n.kids)+1), n.kids...)
	}
	return c
}

// ownLeaf makes leaf at of an owned node changeable in its locations.
func (e *Editor) ownLeaf(n *node, at int) *leaf {
	l := n.leaves[at].owned(e.stamp)
	n.leaves[at] = l
	return l
}

func insertAt[T any](s []T, i int, v T) []T {
	var zero T
	s = append(s, zero)
	copy(s[i+1:], s[i:])
	s[i] = v
	return s
}

func removeAt[T any](s []T, i int) []T {
	var zero T
	copy(s[i:], s[i+1:])
	s[len(s)-1] = zero
	return s[:len(s)-1]
}

// dropSep removes the separator that goes with the child removed at i.
func dropSep(seps packed, i int) packed {
	if seps.len() == 0 {
		return seps
	}
	return seps.without(max(i-1, 0))
}
