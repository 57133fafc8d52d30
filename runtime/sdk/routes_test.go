package sdk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const shop = `
from cowboy_sdk import Pays, actor, http, mount, routes, runner, runtime

@actor
class Shop:
    @routes.get("/items/{id}")
    def item(self, request):
        return {"id": request.path_params["id"], "sender": str(runtime.get_sender())}

    @routes.get("/items/new", priority=0)
    def new_item(self, request):
        return "new"

    @routes.route("/items/*rest")
    def anything(self, request):
        return "rest:" + request["path_params"]["rest"]

    @routes.post("/orders")
    def order(self, request):
        self.storage["orders"] = self.storage.get("orders", 0) + 1
        return http.Response(201, {"order": self.storage["orders"], "said": request["body"]})

    @routes.post("/ask")
    @runner.continuation
    async def ask(self, request):
        answer = await runner.llm(request["body"])
        http.complete(request["request_id"], {"answer": answer})

    @routes.put("/paid", pays=Pays.CALLER, price=500)
    def paid(self, request):
        return "never without payment"

    def switch(self, payload):
        return str(routes.disable("/orders", "POST") if payload == b"off" else routes.enable("/orders", "POST")).encode()

    def bad(self, payload):
        routes.publish([{"verb": "GET", "path": "/x"}])

    def look(self, payload):
        return repr([runtime.get_state(key) for key in ("_http/results/r1", "_http/results/r2")]).encode()

    def steal(self, payload):
        runtime.set_state("__cowboy/routes", b"")

mount("/static", "site", fallback="index.html")
`

// command sends a request through the gateway and gives the answer, or the fault's code.
func command(t *testing.T, c *testkit.Chain, a account.Address, handler, method, path, id, body string) string {
	t.Helper()
	x := c.Dispatch(a, handler, cbor.Map{
		{Key: "method", Value: method}, {Key: "path", Value: path}, {Key: "query", Value: cbor.Map{}}, {Key: "headers", Value: cbor.Map{}},
		{Key: "body", Value: body}, {Key: "host", Value: "shop.cowboy.network"}, {Key: "request_id", Value: id},
	})
	if x.Status != block.Success {
		return testkit.Describe(x)
	}
	return answered(t, x.ReturnData)
}

// request is an envelope in JSON.
func request(method, path, id, body string) string {
	return fmt.Sprintf(`{"method":%q,"path":%q,"query":{},"headers":{},"body":%q,"host":"shop.cowboy.network","request_id":%q}`, method, path, body, id)
}

// answered is status and body of a response.
func answered(t *testing.T, data []byte) string {
	t.Helper()
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		t.Fatalf("no response: %x", data)
	}
	status, _ := fields.Lookup("status")
	body, _ := fields.Lookup("body")
	return fmt.Sprintf("%v %s", status, body)
}

func read(t *testing.T, c *testkit.Chain, a account.Address, handler, path string) string {
	t.Helper()
	out := c.Query(a, handler, []byte(request("GET", path, "", "")), nil)
	if out.Fault != nil {
		return fmt.Sprint(out.Fault.Code)
	}
	return answered(t, out.Return)
}

// The table is in state after deployment, with every field; nobody but the protocol writes it.
//
// Spec: sdk §2.2, §4.2 (__cowboy/routes), §19.3.
func TestRouteTable(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(shop, nil) // no init handler: the module alone declares them
	v, err := cbor.Parse(c.Storage(a, "__cowboy/routes"))
	if err != nil {
		t.Fatal(err)
	}
	list := v.([]any)
	if len(list) != 7 {
		t.Fatalf("%d routes", len(list))
	}
	show := func(i int) string {
		var parts []string
		for _, name := range []string{"verb", "path", "target", "pays", "price", "priority", "enabled"} {
			field, _ := list[i].(cbor.Map).Lookup(name)
			if target, ok := field.(cbor.Map); ok {
				kind, _ := target.Lookup("kind")
				name, _ := target.Lookup("name")
				field = fmt.Sprint(kind, ":", name)
			}
			parts = append(parts, fmt.Sprint(field))
		}
		return strings.Join(parts, " ")
	}
	for i, want := range map[int]string{
		0: "GET /items/{id} method:item actor 0 0 true", 5: "PUT /paid method:paid caller 500 0 true", 6: "ANY /static/* volume:site actor 0 0 true",
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := show(i); got != want {
				t.Errorf("route %d: %s, want %s", i, got, want)
			}
		})
	}
	if x := alice.Try(a, "steal", ""); x.Fault.Code != 1205 {
		t.Errorf("writing the table as state: %s", testkit.Describe(x))
	}
	if x := alice.Try(a, "bad", ""); x.Fault.Code != 1202 {
		t.Errorf("a bad table: %s", testkit.Describe(x))
	}
}

