package entitle

import "slices"

// Within says whether m asks for nothing that outer does not grant: the rule for the manifest of an upgrade and for that of a child. What a grant does not
// state is what the registry says it is then.
//
// Spec: ENT §7, §8.3; sdk §19.1; entitlement-extras §3, §4.
func (m *Manifest) Within(outer *Manifest, sets *Sets) bool {
	for i := range m.Grants {
		g, ok := outer.Grant(m.Grants[i].ID)
		if !ok || !m.Grants[i].within(g, sets) {
			return false
		}
	}
	return true
}

func (g *Grant) within(outer *Grant, sets *Sets) bool {
	schema, _ := parametersOf(g.ID)
	for _, p := range schema {
		mine, stated := g.value(p.name)
		theirs, limited := outer.value(p.name)
		switch p.kind {
		case number:
			if p.unstated > 0 {
				if g.numberOr(p) > outer.numberOr(p) {
					return false
				}
			} else if limited && (!stated || mine.Number > theirs.Number) {
				return false
			}
		case floor:
			if limited && (!stated || mine.Number < theirs.Number) {
				return false
			}
		case teeType, region:
			if limited && (!stated || mine.Text != theirs.Text) {
				return false
			}
		case domains:
			if !allCovered(g.allowlist(sets), outer.allowlist(sets)) {
				return false
			}
		case domainSet: // part of the allowlist
		case label, word: // permits nothing
		case except:
			if !containsAll(mine.Texts, theirs.Texts) {
				return false
			}
		case methods:
			if !containsAll(outer.methods(p), g.methods(p)) {
				return false
			}
		case texts:
			if !containsAll(theirs.Texts, mine.Texts) {
				return false
			}
		case addresses:
			for _, a := range mine.Addresses {
				if _, found := slices.BinarySearchFunc(theirs.Addresses, a, compareAddresses); !found {
					return false
				}
			}
		}
	}
	return true
}

// numberOr is a parameter that is a number also where the grant does not state it.
func (g *Grant) numberOr(p parameter) uint64 {
	if n, stated := g.Number(p.name); stated {
		return n
	}
	return p.unstated
}

// methods are those that a grant allows.
func (g *Grant) methods(p parameter) []string {
	if v, stated := g.value(p.name); stated {
		return v.Texts
	}
	return unstatedMethods()
}

func allCovered(list, outer []string) bool {
	for _, d := range list {
		if !slices.ContainsFunc(outer, func(p string) bool { return covers(p, d) }) {
			return false
		}
	}
	return true
}

func containsAll(outer, list []string) bool {
	if slices.Contains(outer, wildcard) {
		return true
	}
	for _, s := range list {
		if !slices.Contains(outer, s) {
			return false
		}
	}
	return true
}
