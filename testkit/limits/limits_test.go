package limits

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/gateway"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// row is a limit: what it bounds, and the constant, package.Name, file.py:NAME, or a value that genesis has and governance may change.
type row struct {
	part, what, from string
	governed         any
}

// rows are all limits, in the order of the text.
func rows() []row { return slices.Concat(names(), gateways(), streams(), payments()) }

// names are those of part A.
func names() []row {
	r := route.Genesis()
	return []row{
		{"A", "Characters of a label, at least", "chain/route.MinLabel", nil},
		{"A", "Characters of a label, at most", "chain/route.MaxLabel", nil},
		{"A", "Characters of a domain outside of the network", "chain/route.MaxExternal", nil},
		{"A", "Base fee of a name for a period, CBY", "route.Genesis().Base", uint64(r.Base / unit.CBY)},
		{"A", "Times that fee for 3 characters", "route.Genesis().Premiums[0]", r.Premiums[0]},
		{"A", "Times that fee for 4 characters", "route.Genesis().Premiums[1]", r.Premiums[1]},
		{"A", "Times that fee for 5 characters", "route.Genesis().Premiums[2]", r.Premiums[2]},
		{"A", "Blocks of a period", "route.Genesis().Period", r.Period},
		{"A", "Blocks a name is registered for, at least", "route.Genesis().Least", r.Least},
		{"A", "Periods from now a name may be paid for", "chain/route.MaxPeriods", nil},
		{"A", "Blocks of grace after a name's end", "route.Genesis().Grace", r.Grace},
		{"A", "Blocks of the auction after that", "route.Genesis().Auction", r.Auction},
		{"A", "Times the fee an auction begins with", "route.Genesis().Multiple", r.Multiple},
		{"A", "Blocks a challenge of a domain is open for", "chain/route.ChallengeBlocks", nil},
		{"A", "Blocks a check of a domain has for its verdict", "chain/route.checkBlocks", nil},
		{"A", "Blocks after which a domain is proved again", "chain/route.ReverifyBlocks", nil},
		{"A", "Blocks of grace of a domain", "chain/route.ReverifyGrace", nil},
		{"A", "Blocks the record of a domain that has ended is kept", "chain/route.KeptBlocks", nil},
		{"A", "Records of domains that a block removes", "chain/route.prunedPerBlock", nil},
		{"A", "Domains that an actor has checked in time", "domains.py:MAX_DOMAINS", nil},
		{"A", "Blocks after which it tries a check again", "domains.py:RETRY_BLOCKS", nil},
		{"A", "Routes of a manifest, of each kind", "chain/route.MaxRoutes", nil},
		{"A", "Bytes of a manifest", "chain/route.MaxManifestBytes", nil},
		{"A", "Bytes of a route's path", "chain/route.MaxPath", nil},
		{"A", "Bytes of a handler's name", "chain/route.MaxHandler", nil},
		{"A", "Bytes of a volume's name", "chain/route.MaxVolume", nil},
	}
}