// Requests find their handlers, by the name a gateway takes from the table and through http.request alike; strangers do not.
//
// Spec: sdk §19.2, §19.3 (tie-break), §3.6 (http.request).
func TestRouting(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(shop, nil)
	for path, want := range map[string]string{
		"/items/7":     `200 {"id":"7","sender":"None"}`,
		"/items/new":   "200 new",      // the longer literal beginning
		"/items/a/b":   "200 rest:a/b", // only the rest fits
		"/items/7/":    `200 {"id":"7","sender":"None"}`,
		"/nowhere":     "404 no such path",
		"/static/x.js": "404 the gateway serves this path",
	} {
		t.Run(path, func(t *testing.T) {
			if got := read(t, c, a, "http.request", path); got != want {
				t.Errorf("%s: %s, want %s", path, got, want)
			}
		})
	}
	out := c.Query(a, "item", []byte(`{"method":"GET","path":"/items/9","path_params":{"id":"9"}}`), nil)
	if got := answered(t, out.Return); got != `200 {"id":"9","sender":"None"}` {
		t.Errorf("by name: %s", got)
	}
	if got := read(t, c, a, "order", "/orders"); got != "1205" {
		t.Errorf("a query that writes: %s", got)
	}
	for _, handler := range []string{"http.request", "order", "item"} {
		if x := alice.Try(a, handler, request("POST", "/orders", "r0", "")); x.Fault.Code != 1230 {
			t.Errorf("a stranger calls %s: %s", handler, testkit.Describe(x))
		}
	}
	if got := command(t, c, a, "http.request", "PUT", "/paid", "r9", ""); got != `402 {"price":500}` {
		t.Errorf("unpaid: %s", got)
	}
}

// A command's answer is kept for the gateway and expires by the actor's own timer; work that takes longer answers 202 and completes later; a
// route can be turned off and on.
//
// Spec: sdk §19.2 (202, _http/results), §19.3 (enabled).
func TestCommands(t *testing.T) {
	c := testkit.NewChain(t)
	c.Jobs(func(j *testkit.Job) testkit.Answer { return testkit.Answer{Result: "yes to " + j.Args()[0].(string)} })
	alice := c.Account("alice")
	a := alice.Deploy(shop, nil)
	alice.Fund(a, 100*unit.CBY)
	if got := command(t, c, a, "order", "POST", "/orders", "r1", "two"); got != `201 {"order":1,"said":"two"}` {
		t.Fatal(got)
	}
	if got := answered(t, c.Storage(a, "_http/results/r1")); got != `201 {"order":1,"said":"two"}` {
		t.Errorf("kept %s", got)
	}
	if got := command(t, c, a, "http.request", "POST", "/ask", "r2", "x"); got != "202 " {
		t.Errorf("asking: %s", got)
	}
	if c.Storage(a, "_http/results/r2") != nil {
		t.Error("an answer is there before it is known")
	}
	c.AdvanceTo(c.Height() + 3)
	if got := answered(t, c.Storage(a, "_http/results/r2")); got != `200 {"answer":"yes to x"}` {
		t.Errorf("completed %s", got)
	}
	if x := alice.Try(a, "http.expire", `{"key":"orders"}`); x.Fault.Code != 1230 {
		t.Errorf("a stranger expires: %s", testkit.Describe(x))
	}
	if got := alice.Call(a, "switch", "off"); got != "1" {
		t.Errorf("%s routes turned off", got)
	}
	if got := command(t, c, a, "http.request", "POST", "/orders", "r3", ""); got != "404 no such path" {
		t.Errorf("a route that is off: %s", got)
	}
	alice.Call(a, "switch", "on")
	if got := command(t, c, a, "http.request", "POST", "/orders", "r4", ""); !strings.HasPrefix(got, "201") {
		t.Errorf("a route that is on again: %s", got)
	}
	c.AdvanceTo(c.Height() + 3_610)
	if got := alice.Call(a, "look", ""); got != "[None, None]" {
		t.Errorf("after their time: %s", got)
	}
}

