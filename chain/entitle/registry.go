package entitle

// Identifiers of the registry.
//
// Spec: ENT §9; entitlement-extras §3.
const (
	Subscribe     = "bridge.subscribe_event"
	Bridge        = "bridge.asset"
	GPU           = "accel.gpu"
	AttachDomain  = "dns.attach_external"
	HoldBalance   = "econ.hold_balance"
	Transfer      = "econ.transfer"
	Spawn         = "exec.spawn"
	Fetch         = "http.fetch"
	Ingress       = "ingress.http"
	IngressMCP    = "ingress.mcp"
	IngressStatic = "ingress.static"
	LLM           = "oracle.llm"
	Residency     = "sec.data_residency"
	TEE           = "sec.tee_required"
	Secrets       = "secrets.read"
	Blob          = "storage.blob"
	KV            = "storage.kv"
	Upgrade       = "sys.upgrade"
	Timers        = "timer.schedule"
	TokenBurn     = "token.burn"
	TokenCreate   = "token.create"
	TokenMint     = "token.mint"
	TokenTransfer = "token.transfer"
)

// kind is what a parameter's value is.
type kind uint8

const (
	number    kind = iota // u64, a limit: less is narrower
	floor                 // u64, a demand: more is narrower
	domains               // host names, "*.name" or "*"
	domainSet             // the name of a curated set of domains
	methods               // GET, HEAD, POST or "*"
	teeType               // one of the TEE types
	region                // one of the regions
	texts                 // names
	addresses             // 20 bytes each
	except                // names: more is narrower
	label                 // a text that permits nothing
	word                  // likewise, of letters, digits, - and _
)

// parameter is one a grant of an id may have.
type parameter struct {
	name string
	kind kind
	most uint64 // of a number, or elements of a list of names, or bytes of a label; zero: any
	// unstated is what a number is that a grant does not state; zero: unlimited.
	unstated uint64
}

// unstatedMethods are those of a grant that states none. Spec: entitlement-extras §3.
func unstatedMethods() []string { return []string{"GET", "HEAD", "POST"} }

// parametersOf lists what a grant of the id may say; ok is false for an id that is not in the registry.
//
// Spec: ENT §9.1–§9.9, §9.12; entitlement-extras §3.
func parametersOf(id string) (list []parameter, ok bool) {
	switch id {
	case Upgrade, HoldBalance, TokenBurn, TokenCreate, TokenMint, TokenTransfer:
		return nil, true
	case Spawn:
		return []parameter{{name: "max_children"}}, true
	case Fetch:
		return []parameter{{name: "allowlist_domains", kind: domains}, {name: "domain_set", kind: domainSet}, {name: "max_requests"}}, true
	case KV, Blob:
		return []parameter{{name: "max_bytes"}}, true
	case LLM:
		return []parameter{{name: "max_requests"}, {name: "max_tokens"}}, true
	case GPU:
		return []parameter{{name: "min_vram_gb", kind: floor}}, true
	case TEE:
		return []parameter{{name: "tee_type", kind: teeType}}, true
	case Residency:
		return []parameter{{name: "region", kind: region}}, true
	case Transfer:
		return []parameter{{name: "max_amount"}, {name: "max_per_block"}}, true
	case Timers:
		return []parameter{{name: "max_timers"}}, true
	case Bridge:
		return []parameter{{name: "allowlist_assets", kind: texts}}, true
	case Subscribe:
		return []parameter{{name: "allowlist_contracts", kind: addresses}}, true
	case Ingress:
		return []parameter{
			{name: "allowlist_methods", kind: methods}, {name: "max_query_cycles", most: 100_000_000, unstated: 10_000_000},
			{name: "max_request_bytes", most: 10 << 20, unstated: 1 << 20}, {name: "max_response_bytes", most: 10 << 20, unstated: 1 << 20},
			{name: "max_routes"}, {name: "receipt_ttl_blocks", most: 86_400, unstated: 3_600},
			{name: "static_volumes", kind: texts},
		}, true
	case IngressMCP:
		return []parameter{
			{name: "exclude_routes", kind: except}, {name: "max_tool_input_bytes", most: 1 << 20, unstated: 1 << 20},
			{name: "server_instructions", kind: label, most: maxText}, {name: "server_name", kind: label, most: 64},
			{name: "tool_name_prefix", kind: word, most: 32},
		}, true
	case IngressStatic:
		return []parameter{
			{name: "max_cache_bytes_total", most: 100 << 20}, {name: "max_static_response_bytes", most: 10 << 20},
			{name: "static_volume_names", kind: texts, most: 8},
		}, true
	case AttachDomain:
		return []parameter{{name: "max_bindings"}}, true
	case Secrets:
		return []parameter{{name: "keys", kind: texts}}, true
	}
	return nil, false
}

// isTEEType knows the canonical TEE types. Spec: ENT §9.13; entitlement-extras §2.1.
func isTEEType(s string) bool {
	switch s {
	case "nitro", "sev", "sgx", "tdx":
		return true
	}
	return false
}
