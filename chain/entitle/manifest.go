package entitle

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// ErrManifest reports a manifest no actor may be deployed with; the text around it says why.
var ErrManifest = errors.New("entitlement: invalid manifest")

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrManifest, fmt.Sprintf(format, args...))
}

// Bounds of a parameter. Spec: entitlement-extras §3.1.
const (
	maxText = 256 // bytes
	maxList = 64  // elements
)

// Value is a parameter's value; which field counts follows from its name.
type Value struct {
	Number    uint64
	Text      string
	Texts     []string          // ascending
	Addresses []account.Address // ascending
}

// Param is one parameter of a grant.
type Param struct {
	Name  string
	Value Value
}

// Grant is one permission with its limits. Params ascend by name.
type Grant struct {
	ID     string
	Params []Param
}

// Manifest is what an actor may do, ascending by id.
type Manifest struct{ Grants []Grant }

// Grant finds the grant of an id.
func (m *Manifest) Grant(id string) (*Grant, bool) {
	i, found := slices.BinarySearchFunc(m.Grants, id, func(g Grant, id string) int { return compare(g.ID, id) })
	if !found {
		return nil, false
	}
	return &m.Grants[i], true
}

// Number is a parameter that limits; ok is false if the grant does not state it.
func (g *Grant) Number(name string) (n uint64, ok bool) {
	v, ok := g.value(name)
	return v.Number, ok
}

// Texts are the elements of a list parameter; none if the grant does not state it.
func (g *Grant) Texts(name string) []string {
	v, _ := g.value(name)
	return v.Texts
}

func (g *Grant) value(name string) (Value, bool) {
	for _, p := range g.Params {
		if p.Name == name {
			return p.Value, true
		}
	}
	return Value{}, false
}

// Parse reads a manifest: its canonical form, the array of grants alone, or JSON {"entitlements": [...]}. The error wraps ErrManifest.
//
// Spec: ENT §3.3, §10, Appendix A; sdk §19.1; entitlement-extras §4.
func Parse(data []byte) (*Manifest, error) {
	if len(data) > params.MaxManifestBytes {
		return nil, invalid("%d bytes; at most %d are allowed", len(data), params.MaxManifestBytes)
	}
	var v any
	var err error
	if isJSON(data) {
		v, err = readJSON(data)
	} else {
		v, err = cbor.Parse(data)
	}
	if err != nil {
		return nil, invalid("%v", err)
	}
	if fields, ok := v.(cbor.Map); ok {
		list, found := fields.Lookup("entitlements")
		if !found || len(fields) != 1 {
			return nil, invalid("a manifest is a map with the key entitlements and no other")
		}
		v = list
	}
	list, ok := v.([]any)
	if !ok {
		return nil, invalid("entitlements is not a list")
	}
	return readGrants(list)
}

// readGrants reads a list of grants, ascending by id.
//
// Spec: ENT §10.
func readGrants(list []any) (*Manifest, error) {
	m := &Manifest{Grants: make([]Grant, 0, min(len(list), maxList))}
	for _, item := range list {
		g, err := readGrant(item)
		if err != nil {
			return nil, err
		}
		if n := len(m.Grants); n > 0 {
			switch last := m.Grants[n-1].ID; {
			case last == g.ID:
				return nil, invalid("%s is granted twice", g.ID)
			case last > g.ID:
				return nil, invalid("%s stands behind %s; grants are sorted by id", g.ID, last)
			}
		}
		m.Grants = append(m.Grants, g)
	}
	return m, nil
}

// readGrant reads one grant and holds it against the registry.
//
// Spec: ENT §3.2, §10.
func readGrant(v any) (Grant, error) {
	fields, ok := v.(cbor.Map)
	if !ok {
		return Grant{}, invalid("a grant is not a map")
	}
	given, _ := fields.Lookup("id")
	id, ok := given.(string)
	if !ok {
		return Grant{}, invalid("a grant has no id")
	}
	schema, ok := parametersOf(id)
	if !ok {
		return Grant{}, invalid("%.64q is not in the registry", id)
	}
	g := Grant{ID: id}
	for _, field := range fields {
		if field.Key == "id" {
			continue
		}
		stated, ok := field.Value.(cbor.Map)
		if field.Key != "params" || !ok {
			return Grant{}, invalid("%s: a grant has id and params, a map, and nothing else", id)
		}
		for _, p := range schema {
			value, found := stated.Lookup(p.name)
			if !found {
				continue
			}
			read, err := p.read(value)
			if err != nil {
				return Grant{}, invalid("%s.%s: %v", id, p.name, err)
			}
			g.Params = append(g.Params, Param{p.name, read})
		}
		if len(g.Params) != len(stated) {
			return Grant{}, invalid("%s has a parameter the registry does not list", id)
		}
	}
	slices.SortFunc(g.Params, func(a, b Param) int { return compare(a.Name, b.Name) })
	return g, nil
}

// Encode gives the canonical form.
//
// Spec: ENT A (actor-entitlements), §4.
func (m *Manifest) Encode() []byte { return encode(cbor.Map{{Key: "entitlements", Value: m.plain()}}) }

// plain is the list of the grants as CBOR has it.
func (m *Manifest) plain() []any {
	list := make([]any, len(m.Grants))
	for i := range m.Grants {
		g := &m.Grants[i]
		fields := cbor.Map{{Key: "id", Value: g.ID}}
		if len(g.Params) > 0 {
			stated := make(cbor.Map, len(g.Params))
			for j, p := range g.Params {
				stated[j] = cbor.Pair{Key: p.Name, Value: p.plain(g.ID)}
			}
			fields = append(fields, cbor.Pair{Key: "params", Value: stated})
		}
		list[i] = fields
	}
	return list
}

// Plain gives a grant's parameters as plain values for readers: integers, texts, lists of texts; addresses as texts.
func (g *Grant) Plain() map[string]any {
	list := map[string]any{}
	for i := range g.Params {
		p := &g.Params[i]
		list[p.Name] = p.plain(g.ID)
		if n := len(p.Value.Addresses); n > 0 {
			texts := make([]string, n)
			for j, a := range p.Value.Addresses {
				texts[j] = a.String()
			}
			list[p.Name] = texts
		}
	}
	return list
}

func (p *Param) plain(id string) any {
	schema, _ := parametersOf(id)
	for _, s := range schema {
		if s.name != p.Name {
			continue
		}
		switch s.kind {
		case number, floor:
			return p.Value.Number
		case domainSet, teeType, region, label, word:
			return p.Value.Text
		case addresses:
			list := make([]any, len(p.Value.Addresses))
			for i := range p.Value.Addresses {
				list[i] = p.Value.Addresses[i][:]
			}
			return list
		}
		list := make([]any, len(p.Value.Texts))
		for i, t := range p.Value.Texts {
			list[i] = t
		}
		return list
	}
	panic("entitlement: a parameter outside the registry")
}

func compare[T ~string](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func compareAddresses(a, b account.Address) int { return bytes.Compare(a[:], b[:]) }