// Handlers that are functions get ctx and the request; commands have their paths; a raw handler checks for itself.
//
// Spec: sdk §3.1 (F), §3.6, §19.2.
func TestHandlerFunctions(t *testing.T) {
	c := testkit.NewChain(t)
	c.Jobs(func(j *testkit.Job) testkit.Answer { return testkit.Answer{Result: "because"} })
	alice := c.Account("alice")
	commands := alice.Deploy(`
import json
from cowboy_sdk import http, storage

@http.command("/api/submit", result_ttl_blocks=0)
def submit(ctx, req):
    data = json.loads(req.body)
    storage.set("submission:" + data["id"], data)
    return http.Response(201, {"id": data["id"], "at": ctx.block_height})

@http.command("/api/list/*rest")
def listing(ctx, req):
    return {"rest": req.path_params["rest"], "sender": ctx.sender}
`, nil)
	got := command(t, c, commands, "http.request", "POST", "/api/submit", "r", `{"id":"7"}`)
	if want := fmt.Sprintf(`201 {"at":%d,"id":"7"}`, c.Height()); got != want || answered(t, c.Storage(commands, "_http/results/r")) != want {
		t.Errorf("submit: %s", got)
	}
	if got := read(t, c, commands, "http.request", "/api/list/a/b"); got != `200 {"rest":"a/b","sender":null}` {
		t.Error(got)
	}
	if got := read(t, c, commands, "listing", "/api/other"); got != "404 no such path" {
		t.Error(got)
	}

	raw := alice.Deploy(`
import json
from cowboy_sdk import actor, http, storage

@actor.handler("http.request")
def requested(ctx, envelope):
    if ctx.sender is not None and ctx.sender != http.GATEWAY_REGISTRY:
        return {"status": 403, "body": b"unauthorized"}
    if envelope["method"] == "GET":
        return {"status": 200, "body": storage.get("answer")}
    ctx.submit_task(task_type="llm_inference", request={"prompt": envelope.body}, callback="answered", callback_context={"id": envelope.request_id})
    return {"status": 202, "body": envelope["request_id"]}

@actor.handler("answered")
def keep(ctx, result):
    storage.set("answer", ctx.callback_context["id"] + ":" + result["output"])
`, nil)
	if x := alice.Try(raw, "http.request", request("GET", "/", "", "")); answered(t, x.ReturnData) != "403 unauthorized" {
		t.Error(testkit.Describe(x))
	}
	if x := alice.Try(raw, "requested", request("GET", "/", "", "")); x.Fault.Code != 1206 { // it answers to its given name only
		t.Error(testkit.Describe(x))
	}
	if got := command(t, c, raw, "http.request", "POST", "/", "q1", "why"); got != "202 q1" {
		t.Error(got)
	}
	c.AdvanceTo(c.Height() + 2)
	if got := read(t, c, raw, "http.request", "/"); got != "200 q1:because" {
		t.Error(got)
	}

	// A thin router whose owner changes what stands behind it, and a method under a name of its own.
	router := alice.Deploy(`
from cowboy_sdk import OWNER, actor, callable_by, public, runtime, storage

@actor
class Behind:
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()

    @callable_by(OWNER)
    @actor.handler("set.implementation")
    def replace(self, payload):
        self.storage["current"] = payload.decode()

@actor.handler("http.request")
def requested(ctx, envelope):
    ctx.send_message(ctx.storage["current"], "http.request", envelope)
    return {"status": 202, "body": b"forwarded"}
`, []byte{})
	target := alice.Deploy(`
from cowboy_sdk import actor, storage

@actor.handler("http.request")
def requested(ctx, envelope):
    storage.set("seen", [envelope["path"], ctx.sender.to_hex()])
`, nil)
	if x := c.Account("bob").Try(router, "set.implementation", target.String()); x.Fault.Code != 1230 {
		t.Error(testkit.Describe(x))
	}
	alice.Call(router, "set.implementation", target.String())
	if got := command(t, c, router, "http.request", "POST", "/x", "", ""); got != "202 forwarded" {
		t.Error(got)
	}
	c.Mine()
	if v, _ := cbor.Parse(c.Storage(target, "seen")); fmt.Sprint(v) != fmt.Sprintf("[/x %s]", router) {
		t.Errorf("forwarded %v", v)
	}
}

