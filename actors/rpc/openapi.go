package rpc

import (
	"encoding"
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Call describes one route for the OpenAPI document.
type Call struct {
	Method, Path, Summary string
	Query                 []string // name:type:what it means
	Body                  any      // of the request: "" for none, a media type for bytes, or a value of the type that is its JSON
	Reply                 any      // a value of the type that is its JSON, a Media, or nil for text
}

// Media is the type of a reply of bytes.
type Media string

// group is the calls that stand below one heading.
type group struct {
	name  string
	calls []Call
}

// groups lists the interface in the order of the document. Spec: node-rpc-cli §2.
func groups() []group {
	return []group{
		{"Chain", chainCalls()}, {"Actors", append(actorReads(), actorCalls()...)}, {"Light clients", lightCalls()}, {"Validators", validatorCalls()},
		{"Governance", governanceCalls()},
		{"Coins and fees", append(flowCalls(), feeCalls()...)}, {"Tokens", tokenCalls()}, {"Entitlements", entitlementCalls()}, {"Rent", rentCalls()},
		{"Cards", bankCalls()}, {"Runners", slices.Concat(marketCalls(), containerCalls(), delegationCalls(), collateralCalls())}, {"Sessions", sessionCalls()},
		{"Secrets", append(secretCalls(), proxyCalls()...)}, {"Volumes", append(volumeCalls(), retentionCalls()...)}, {"Names and gateways", nameCalls()},
		{"Payments", paymentCalls()}, {"Streams", paidStreamCalls()}, {"Subscriptions", subscriptionCalls()},
	}
}

// paged are the parameters of long lists.
func paged() []string {
	return []string{"offset:integer:how many to skip", "limit:integer:how many to give, 50 unless told, at most 1000, and fewer where they are large"}
}

// chainCalls are the calls about blocks, transactions and state.
func chainCalls() []Call {
	pages := paged()
	following := []string{
		"kinds:string:list of blocks, receipts, events", "actor:string:only what concerns this address", "topic:string:only events with this topic",
		"cursor:string:resume after this id",
	}
	list := func(extra ...string) []string { return append(extra, pages...) }
	return []Call{
		{"get", "/health", "OK while the process answers", nil, "", nil},
		{"get", "/health/ready", "whether the node serves finalized state and takes transactions", nil, "", wire.Ready{}},
		{"get", "/health/detailed", "state of the node and its parts", nil, "", wire.Health{}},
		{"get", "/height", "newest finalized and committed heights", nil, "", wire.Height{}},
		{"get", "/basefee", "prices the next block charges", nil, "", wire.Basefee{}},
		{"get", "/tree", "the supervision tree", nil, "", supervision.Status{}},
		{"get", "/blocks", "blocks, newest first", pages, "", wire.Blocks{}},
		{"get", "/block/latest", "newest finalized block", nil, "", wire.Block{}},
		{"get", "/block/height/{height}", "block at a height", nil, "", wire.Block{}},
		{"get", "/block/height/{height}/receipts", "receipts of a block in their order", nil, "", []wire.Receipt{}},
		{"get", "/block/{hash}", "block with a hash", nil, "", wire.Block{}},
		{"post", "/submit", "submit up to 50 transactions: the tagged binary list, one canonical transaction, or JSON", nil, "application/octet-stream",
			wire.SubmitReply{}},
		{"post", "/submit_wait", "submit and wait for the receipts", []string{"timeout_ms:integer:100 to 10000"}, "application/octet-stream",
			wire.SubmitWaitReply{}},
		{"get", "/transaction/{hash}", "an included transaction", nil, "", wire.Transaction{}},
		{"get", "/transaction/{hash}/receipt", "its receipt; 404 until it is included", nil, "", wire.Receipt{}},
		{"get", "/trace/{hash}", "the causal tree of a transaction, message or timer fire, from pending to settled",
			[]string{"wait_ms:integer:wait until it is settled"}, "", wire.Trace{}},
		{"get", "/explain/{hash}", "where a final execution failed, found by executing its block again; on development networks what was printed",
			[]string{"format:string:text gives the traceback alone"}, "", wire.Explanation{}},
		{"post", "/simulate", "what would become of one transaction, signed or not, in the next block", nil, "application/octet-stream", wire.Simulation{}},
		{"get", "/mempool/transaction/{hash}", "a waiting transaction", nil, "", wire.Transaction{}},
		{"get", "/account/{addr}", "an account; 404 when it never received funds", nil, "", wire.Account{}},
		{"get", "/account/{addr}/transactions", "an account's transactions, newest first", pages, "", struct {
			Transactions []wire.Transaction `json:"transactions"`
			TotalCount   uint64             `json:"total_count"`
		}{}},
		{"get", "/series/{name}", "what blocks held together in equal stretches of time: minutes, quarters or hours", nil, "", wire.Series{}},
		{"get", "/timers", "timers due at a height", list("height:integer:target height"), "", wire.Timers{}},
		{"get", "/state/{addr}/{key}", "one storage entry, with a proof if asked for", []string{"prove:boolean:give a proof"}, "", wire.Value{}},
		{"get", "/state/at/{height}/{addr}/{key}", "one storage entry at an older height, at most 100,000 blocks back", []string{"prove:boolean:give a proof"},
			"", wire.Value{}},
		{"get", "/proof/account/{addr}", "membership or exclusion of an account", nil, "", wire.Proof{}},
		{"get", "/proof/actor/{addr}", "membership or exclusion of an actor's account", nil, "", wire.Proof{}},
		{"get", "/proof/storage/{addr}/{key}", "membership or exclusion of a storage entry", nil, "", wire.Value{}},
		{"get", "/proof/record/{addr}/{key}", "membership or exclusion of what a system actor keeps", nil, "", wire.Proof{}},
		{"get", "/proof/tx/{hash}", "inclusion of a transaction in its block", nil, "", wire.Proof{}},
		{"get", "/proof/receipt/{hash}", "inclusion of a receipt in its block", nil, "", wire.Proof{}},
		{"get", "/parameters", "the governed parameters the next block executes under", nil, "", []wire.Parameter{}},
		{"post", "/faucet", "coins on local and development networks", nil, struct {
			Address string `json:"address"`
		}{}, wire.Faucet{}},
		{"get", "/stream", "finalized blocks, receipts and events as server-sent events; resumes after Last-Event-ID",
			following, "", nil},
		{"get", "/ws", "the same to a WebSocket client: text frames of JSON with id, kind and data", following, "", nil},
	}
}

// actorReads are the calls that read an actor.
func actorReads() []Call {
	pages := paged()
	return []Call{
		{"post", "/actor/{addr}/read_handler", "a handler run on a committed state, for nothing", nil, wire.ReadRequest{}, wire.ReadReply{}},
		{"get", "/actor/{addr}", "an actor with its storage", []string{"cursor:string:continues a long storage", "limit:integer:storage entries to give"}, "",
			wire.Actor{}},
		{"get", "/actor/{addr}/code", "an actor's source", nil, "", wire.Code{}},
		{"get", "/actor/{addr}/logs", "an actor's executions, newest first", pages, "", wire.Logs{}},
		{"get", "/actor/{addr}/events", "an actor's newest events", []string{"cursor:string:events after this one", "limit:integer:how many"}, "",
			wire.Events{}},
		{"get", "/actor/{addr}/timers", "an actor's pending timers by height", pages, "", wire.Timers{}},
	}
}

func openAPI(w http.ResponseWriter, _ *http.Request) { writeJSON(w, http.StatusOK, Document()) }

// DocumentPath is where the description of the interface is served.
const DocumentPath = "/api-docs/openapi.json"

// Document is the OpenAPI 3.0 description of the interface, with more calls of whoever stands before it, who controls a development network.
func Document(more ...Call) map[string]any {
	schemas := map[string]any{}
	paths := map[string]any{}
	tags := []any{}
	for _, g := range append(groups(), group{"Development", more}) {
		if len(g.calls) > 0 {
			tags = append(tags, map[string]any{"name": g.name})
		}
		for _, c := range g.calls {
			op := operation(c, schemas)
			op["tags"] = []string{g.name}
			item, _ := paths[c.Path].(map[string]any)
			if item == nil {
				item = map[string]any{}
				paths[c.Path] = item
			}
			item[c.Method] = op
		}
	}
	return map[string]any{
		"openapi": "3.0.3",
		"info": map[string]any{"title": "Cowboy node", "version": "1.0.0",
			"description": "HTTP interface of a Cowboy node. Amounts are base units: 1 CBY = 1,000,000,000."},
		"tags":       tags,
		"paths":      paths,
		"components": map[string]any{"schemas": schemas},
	}
}

// operation describes a call.
func operation(c Call, schemas map[string]any) map[string]any {
	failure := response("refused or failed", "application/json", schemaOf(reflect.TypeOf(wire.Error{}), schemas))
	op := map[string]any{"summary": c.Summary, "operationId": operationID(c), "parameters": parameters(c)}
	status, media, schema := "200", "text/plain", map[string]any{"type": "string"}
	switch reply := c.Reply.(type) {
	case nil:
	case Media:
		media, schema = string(reply), map[string]any{"type": "string", "format": "binary"}
	case wire.DevAccepted:
		status = "202"
		media, schema = "application/json", schemaOf(reflect.TypeOf(reply), schemas)
	default:
		media, schema = "application/json", schemaOf(reflect.TypeOf(reply), schemas)
	}
	switch c.Path {
	case "/stream":
		media = "text/event-stream"
	case "/ws":
		status = "101"
	}
	op["responses"] = map[string]any{status: response(c.Summary, media, schema), "default": failure}
	if body := requested(c.Body, schemas); body != nil {
		op["requestBody"] = map[string]any{"required": true, "content": body}
	}
	return op
}

func response(text, media string, schema map[string]any) map[string]any {
	return map[string]any{"description": text, "content": map[string]any{media: map[string]any{"schema": schema}}}
}

// requested is the content of a request, nil for none.
func requested(body any, schemas map[string]any) map[string]any {
	if media, ok := body.(string); ok {
		if media == "" {
			return nil
		}
		return map[string]any{media: map[string]any{"schema": map[string]any{"type": "string", "format": "binary"}}}
	}
	return map[string]any{"application/json": map[string]any{"schema": schemaOf(reflect.TypeOf(body), schemas)}}
}

func operationID(c Call) string {
	id := c.Method
	for _, part := range strings.FieldsFunc(c.Path, func(r rune) bool { return strings.ContainsRune("/{}_-", r) }) {
		id += strings.ToUpper(part[:1]) + part[1:]
	}
	return id
}

func parameters(c Call) []any {
	list := []any{}
	for _, part := range strings.Split(c.Path, "/") {
		if name, ok := strings.CutPrefix(part, "{"); ok {
			list = append(list, map[string]any{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true,
				"schema": map[string]any{"type": "string"}})
		}
	}
	for _, q := range c.Query {
		part := strings.SplitN(q, ":", 3)
		list = append(list, map[string]any{"name": part[0], "in": "query", "description": part[2], "schema": map[string]any{"type": part[1]}})
	}
	return list
}

// schemaOf describes a wire type; named structs go to schemas and are referred to.
func schemaOf(t reflect.Type, schemas map[string]any) map[string]any {
	if t == reflect.TypeFor[json.RawMessage]() {
		return map[string]any{} // any value
	}
	if t == reflect.TypeFor[wire.Instruction]() {
		return instructionSchema(schemas)
	}
	if t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return map[string]any{"type": "string"}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem(), schemas)
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int64, reflect.Uint64:
		return map[string]any{"type": "integer", "format": "int64", "minimum": 0}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": schemaOf(t.Elem(), schemas)}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": schemaOf(t.Elem(), schemas)}
	case reflect.Struct:
		if t.Name() == "" {
			return structSchema(t, schemas)
		}
		if _, done := schemas[t.Name()]; !done {
			schemas[t.Name()] = map[string]any{} // stops a type that contains itself
			schemas[t.Name()] = structSchema(t, schemas)
		}
		return map[string]any{"$ref": "#/components/schemas/" + t.Name()}
	}
	return map[string]any{}
}

// instructionSchema is one of the built instructions, told apart by their type.
func instructionSchema(schemas map[string]any) map[string]any {
	const ref = "#/components/schemas/"
	all, mapping := []any{}, map[string]any{}
	for _, row := range tx.Rows() {
		if !row.Built() {
			continue
		}
		name := "Instruction" + row.Name
		schemas[name] = wire.InstructionSchema(row)
		all, mapping[row.Name] = append(all, map[string]any{"$ref": ref + name}), ref+name
	}
	schemas["Instruction"] = map[string]any{"oneOf": all, "discriminator": map[string]any{"propertyName": "type", "mapping": mapping}}
	return map[string]any{"$ref": ref + "Instruction"}
}

func structSchema(t reflect.Type, schemas map[string]any) map[string]any {
	properties := map[string]any{}
	addFields(t, properties, schemas)
	return map[string]any{"type": "object", "properties": properties}
}

func addFields(t reflect.Type, properties, schemas map[string]any) {
	for i := range t.NumField() {
		field := t.Field(i)
		if field.Anonymous {
			addFields(field.Type, properties, schemas)
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		properties[name] = schemaOf(field.Type, schemas)
	}
}