// gateways are those of parts B and C.
func gateways() []row {
	g, pool := gateway.Genesis(), gateway.GenesisPool()
	return []row{
		{"B", "Stake of a gateway, CBY", "gateway.Genesis().MinStake", uint64(g.MinStake / unit.CBY)},
		{"B", "Health after a heartbeat, less 1 a block", "gateway.Genesis().Health", g.Health},
		{"B", "Blocks between the two unstakes", "gateway.Genesis().Unstake", g.Unstake},
		{"B", "Basis points of the pool by stake", "gateway.GenesisPool().StakeBPS", pool.StakeBPS},
		{"B", "Basis points of the pool by uptime", "gateway.GenesisPool().UptimeBPS", pool.UptimeBPS},
		{"B", "Blocks of an epoch of the pool", "gateway.GenesisPool().Blocks", pool.Blocks},
		{"B", "Gateways", "chain/gateway.MaxGateways", nil},
		{"B", "Bytes of an endpoint", "chain/gateway.MaxEndpoint", nil},
		{"B", "Gateways a block looks at to share out the pool", "chain/gateway.WalkPerBlock", nil},
		{"B", "Requests of an actor a second at one gateway", "actors/gateway.RequestsPerSecond", nil},
		{"B", "Requests of an actor at a time at one gateway", "actors/gateway.MaxConnections", nil},
		{"B", "Bytes of the headers of a request, 4,096 more over HTTP/1.1", "actors/gateway.MaxHeaderBytes", nil},
		{"B", "Bytes of a path with its query", "actors/gateway.maxTarget", nil},
		{"B", "Bytes of a body, whatever the actor allows", "actors/gateway.MaxBody", nil},
		{"B", "Time for the headers of a request", "actors/gateway.headerWithin", nil},
		{"B", "Time for a whole request", "actors/gateway.readWithin", nil},
		{"B", "Time an idle connection stays", "actors/gateway.IdleFor", nil},
		{"B", "Requests at a time of a connection (HTTP/2, HTTP/3)", "actors/gateway.MaxStreams", nil},
		{"B", "Time a client may wait for an answer", "actors/gateway.maxWait", nil},
		{"B", "Bytes of memory of all clients that wait", "actors/gateway.waitingBytes", nil},
		{"B", "Requests that wait to be sent", "actors/gateway.inboxCapacity", nil},
		{"B", "Queries at a time at the node", "actors/gateway.queriesAtOnce", nil},
		{"B", "Of these of one actor", "actors/gateway.actorQueries", nil},
		{"B", "Unknown hosts looked up a second", "actors/gateway.lookupsPerSecond", nil},
		{"B", "Hosts that are remembered", "actors/gateway.rememberedHosts", nil},
		{"B", "Bytes of answers that are shared until the next block", "actors/gateway.sharedBytes", nil},
		{"B", "Time from a block of the node's until it is not taken for the newest any more", "actors/gateway.silentFor", nil},
		{"B", "The same, from the block's own time", "actors/gateway.oldFor", nil},
		{"B", "Time without a block after which another stream of the node's is opened", "actors/gateway.brokenAfter", nil},
		{"B", "Streams of events at a gateway", "actors/gateway.maxFollowers", nil},
		{"B", "Of these of one actor", "actors/gateway.maxActorFollowers", nil},
		{"B", "Bytes of a file that is served, unless told otherwise", "actors/gateway.MaxStatic", nil},
		{"B", "Bytes of a file that is served, at most", "actors/gateway.StaticCeiling", nil},
		{"B", "CORS rules of a volume", "actors/gateway.maxCORSRules", nil},
		{"B", "Seconds of a CORS rule's max_age", "actors/gateway.maxCORSAge", nil},
		{"B", "Bytes of a tool's request (MCP), its input of 1 MiB and a frame", "actors/gateway.maxToolBody", nil},
		{"B", "Bytes of a tool's answer", "actors/gateway.maxToolOutput", nil},
		{"B", "Tools of an actor", "actors/gateway.maxTools", nil},
		{"B", "Bytes that a connection over QUIC may have unread to begin with", "cmd/cowboy-gateway/operate.connectionWindow", nil},
		{"B", "Bytes that a query returns, which no block holds: a response of 10 MiB and what is beside its body", "runtime/host.MaxAnswer", nil},
		{"B", "Bytes of a response beside its body", "chain/receipt.mostBeside", nil},
		{"C", "Bytes of a request's identity", "chain/receipt.IDBytes", nil},
		{"C", "Bytes of an answer that the chain keeps", "chain/receipt.MaxEnvelope", nil},
		{"C", "Blocks an expired receipt stays to say so", "chain/receipt.KeptBlocks", nil},
		{"C", "Receipts that a block removes", "chain/receipt.SweepPerBlock", nil},
	}
}