// A table of handlers opens nothing that names with an underscore close, and is read when a handler is looked up.
//
// Spec: sdk §3.1 (names beginning with an underscore).
func TestHandlerTable(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(`
import pvm_host
def fine(payload):
    return b"fine"
def _hidden(payload):
    return b"never"
class Actor:
    def method(self):
        return b"method"
    def _private(self):
        return b"never"
table = {"_x": fine, "y": 5, "z": "_private", "a.b": fine, "m": "method", "n": "nothing", 7: fine}
pvm_host.register_handlers(table)
table["late"] = fine
`, nil)
	for handler, want := range map[string]string{
		"a.b": "fine", "late": "fine", "m": "method", "fine": "fine", "_x": "", "y": "", "z": "", "n": "", "_hidden": "", "7": "",
	} {
		t.Run(handler, func(t *testing.T) {
			x := alice.Try(a, handler, "")
			if want == "" && x.Fault.Code != 1206 || want != "" && string(x.ReturnData) != want {
				t.Errorf("%s: %s", handler, testkit.Describe(x))
			}
		})
	}
	if x := alice.TryDeploy("import pvm_host\npvm_host.register_handlers([])\ndef init(p): pass\n", []byte{}); x.Fault.Code != 1210 {
		t.Errorf("no table: %s", testkit.Describe(x))
	}
}

// Tables that are refused, wherever they come from, and what an actor's manifest has to say about them.
//
// Spec: sdk §19.3; entitlement-extras §3 (ingress.http).
func TestRouteRefusals(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	deploy := func(source, manifest string) *block.Receipt {
		d := &tx.Deploy{Code: []byte("from cowboy_sdk import Pays, mount, routes\n" + source), Salt: []byte{byte(c.Height())}}
		if manifest != "" {
			d.Manifest = []byte(manifest)
		}
		return alice.Do(d, testkit.DeployCycles, testkit.DeployCells)
	}
	handler := func(declaration string) string {
		return "@routes." + declaration + "\ndef f(ctx, request):\n    return b''\n"
	}
	for i, c := range []struct {
		source, manifest string
		want             uint16
	}{
		{handler(`get("/a")`), "", 0}, {handler(`get("/")`), "", 0}, {handler(`get("/{a}/*b", priority=65535)`), "", 0}, {`mount("/s", "v")`, "", 0},
		{handler(`get("a")`), "", 1202}, {handler(`get("/a//b")`), "", 1202}, {handler(`get("/*a/b")`), "", 1202}, {handler(`get("/{a/b")`), "", 1202},
		{handler(`get("/_cowboy/x")`), "", 1202}, {handler(`get("/a?b")`), "", 1202}, {handler(`get("/` + strings.Repeat("a", 256) + `")`), "", 1202},
		{handler(`get("/a", price=-1)`), "", 1202}, {handler(`get("/a", pays=Pays.CALLER)`), "", 1202}, {handler(`get("/a", pays="x")`), "", 1202},
		{handler(`get("/a", priority=65536)`), "", 1202}, {handler(`get("/a", priority="1")`), "", 1202}, {handler(`route("/a", "BREW")`), "", 1210},
		{handler(`get("/a")`) + handler(`get("/a")`), "", 1202}, {handler(`get("/a")`) + handler(`get("/a", priority=1)`), "", 0},
		{`mount("/s", "")`, "", 1202}, {`for i in range(201): mount("/s%d" % i, "v")`, "", 1202}, {`for i in range(200): mount("/s%d" % i, "v")`, "", 0},
		{handler(`get("/a")`), `[{"id":"storage.kv","params":{"max_bytes":1048576}}]`, 1207}, {handler(`get("/a")`), `[{"id":"ingress.http"}]`, 0},
		{handler(`get("/a")`) + handler(`get("/b")`), `[{"id":"ingress.http","params":{"max_routes":1}}]`, 1208},
		{`mount("/s", "v")`, `[{"id":"ingress.http"}]`, 1207}, {`mount("/s", "v")`, `[{"id":"ingress.http","params":{"static_volumes":["v"]}}]`, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if x := deploy(c.source, c.manifest); x.Fault.Code != c.want {
				t.Errorf("%s %s: %s, want %d", c.source[:min(len(c.source), 60)], c.manifest, testkit.Describe(x), c.want)
			}
		})
	}
}

