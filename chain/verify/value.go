package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// canonical appends bytes that two values have in common exactly when they are equal: whatever the order of names, spaces, escapes, and how a number is
// written.
func (v *Value) canonical(dst []byte) []byte {
	switch v.Kind {
	case Bool:
		return fmt.Appendf(dst, "%t", v.Truth)
	case Num:
		return append(dst, v.Number.String()...)
	case Text:
		return fmt.Appendf(dst, "%d:%s", len(v.Text), v.Text)
	case List:
		dst = append(dst, '[')
		for i := range v.List {
			dst = append(v.List[i].canonical(dst), ',')
		}
		return append(dst, ']')
	case Object:
		dst = append(dst, '{')
		for i := range v.Members {
			m := &v.Members[i]
			dst = fmt.Appendf(dst, "%d:%s", len(m.Name), m.Name)
			dst = append(m.Value.canonical(dst), ',')
		}
		return append(dst, '}')
	}
	return append(dst, "null"...)
}

// Member finds the value under a name of an object.
func (v *Value) Member(name string) (*Value, bool) {
	if v.Kind != Object {
		return nil, false
	}
	at, ok := slices.BinarySearchFunc(v.Members, name, func(m Member, name string) int { return cmp.Compare(m.Name, name) })
	if !ok {
		return nil, false
	}
	return &v.Members[at].Value, true
}

// maxSteps bounds a path.
const maxSteps = 16

// step is a part of a path: a name, a place in a list, or all places of a list.
type step struct {
	name  string
	index int
	each  bool
	list  bool
}

// parsePath reads the path of a field: names with points between them, places of lists in brackets, [*] for all places, "$" or "$." before them or
// nothing. Nothing at all is the whole value.
//
// Spec: WP-January "Extraction-Based Verification" ([*].ticker), "Freshness Requirements" (timestamp_field); runner-marketplace §6.2.
func parsePath(path string) (steps []step, ok bool) {
	path = strings.TrimPrefix(strings.TrimPrefix(path, "$"), ".")
	for path != "" {
		if len(steps) == maxSteps {
			return nil, false
		}
		var s step
		if strings.HasPrefix(path, "[") {
			inner, rest, found := strings.Cut(path[1:], "]")
			if !found || !s.place(inner) {
				return nil, false
			}
			path = rest
		} else {
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if s.name, path = path[:end], path[end:]; s.name == "" {
				return nil, false
			}
		}
		steps = append(steps, s)
		if path != "" && path[0] == '.' {
			if path = path[1:]; path == "" || path[0] == '[' || path[0] == '.' {
				return nil, false
			}
		} else if path != "" && path[0] != '[' {
			return nil, false
		}
	}
	return steps, true
}

func (s *step) place(inner string) bool {
	s.list = true
	if inner == "*" {
		s.each = true
		return true
	}
	if inner == "" || len(inner) > 5 {
		return false
	}
	for _, c := range []byte(inner) {
		if c < '0' || c > '9' {
			return false
		}
		s.index = 10*s.index + int(c-'0')
	}
	return true
}

// at finds what a path leads to; with [*] in the path it is a list. It is false where there is nothing.
func (v *Value) at(steps []step) (*Value, bool) {
	for i, s := range steps {
		switch {
		case s.each:
			if v.Kind != List {
				return nil, false
			}
			all := &Value{Kind: List}
			for j := range v.List {
				one, ok := v.List[j].at(steps[i+1:])
				if !ok {
					return nil, false
				}
				all.List = append(all.List, *one)
			}
			return all, true
		case s.list:
			if v.Kind != List || s.index >= len(v.List) {
				return nil, false
			}
			v = &v.List[s.index]
		default:
			next, ok := v.Member(s.name)
			if !ok {
				return nil, false
			}
			v = next
		}
	}
	return v, true
}

// numbers are the value's numbers: its own, or those of a list of numbers.
func (v *Value) numbers() ([]Number, bool) {
	switch v.Kind {
	case Num:
		return []Number{v.Number}, true
	case List:
		var list []Number
		for i := range v.List {
			inner, ok := v.List[i].numbers()
			if !ok {
				return nil, false
			}
			list = append(list, inner...)
		}
		return list, true
	}
	return nil, false
}
