package object

import "strconv"

// written says whether CPython has the function in Python, so that its messages about
// arguments are those of Python functions.
func (b *Builtin) written() bool {
	switch b.Module {
	case "re":
		return b.Owner == nil
	case "abc":
		return b.Owner == nil && b.Name != "get_cache_token"
	}
	return false
}

// bindWritten is bind for such a function; all its parameters may be given by
// position or by name.
func (b *Builtin) bindWritten(m *Machine, a Args) (Args, *Exception) {
	pos := a.Pos()
	m.meter.Owe(b.bindCost(m.costs, len(a.Names)))
	out := make([]Value, len(b.params))
	copy(out, pos)
	for i, name := range a.Names {
		at := b.param(name)
		if at < 0 {
			return a, m.TypeError("%s() got an unexpected keyword argument '%s'", b.Name, name.s)
		}
		if at < len(pos) || out[at].ref != nil {
			return a, m.TypeError("%s() got multiple values for argument '%s'", b.Name, name.s)
		}
		out[at] = a.V[len(pos)+i]
	}
	if len(pos) > b.max {
		return a, b.tooManyWritten(m, len(pos))
	}
	var missing []string
	for i := range b.min {
		if out[i].ref == nil {
			missing = append(missing, b.params[i].s)
		}
	}
	if len(missing) > 0 {
		return a, m.MissingArguments(b.Name, "positional", missing)
	}
	return Args{V: out}, nil
}

func (b *Builtin) tooManyWritten(m *Machine, given int) *Exception {
	takes, verb := strconv.Itoa(b.max), "were"
	if b.min < b.max {
		takes = "from " + strconv.Itoa(b.min) + " to " + takes
	}
	if given == 1 {
		verb = "was"
	}
	return m.TypeError("%s() takes %s positional argument%s but %d %s given", b.Name, takes, Plural(b.max), given, verb)
}
