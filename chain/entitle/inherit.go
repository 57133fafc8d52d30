package entitle

import "slices"

// Known says whether an identifier is in the registry of this protocol version.
//
// Spec: ENT §9, §9.10.
func Known(id string) bool {
	_, ok := parametersOf(id)
	return ok
}

// Inheritable says whether an actor may pass an entitlement to a child it spawns. Those the seed's registry does not list are not.
//
// Spec: ENT §7, §9.1–§9.9; entitlement-extras §3; WP §15 ("only inherit entitlements marked inheritable").
func Inheritable(id string) bool {
	switch id {
	case Spawn, Fetch, KV, Blob, TEE, Residency, HoldBalance, Timers:
		return true
	}
	return false
}

// Inheritance is the part of a manifest that a child may have: the most a child is given, and what it is given when nothing less is asked for.
//
// Spec: ENT §7.
func (m *Manifest) Inheritance() *Manifest {
	child := &Manifest{}
	for _, g := range m.Grants {
		if Inheritable(g.ID) {
			child.Grants = append(child.Grants, g)
		}
	}
	return child
}

// Complete refuses a manifest with a grant that states none of the parameters the registry lists for it; of http.fetch, with a grant that names no
// domains. The error wraps ErrManifest.
//
// ENT contradicts itself here. §10 makes "parameter schemas mandatory when the registry lists params", which read word by word would want every
// listed parameter; the manifests ENT prints in §3.3 and §12.1 state one of two or three (econ.transfer without max_per_block, http.fetch without
// domain_set and max_requests, oracle.llm without max_requests). The reading under which those are valid is that a grant whose entitlement has
// parameters says at least one of them. ingress.http and ingress.mcp are exempt, since each of their parameters has a default; ingress.mcp needs ingress.http.
//
// Spec: ENT §10 (mandatory parameters), §3.2, §3.3, §12.1; entitlement-extras §3.
func (m *Manifest) Complete() error {
	for i := range m.Grants {
		g := &m.Grants[i]
		schema, _ := parametersOf(g.ID)
		if _, http := m.Grant(Ingress); g.ID == IngressMCP && !http {
			return invalid("%s needs %s", IngressMCP, Ingress)
		}
		if len(schema) == 0 || g.ID == Ingress || g.ID == IngressMCP || slices.ContainsFunc(mandatory(g.ID, schema), g.states) {
			continue
		}
		return invalid("%s states none of the parameters it needs", g.ID)
	}
	return nil
}

// mandatory are the parameters of which a grant has to state one.
func mandatory(id string, schema []parameter) []string {
	switch id {
	case Fetch:
		return []string{"allowlist_domains", "domain_set"}
	case IngressStatic:
		return []string{"static_volume_names"}
	}
	names := make([]string, len(schema))
	for i, p := range schema {
		names[i] = p.name
	}
	return names
}

func (g *Grant) states(name string) bool {
	_, ok := g.value(name)
	return ok
}
