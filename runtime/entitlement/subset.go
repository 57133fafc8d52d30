package entitlement

import "slices"

// Within says whether m asks for nothing that outer does not grant: the rule for the manifest of an upgrade.
//
// Spec: ENT §8.3; sdk §19.1; entitlement-extras §4.
func (m *Manifest) Within(outer *Manifest) bool {
	for i := range m.Grants {
		g, ok := outer.Grant(m.Grants[i].ID)
		if !ok || !m.Grants[i].within(g) {
			return false
		}
	}
	return true
}

func (g *Grant) within(outer *Grant) bool {
	schema, _ := parametersOf(g.ID)
	for _, p := range schema {
		mine, stated := g.value(p.name)
		theirs, limited := outer.value(p.name)
		switch p.kind {
		case number:
			if limited && (!stated || mine.Number > theirs.Number) {
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
			if !allCovered(g.allowlist(), outer.allowlist()) {
				return false
			}
		case domainSet: // part of the allowlist
		case methods, texts:
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
