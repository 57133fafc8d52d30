package object

// Ordered marks a class derived from dict whose iterators refuse any change of the keys, even one that keeps their
// number, as those of OrderedDict do. The classes derived from it inherit the mark.
func (t *Type) Ordered() { t.ordered = true }

// reordered says whether the keys of what it walks have changed, if that is a dict that minds.
func (it *DictIter) reordered() bool {
	return it.keys != it.d.keys && it.seq.ref.typ.ordered && it.d.used > 0
}

// movedCost is the price of moving an item: its old place stays in the way of what is searched for until the table is made anew.
const movedCost = 130

// MoveToEnd makes the item under key the last one, or the first, and says whether there is one. Nothing changes if it
// is there already. Making it the first costs a cycle for each item.
func (d *Dict) MoveToEnd(m *Machine, key Value, last bool) (bool, *Exception) {
	h, e := m.Hash(key)
	if e != nil {
		return false, e
	}
	i, e := d.find(m, key, h)
	if e != nil || i < 0 {
		return false, e
	}
	if last && d.next(i+1) < 0 || !last && d.next(0) == i {
		return true, nil
	}
	m.meter.Owe(movedCost)
	moved := d.entries[i]
	if last {
		if len(d.entries) == cap(d.entries) && !m.Grow(d.growth(), d.Value(), key) {
			return true, m.settle()
		}
		d.remove(i)
		d.append(m, moved.hash, moved.key, moved.val)
		return true, nil
	}
	copy(d.entries[1:], d.entries[:i]) // i itself becomes free
	d.entries[0] = moved
	d.keys++
	d.rebuild(m, max(cap(d.entries), d.used))
	return true, nil
}
