package entitle

import (
	"math"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// HTTP is what an actor's ingress.http allows, with what it does not state filled in.
//
// Spec: entitlement-extras §3; gateway-payments-streams §B.
type HTTP struct {
	Methods       []string // ascending; "*" is every method
	RequestBytes  uint64   // of a body
	ResponseBytes uint64   // of a body
	QueryCycles   uint64
	ReceiptBlocks uint64 // that a receipt lasts
	Volumes       []string
	MCP           *MCP // nil: its handlers are no tools
}

// MCP is what an actor's ingress.mcp says of its handlers as tools.
//
// Spec: entitlement-extras §3; gateway-payments-streams §B (MCP).
type MCP struct {
	Name, Instructions string   // of the server; "": the gateway's choice
	Prefix             string   // of the tools' names
	Exclude            []string // paths of routes, and handlers, that are no tools
	InputBytes         uint64   // of a tool's arguments
}

// Allows reports whether requests of a method may reach the actor.
func (h *HTTP) Allows(method string) bool {
	return slices.Contains(h.Methods, "*") || slices.Contains(h.Methods, method)
}

// HTTPOf reads what an actor's manifest says of requests over HTTP; ok is false for one that does not declare ingress.http, and for one without a manifest.
//
// Spec: gateway-payments-streams §A.2 (the target must declare it), §B.
func HTTPOf(r state.Reader, actor account.Address) (h HTTP, ok bool, err error) {
	raw, found, err := r.Lookup(Key(actor))
	if err != nil || !found {
		return HTTP{}, false, err
	}
	m, err := Parse(raw)
	if err != nil {
		return HTTP{}, false, err
	}
	g, ok := m.Grant(Ingress)
	if !ok {
		return HTTP{}, false, nil
	}
	h.Volumes = slices.Clone(g.Texts("static_volumes"))
	if static, both := m.Grant(IngressStatic); both {
		h.Volumes = append(h.Volumes, static.Texts("static_volume_names")...)
	}
	if tools, both := m.Grant(IngressMCP); both {
		h.MCP = mcpOf(tools)
	}
	numbers := map[string]*uint64{
		"max_request_bytes": &h.RequestBytes, "max_response_bytes": &h.ResponseBytes, "max_query_cycles": &h.QueryCycles,
		"receipt_ttl_blocks": &h.ReceiptBlocks,
	}
	schema, _ := parametersOf(Ingress)
	for _, p := range schema {
		if p.kind == methods {
			h.Methods = slices.Clone(g.methods(p))
		} else if at := numbers[p.name]; at != nil {
			*at = g.numberOr(p)
		}
	}
	return h, true, nil
}

func mcpOf(g *Grant) *MCP {
	text := func(name string) string {
		v, _ := g.value(name)
		return v.Text
	}
	m := &MCP{Name: text("server_name"), Instructions: text("server_instructions"), Prefix: text("tool_name_prefix")}
	m.Exclude = slices.Clone(g.Texts("exclude_routes"))
	schema, _ := parametersOf(IngressMCP)
	for _, p := range schema {
		if p.kind == number {
			m.InputBytes = g.numberOr(p)
		}
	}
	return m
}

// DomainsOf is how many domains outside of the network an actor's manifest lets lead to it; ok is false for one that does not declare dns.attach_external.
//
// Spec: entitlement-extras §3 (dns.attach_external, max_bindings).
func DomainsOf(r state.Reader, actor account.Address) (most uint64, ok bool, err error) {
	raw, found, err := r.Lookup(Key(actor))
	if err != nil || !found {
		return 0, false, err
	}
	m, err := Parse(raw)
	if err != nil {
		return 0, false, err
	}
	g, ok := m.Grant(AttachDomain)
	if !ok {
		return 0, false, nil
	}
	v, stated := g.value("max_bindings")
	if !stated {
		return math.MaxUint64, true, nil
	}
	return v.Number, true, nil
}