// streams are those of parts D and E.
func streams() []row {
	return []row{
		{"D", "Blocks from a close to the finalizing", "chain/session.ClosingBlocks", nil},
		{"E", "Bytes of a managed stream's name", "chain/stream.MaxName", nil},
		{"E", "Active keys of an account", "chain/stream.MaxKeys", nil},
		{"E", "Authorizations of an account for a stream", "chain/stream.MaxAuthorized", nil},
		{"E", "Content keys registered at once", "chain/stream.MaxBatch", nil},
		{"E", "Bytes of a wrapped content key", "chain/stream.MaxWrapped", nil},
		{"E", "Key epochs of a SealRequest", "chain/cbss.MaxSealed", nil},
		{"E", "SealRequests that a purchase raises", "chain/stream.MaxRaised", nil},
		{"E", "SealRequests of an account that are paid for and open", "chain/stream.MaxOpen", nil},
		{"E", "Blocks a SealRequest is open at least", "chain/stream.LeastOpen", nil},
		{"E", "Basis points of the protocol's fee", "chain/stream.MaxFeeBPS", nil},
		{"E", "Bytes of a message's payload", "streams.py:MAX_PAYLOAD", nil},
		{"E", "Bytes of a message's kind", "streams.py:MAX_KIND", nil},
		{"E", "Bytes of its content type", "streams.py:MAX_CONTENT_TYPE", nil},
		{"E", "Bytes of its tags", "streams.py:MAX_TAGS", nil},
		{"E", "Bytes of a filter", "streams.py:MAX_FILTER", nil},
		{"E", "Depth of a filter", "streams.py:FILTER_DEPTH", nil},
		{"E", "Predicates of a filter", "streams.py:FILTER_PREDICATES", nil},
		{"E", "Messages of a page", "stream_actor.py:MAX_PAGE", nil},
		{"E", "Bytes of a page", "stream_actor.py:PAGE_BYTES", nil},
		{"E", "Messages that are kept, subscribers", "stream_actor.py:MAX_CAPACITY", nil},
		{"E", "Blocks between two jobs of an ingestion", "ingestion.py:MAX_INTERVAL", nil},
		{"E", "Blocks such a job may take", "ingestion.py:MAX_TIMEOUT", nil},
		{"E", "Bytes of its task", "ingestion.py:MAX_TASK", nil},
		{"E", "Bytes of its schema", "ingestion.py:MAX_SCHEMA", nil},
		{"E", "Depth of its schema", "ingestion.py:SCHEMA_DEPTH", nil},
	}
}

// payments are those of parts F, G and H.
func payments() []row {
	return []row{
		{"F", "Prices of a policy", "chain/payment.MaxPrices", nil},
		{"F", "Assets of a policy", "chain/payment.MaxAssets", nil},
		{"F", "Bytes of a path pattern", "chain/payment.MaxPatternBytes", nil},
		{"F", "Bytes of a path that is priced", "chain/payment.MaxPathBytes", nil},
		{"F", "Methods of a price", "chain/payment.MaxMethods", nil},
		{"F", "Blocks of an epoch, unless told otherwise", "chain/payment.DefaultEpoch", nil},
		{"F", "Blocks of an epoch, at most", "chain/payment.MaxEpoch", nil},
		{"F", "Blocks until a pass expires, at most", "chain/payment.PassExpiry", nil},
		{"F", "Credits of a pass", "chain/payment.MaxCredits", nil},
		{"F", "Basis points of the protocol's fee", "chain/payment.FeeBps", nil},
		{"F", "Blocks that are left at least when a payment is taken", "chain/payment.Headroom", nil},
		{"F", "Blocks a payment is held, at most", "chain/payment.MaxHold", nil},
		{"F", "Payments a block forgets", "chain/payment.SweepPerBlock", nil},
		{"F", "Payments under way at a gateway", "actors/gateway.maxUnderWay", nil},
		{"F", "Time a policy is remembered at a gateway", "actors/gateway.termsFor", nil},
		{"G", "Bytes of a bank's name", "chain/bank.MaxNameBytes", nil},
		{"G", "Receivers of a card's policy", "chain/bank.MaxReceivers", nil},
		{"G", "Kinds of a card's policy", "chain/bank.MaxKinds", nil},
		{"G", "Bytes of a reason of a freeze", "chain/bank.MaxReasonBytes", nil},
		{"G", "Bytes of a fiat reference", "chain/bank.MaxReferenceBytes", nil},
		{"G", "Tokens that cards may pay in", "chain/bank.MaxPegs", nil},
		{"H", "Subscriptions of an emitter's topic", "chain/event.PerTopic", nil},
		{"H", "Hooks of an emit that run at once", "chain/event.SyncFires", nil},
		{"H", "Emits with hooks of a turn", "chain/event.EmitsPerTurn", nil},
		{"H", "Hooks of a turn that run at once", "chain/event.FiresPerTurn", nil},
		{"H", "Of these for what hooks emit", "chain/event.HookFires", nil},
		{"H", "Bytes of a topic", "chain/event.MaxTopic", nil},
		{"H", "Bytes of the payload of an emit with hooks", "chain/event.MaxPayload", nil},
		{"H", "Hooks of a deferred batch", "chain/event.BatchFires", nil},
		{"H", "Batches that wait", "chain/event.MaxBatches", nil},
		{"H", "Emits in hooks of emits", "chain/event.MaxDepth", nil},
		{"H", "Gas a subscription begins with, at least", "chain/event.MinPrepaid", nil},
		{"H", "Cycles whose price a registration burns", "chain/event.Registration", nil},
		{"H", "Gas below which a subscription ends", "chain/event.MinFireGas", nil},
	}
}