// A method that is the only handler without a path answers "http.request" for what no route and no command fits; with two of them nobody knows which is
// meant. A route for GET takes HEAD.
//
// Spec: sdk §19.2 (http.handler, http.request), §3.6; RFC 9110 §9.3.2.
func TestMethodsAnswerRequests(t *testing.T) {
	const head = "from cowboy_sdk import actor, http, routes\n\n@actor\nclass Web:\n"
	method := func(decorator, name string) string {
		return "    @" + decorator + "\n    def " + name + "(self, request):\n        return \"" + name + "\"\n\n"
	}
	for name, c := range map[string]struct {
		source             string
		verb, path, answer string
	}{
		"the only one":             {method("http.handler", "serve"), "GET", "/any", "200 serve"},
		"the only one, written to": {method("http.handler", "serve"), "POST", "/any", "200 serve"},
		"beside a route":           {method(`routes.get("/a")`, "a") + method("http.handler", "serve"), "GET", "/a", "200 a"},
		"behind a route":           {method(`routes.get("/a")`, "a") + method("http.handler", "serve"), "GET", "/b", "200 serve"},
		"a command":                {method(`http.command("/c")`, "c") + method(`http.command("/d")`, "d"), "POST", "/d", "200 d"},
		"behind a command":         {method(`http.command("/c")`, "c") + method("http.handler", "serve"), "POST", "/x", "200 serve"},
		"one of two":               {method("http.handler", "serve") + method("http.handler", "other"), "GET", "/", "404 no such path"},
		"not under a route":        {"    @routes.get(\"/a\")\n" + method("http.handler", "a"), "GET", "/b", "404 no such path"},
		"HEAD of a route":          {method(`routes.get("/a")`, "a"), "HEAD", "/a", "200 a"},
		"HEAD of its own":          {method(`routes.get("/a")`, "a") + method(`routes.head("/a")`, "own"), "HEAD", "/a", "200 own"},
		"no POST of a GET":         {method(`routes.get("/a")`, "a"), "POST", "/a", "404 no such path"},
	} {
		t.Run(name, func(t *testing.T) {
			c2 := testkit.NewChain(t)
			alice := c2.Account("alice")
			a := alice.Deploy(head+c.source, nil)
			got := ""
			if c.verb == "POST" {
				got = command(t, c2, a, "http.request", c.verb, c.path, "", "")
			} else {
				out := c2.Query(a, "http.request", []byte(request(c.verb, c.path, "", "")), nil)
				if out.Fault != nil {
					t.Fatal(out.Fault)
				}
				got = answered(t, out.Return)
			}
			if got != c.answer {
				t.Errorf("%s, want %s", got, c.answer)
			}
			if x := alice.Try(a, "http.request", request(c.verb, c.path, "", "")); x.Fault.Code != 1230 {
				t.Errorf("a stranger: %s", testkit.Describe(x))
			}
		})
	}
}
