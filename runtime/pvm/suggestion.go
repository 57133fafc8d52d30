package pvm

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// What CPython's suggestions cost: moving a character, changing its case; the most
// names looked at, and the longest differing part of one.
const (
	moveCost     = 2
	caseCost     = 1
	maxNames     = 750
	maxDiffering = 40
)

// suggestion is the name that a program perhaps meant where it used one that does not
// exist; "" if nothing is near enough.
func (p *printer) suggestion(e *object.Exception) string {
	name := e.Field(0)
	if name.IsZero() || name.Kind() != object.KindStr || len(e.Trace) == 0 {
		return ""
	}
	wrong, _ := name.AsStr()
	switch e.Type() {
	case &object.ExcAttributeError:
		if e.Field(1).IsZero() {
			return ""
		}
		return nearest(wrong.String(), p.attributes(e.Field(1)))
	case &object.ExcNameError:
		code := e.Trace[0].Code
		var locals []string
		for _, n := range code.VarNames {
			locals = append(locals, n.String())
		}
		if found := nearest(wrong.String(), locals); found != "" {
			return found
		}
		if mod, ok := p.m.Modules[code.Unit.Name]; ok {
			if found := nearest(wrong.String(), keys(mod.Dict)); found != "" {
				return found
			}
		}
		return nearest(wrong.String(), keys(object.Builtins()))
	}
	return ""
}

// attributes is dir() of an object.
func (p *printer) attributes(v object.Value) []string {
	dir, _ := object.Builtins().GetStr(object.StaticName("dir"))
	list, failed := p.m.Call(dir, object.Positional(v))
	if failed != nil {
		return nil
	}
	l, ok := list.AsList()
	if !ok {
		return nil
	}
	var names []string
	for _, x := range l.Items() {
		s, ok := x.AsStr()
		if !ok {
			return nil
		}
		names = append(names, s.String())
	}
	return names
}

func keys(d *object.Dict) []string {
	var names []string
	d.Each(func(key, _ object.Value) bool {
		if s, ok := key.AsStr(); ok {
			names = append(names, s.String())
		}
		return true
	})
	return names
}

// nearest returns the first of the names nearest to a wrong one, if no more than a
// third of the characters of both would have to change.
func nearest(wrong string, names []string) string {
	if len(names) >= maxNames {
		return ""
	}
	found, best := "", -1
	for _, n := range names {
		if n == wrong {
			continue
		}
		limit := (len(wrong) + len(n) + 3) * moveCost / 6
		if best >= 0 {
			limit = min(limit, best-1)
		}
		if d := distance(wrong, n, limit); d <= limit {
			found, best = n, d
		}
	}
	return found
}

// distance is the cost of turning a into b, byte by byte; something beyond limit
// once it cannot be within.
func distance(a, b string, limit int) int {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(b) < len(a) {
		a, b = b, a
	}
	if a == "" {
		return len(b) * moveCost
	}
	if len(b) > maxDiffering || (len(b)-len(a))*moveCost > limit {
		return limit + 1
	}
	var row [maxDiffering]int // costs of turning the text of b so far into the beginnings of a
	for i := range len(a) {
		row[i] = (i + 1) * moveCost
	}
	result := 0
	for j := range len(b) {
		diagonal := j * moveCost
		result = diagonal
		least := -1
		for i := range len(a) {
			change := diagonal + changeCost(b[j], a[i])
			diagonal = row[i]
			result = min(min(result, diagonal)+moveCost, change)
			row[i] = result
			if least < 0 || result < least {
				least = result
			}
		}
		if least > limit {
			return limit + 1
		}
	}
	return result
}

// changeCost is the cost of one character in place of another.
func changeCost(a, b byte) int {
	lower := func(c byte) byte {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return c
	}
	switch {
	case a == b:
		return 0
	case lower(a) == lower(b):
		return caseCost
	}
	return moveCost
}