const head = `# Limits of the way in and the way to pay

Every number that bounds names, gateways, receipts, sessions, streams, payments, cards and hooks, by the parts of
[gateway-payments-streams](spec/gateway-payments-streams.md). The page is made from the source: ` + "`REWRITE=1 go test ./testkit/limits`" + `.
What a manifest says of ` + "`ingress.http`" + ` and ` + "`ingress.mcp`" + ` is in [entitlement-extras](spec/entitlement-extras.md).
Values with ` + "`Genesis`" + ` in their source may be governed.

| Part | What is bounded | Value | Source |
|---|---|---|---|
`

// docs/limits.md has every limit with the value that the source gives it.
//
// Spec: gateway-payments-streams §A, §B, §C, §D, §E, §F, §G, §H.
func TestLimitsPage(t *testing.T) {
	src, page := newSource(), strings.Builder{}
	page.WriteString(head)
	for _, r := range rows() {
		value, err := "", error(nil)
		file, name, inPython := strings.Cut(r.from, ":")
		i := strings.LastIndexByte(r.from, '.')
		switch {
		case r.governed != nil:
			n, ok := r.governed.(uint64)
			if !ok {
				t.Fatalf("%s: %T", r.what, r.governed)
			}
			value = grouped(int64(n))
		case inPython:
			value, err = python(file, name)
		default:
			value, err = src.value(r.from[:i], r.from[i+1:])
		}
		if err != nil {
			t.Error(err)
		}
		fmt.Fprintf(&page, "| %s | %s | %s | `%s` |\n", r.part, r.what, value, r.from)
	}
	path := filepath.Join(root, "docs/limits.md")
	if os.Getenv("REWRITE") != "" {
		if err := os.WriteFile(path, []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil || string(text) != page.String() {
		t.Errorf("docs/limits.md is not what the source says (%v): run REWRITE=1 go test ./testkit/limits", err)
	}
}

// The page has the values of the digest, which are numbers of its own text.
//
// Spec: gateway-payments-streams §A, §B, §C, §D, §E, §F, §G, §H.
func TestLimitsOfTheText(t *testing.T) {
	src := newSource()
	for from, want := range map[string]string{
		"chain/route.MinLabel": "3", "chain/route.MaxLabel": "64", "chain/route.ChallengeBlocks": "43,200", "chain/route.ReverifyBlocks": "2,592,000",
		"chain/route.ReverifyGrace": "86,400", "chain/route.KeptBlocks": "7,776,000", "actors/gateway.RequestsPerSecond": "100",
		"actors/gateway.MaxConnections": "1,000", "actors/gateway.MaxBody": "10,485,760", "actors/gateway.IdleFor": "10m0s",
		"actors/gateway.maxToolOutput": "4,194,304", "actors/gateway.maxCORSRules": "50", "chain/receipt.IDBytes": "16", "chain/session.ClosingBlocks": "75",
		"chain/stream.MaxKeys": "8", "chain/stream.MaxAuthorized": "64", "chain/stream.MaxBatch": "10,000", "chain/stream.MaxFeeBPS": "5,000",
		"chain/payment.MaxPrices": "100", "chain/payment.MaxAssets": "10", "chain/payment.DefaultEpoch": "86,400", "chain/payment.MaxEpoch": "2,592,000",
		"chain/payment.PassExpiry": "31,536,000", "chain/payment.MaxCredits": "1,000,000", "chain/payment.FeeBps": "500", "chain/payment.Headroom": "64",
		"chain/bank.MaxReceivers": "64", "chain/bank.MaxKinds": "16", "chain/bank.MaxReasonBytes": "256", "chain/event.PerTopic": "512",
		"chain/event.SyncFires": "64", "chain/event.EmitsPerTurn": "16", "chain/event.FiresPerTurn": "256", "chain/event.MaxPayload": "4,096",
		"chain/event.MaxDepth": "4", "chain/event.MinPrepaid": "50,000", "chain/event.Registration": "10,000", "chain/event.MinFireGas": "5,000",
	} {
		t.Run(from, func(t *testing.T) {
			i := strings.LastIndexByte(from, '.')
			if got, err := src.value(from[:i], from[i+1:]); err != nil || got != want {
				t.Errorf("%s, %v; the text has %s", got, err, want)
			}
		})
	}
}
