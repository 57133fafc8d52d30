package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Names answers GET /names. Spec: gateway-payments-streams §A.
type Names struct {
	Names      []Name `json:"names"`
	NextCursor string `json:"next_cursor,omitempty"`
}

// Name is a registered name. Spec: gateway-payments-streams §A.1 (DomainBinding).
type Name struct {
	FQDN         string `json:"fqdn"`
	Actor        string `json:"actor_address"`
	Owner        string `json:"owner"`
	Namespace    uint64 `json:"namespace_kind"`
	TLD          uint64 `json:"tld_kind"`
	Status       string `json:"status"` // active, grace, auction or free; of a domain outside of the network pending, active or suspended
	Policy       uint64 `json:"subdomain_policy"`
	RegisteredAt uint64 `json:"registered_at"`
	ExpiresAt    uint64 `json:"expires_at"` // the first block in which it is not active
	// External is what proves a domain outside of the network; others leave it out.
	External *External `json:"external,omitempty"`
	// HTTP is what its actor takes; a list leaves it out, and so does an actor that takes no requests.
	HTTP *HTTPTerms `json:"http,omitempty"`
}

// HTTPTerms are an actor's ingress.http. Spec: entitlement-extras §3.
type HTTPTerms struct {
	Methods       []string `json:"allowlist_methods"`
	RequestBytes  uint64   `json:"max_request_bytes"`
	ResponseBytes uint64   `json:"max_response_bytes"`
	QueryCycles   uint64   `json:"max_query_cycles"`
	ReceiptBlocks uint64   `json:"receipt_ttl_blocks"`
	Volumes       []string `json:"static_volumes,omitempty"` // whose files gateways may serve
	// MCP is its ingress.mcp; an actor without it leaves it out.
	MCP *MCPTerms `json:"mcp,omitempty"`
}

// MCPTerms are an actor's ingress.mcp. Spec: entitlement-extras §3.
type MCPTerms struct {
	Name         string   `json:"server_name,omitempty"`
	Instructions string   `json:"server_instructions,omitempty"`
	Prefix       string   `json:"tool_name_prefix,omitempty"`
	Exclude      []string `json:"exclude_routes,omitempty"`
	InputBytes   uint64   `json:"max_tool_input_bytes"`
}

// ViewHTTP shows them.
func ViewHTTP(h *entitle.HTTP) *HTTPTerms {
	v := &HTTPTerms{h.Methods, h.RequestBytes, h.ResponseBytes, h.QueryCycles, h.ReceiptBlocks, h.Volumes, nil}
	if h.MCP != nil {
		mcp := MCPTerms(*h.MCP)
		v.MCP = &mcp
	}
	return v
}

// ViewName shows a name as of a height.
func ViewName(c route.Config, n *route.Named, at unit.Height) Name {
	status, _ := n.Binding.Status(c, at)
	d, _ := route.ParseDomain(n.Domain) // a registered one
	return Name{
		FQDN: n.Domain, Actor: n.Binding.Actor.String(), Owner: n.Binding.Owner.String(), Namespace: min(uint64(d.Space), 1), TLD: uint64(d.Space),
		Status: status.String(), Policy: uint64(n.Binding.Policy), RegisteredAt: uint64(n.Binding.Registered), ExpiresAt: uint64(n.Binding.Expires),
	}
}

// External is what proves a domain outside of the network. Spec: gateway-payments-streams §A.1, §A.3.
type External struct {
	Text       string `json:"txt"` // of its challenge
	TextAt     string `json:"txt_name"`
	Target     string `json:"dns_target"`
	TargetAt   string `json:"dns_name"`
	Method     uint64 `json:"method"` // 0: CNAME, 1: SRV
	ACME       string `json:"acme_target"`
	ACMEAt     string `json:"acme_name"`
	Reason     string `json:"reason,omitempty"` // of a suspension, or of the last check of a challenge
	VerifiedAt uint64 `json:"verified_at"`
	ReverifyAt uint64 `json:"next_reverify_at,omitempty"`
}

// ViewExternal shows a domain outside of the network as of a height.
func ViewExternal(d route.Domain, a *route.Attachment, at unit.Height) Name {
	standing, why := a.Standing(at)
	v := &External{
		Text: a.Text(), TextAt: route.ChallengeName + d.Label, Target: route.Edge, TargetAt: d.Label, Method: uint64(a.Method), ACME: route.ACME,
		ACMEAt: route.DelegationName + d.Label, VerifiedAt: uint64(a.Verified),
	}
	if a.Method == route.ByService {
		v.TargetAt = route.ServiceName + d.Label
	}
	if why != route.Proved {
		v.Reason = why.String()
	}
	if a.Verified > 0 {
		v.ReverifyAt = uint64(a.Due())
	}
	return Name{
		FQDN: d.Label, Actor: a.Actor.String(), Owner: a.Owner.String(), Namespace: 2, Status: standing.String(), RegisteredAt: uint64(a.Registered),
		ExpiresAt: uint64(a.Expires()), External: v,
	}
}

// NamesOf answers GET /actor/{addr}/names: domains that lead to an actor, expired ones too.
type NamesOf struct {
	Names      []string `json:"names"`
	NextCursor string   `json:"next_cursor,omitempty"`
}

// NameQuote answers GET /name/{name}/quote. Spec: gateway-payments-streams §A.3.
type NameQuote struct {
	FQDN   string `json:"fqdn"`
	Blocks uint64 `json:"duration_blocks"`
	Price  uint64 `json:"price"`  // base units, in the next block
	Status string `json:"status"` // free or auction
}

// Routes answers GET /actor/{addr}/routes: the manifest of opcode 102. Spec: storage-cbfs §3.2.
type Routes struct {
	Static  []StaticRoute  `json:"static_routes"`
	Dynamic []DynamicRoute `json:"dynamic_routes"`
}

// StaticRoute leads to the files of a volume.
type StaticRoute struct {
	Path     string `json:"path"`
	Volume   string `json:"volume"`
	Priority uint32 `json:"priority"`
}

// DynamicRoute leads to a handler.
type DynamicRoute struct {
	Method   string `json:"method"`
	Path     string `json:"path"`
	Handler  string `json:"handler"`
	Priority uint32 `json:"priority"`
}

// ViewRoutes shows a manifest of routes.
func ViewRoutes(m *route.Manifest) Routes {
	v := Routes{Static: []StaticRoute{}, Dynamic: []DynamicRoute{}}
	for _, s := range m.Static {
		v.Static = append(v.Static, StaticRoute(s))
	}
	for _, d := range m.Dynamic {
		v.Dynamic = append(v.Dynamic, DynamicRoute(d))
	}
	return v
}
