package object

// indexOf returns the position of the first element equal to item, from start
// up to stop, or -1.
func (m *Machine) indexOf(items func() []Value, item Value, start, stop int) (int, *Exception) {
	for i := start; i < len(items()) && i < stop; i++ {
		if i&3 == 0 {
			if e := m.Charge(4 * m.costs.ListAccess); e != nil {
				return 0, e
			}
		}
		all := items()
		group := all[i:min(len(all), stop, (i|3)+1)]
		n := differing(group, item)
		if i += n; n == len(group) {
			i--
			continue
		}
		same, e := m.Same(all[i], item)
		if e != nil {
			return 0, e
		}
		if same {
			return i, nil
		}
	}
	return -1, nil
}

// differing is how many values at the beginning are known by their kinds and words not to equal item, which costs nothing beside looking
// at them.
func differing(vals []Value, item Value) int {
	switch item.ref.kind {
	case KindInt:
		for i, v := range vals {
			if v.bits == item.bits || v.ref != item.ref {
				return i
			}
		}
	case KindStr:
		size := len(item.str().s)
		for i, v := range vals {
			if v.ref.kind > KindStr || v.ref.kind == KindStr && len(v.str().s) == size {
				return i
			}
		}
	default:
		return 0
	}
	return len(vals)
}
