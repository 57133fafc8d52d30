package gateway

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// row is a route of a program's table, as cowboy_sdk.routes writes it.
func row(verb, path string, priority int, enabled bool, target ...cbor.Pair) cbor.Map {
	return cbor.Map{
		{Key: "verb", Value: verb}, {Key: "path", Value: path}, {Key: "target", Value: cbor.Map(target)}, {Key: "pays", Value: "actor"},
		{Key: "price", Value: 0}, {Key: "priority", Value: priority}, {Key: "enabled", Value: enabled},
	}
}

func kind(text string) cbor.Pair { return cbor.Pair{Key: "kind", Value: text} }

func called(text string) cbor.Pair { return cbor.Pair{Key: "name", Value: text} }

// withTable is a world whose actor has published a table, and may serve files of the volumes site and docs.
func withTable(t *testing.T, rows ...any) *world {
	t.Helper()
	w := newWorld()
	data, err := cbor.Append(nil, rows)
	if err != nil {
		t.Fatal(err)
	}
	w.stored[routesKey] = data
	w.names[host].HTTP.Volumes = []string{"site", "docs"}
	w.query = func(_ cbor.Map, q *Question) (cbor.Map, error) {
		return cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: "of " + q.Handler}}, nil
	}
	return w
}

// What a program mounts is served without a manifest of its own: behind its prefix, with what stands for a missing file, in the table's order. The manifest
// (102) is asked first.
//
// Spec: sdk §19.3 (target volume; tie-break: priority, longest prefix, concrete verb, method before volume).
func TestMounts(t *testing.T) {
	status := func(n any) cbor.Pair { return cbor.Pair{Key: "fallback_status", Value: n} }
	fallback := func(name string) cbor.Pair { return cbor.Pair{Key: "fallback", Value: name} }
	w := withTable(t,
		row("ANY", "/static/*", 0, true, kind("volume"), called("site"), cbor.Pair{Key: "volume_path_prefix", Value: "/web/"}),
		row("ANY", "/app/*", 0, true, kind("volume"), called("site"), fallback("index.html"), status(200)),
		row("ANY", "/lost/*", 0, true, kind("volume"), called("docs"), fallback("gone.txt"), status(404)),
		row("ANY", "/none/*", 0, true, kind("volume"), called("site"), fallback("nothing"), status(404)),
		row("ANY", "/odd/*", 0, true, kind("volume"), called("docs"), fallback("gone.txt"), status(304)),
		row("ANY", "/199/*", 0, true, kind("volume"), called("docs"), fallback("gone.txt"), status(199)),
		row("ANY", "/599/*", 0, true, kind("volume"), called("docs"), fallback("gone.txt"), status(599)),
		row("ANY", "/600/*", 0, true, kind("volume"), called("docs"), fallback("gone.txt"), status(600)),
		row("ANY", "/last/*", 1<<16-1, true, kind("volume"), called("site")), row("ANY", "/beyond/*", 1<<16, true, kind("volume"), called("site")),
		row("ANY", "/off/*", 0, false, kind("volume"), called("site")),
		row("ANY", "/theirs/*", 0, true, kind("volume"), called("secret")),
		row("GET", "/static/live", 0, true, kind("method"), called("live")),
		row("GET", "/app/*", 0, true, kind("method"), called("own")),
		row("GET", "/low/*", 1, true, kind("method"), called("low")), row("ANY", "/low/*", 2, true, kind("volume"), called("site")),
		row("ANY", "/taken/*", 9, true, kind("volume"), called("site")), "no row", cbor.Map{},
	)
	w.routes.Dynamic = []wire.DynamicRoute{{Method: "GET", Path: "/taken/by", Handler: "manifest", Priority: 2}}
	files := shelf{
		"site:web/a.css": fileOf([]byte("p{}")), "site:index.html": fileOf([]byte("<p>index")), "site:web/index.html": fileOf([]byte("<p>web")),
		"site:by": fileOf([]byte("by")), "site:x": fileOf([]byte("x")), "docs:gone.txt": fileOf([]byte("it was here")), "secret:x": fileOf([]byte("secret")),
	}
	s := open(t, w, func(d *Door) { d.Files = files })
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
		body         string
	}{
		"behind its prefix":              {"GET", "/static/a.css", nil, 200, "p{}"},
		"its index":                      {"GET", "/static/", nil, 200, "<p>web"},
		"without a slash":                {"GET", "/static", nil, 200, "<p>web"},
		"the head":                       {"HEAD", "/static/a.css", nil, 200, ""},
		"missing":                        {"GET", "/static/b.css", nil, 404, ""},
		"above its prefix":               {"GET", "/static/%2e%2e/index.html", nil, 404, ""},
		"a longer route to a handler":    {"GET", "/static/live", nil, 200, "of http.request"},
		"a route for GET before ANY":     {"GET", "/app/x", nil, 200, "of http.request"},
		"a fallback with its own status": {"GET", "/lost/page", nil, 404, "it was here"},
		"whole, whatever is asked":       {"GET", "/lost/page", []string{"Range", "bytes=0-1"}, 404, "it was here"},
		"a fallback that is missing":     {"GET", "/none/page", nil, 404, ""},
		"a status without a body":        {"GET", "/odd/page", nil, 200, "it was here"},
		"a status below all":             {"GET", "/199/page", nil, 200, "it was here"},
		"the last status":                {"GET", "/599/page", nil, 599, "it was here"},
		"a status beyond all":            {"GET", "/600/page", nil, 200, "it was here"},
		"the last priority":              {"GET", "/last/x", nil, 200, "x"},
		"a priority beyond all":          {"GET", "/beyond/x", nil, 200, "of http.request"},
		"switched off":                   {"GET", "/off/x", nil, 200, "of http.request"},
		"a volume that is not listed":    {"GET", "/theirs/x", nil, 200, "of http.request"},
		"a higher priority":              {"GET", "/low/x", nil, 200, "x"},
		"the manifest before it":         {"GET", "/taken/by", nil, 200, "of manifest"},
		"beside the manifest":            {"GET", "/taken/x", nil, 200, "x"},
		"written to":                     {"POST", "/static/a.css", nil, 202, ""},
		"elsewhere":                      {"GET", "/elsewhere", nil, 200, "of http.request"},
	} {
		t.Run(name, func(t *testing.T) {
			x, body := call(t, s, c.method, host, c.path, "", c.headers...)
			if x.StatusCode != c.status || c.body != "" && body != c.body {
				t.Errorf("%d %q, want %d %q", x.StatusCode, body, c.status, c.body)
			}
		})
	}
	w.names[host].HTTP.Volumes = nil
	if x, body := call(t, open(t, w, func(d *Door) { d.Files = files }), "GET", host, "/static/a.css", ""); x.StatusCode != 200 || body != "of http.request" {
		t.Errorf("an actor that may serve no volumes: %d %q", x.StatusCode, body)
	}
}

// Pages of other origins read files as the volume's rules say: the first that fits, by origin and path; and browsers that ask before are told so.
//
// Spec: gateway-payments-streams §B (static hosting: CORS); Fetch §3.3.
func TestOrigins(t *testing.T) {
	w := withTable(t, row("ANY", "/static/*", 0, true, kind("volume"), called("site")))
	one, fonts, bare := fileOf([]byte("x")), fileOf([]byte("font")), fileOf([]byte("bare"))
	rules := ParseCORS([]byte(`[{"path_prefix":"fonts/","allowed_origins":["*"],"max_age":86400},
		{"allowed_origins":["https://a.example","https://b.example"],"allowed_methods":["GET"],"allowed_headers":["Range","X-Own"],
		 "expose_headers":["ETag","Content-Range"],"max_age":600}]`))
	if len(rules) != 2 {
		t.Fatal(rules)
	}
	one.CORS, fonts.CORS = rules, rules
	s := open(t, w, func(d *Door) { d.Files = shelf{"site:x": one, "site:fonts/f": fonts, "site:bare": bare} })
	for name, c := range map[string]struct {
		method, path string
		headers      []string
		status       int
		want         string // origin, methods, headers, age and exposed, joined
	}{
		"no page":               {"GET", "/static/x", nil, 200, "||||"},
		"a page that may":       {"GET", "/static/x", []string{"Origin", "https://a.example"}, 200, "https://a.example||||ETag, Content-Range"},
		"another that may":      {"GET", "/static/x", []string{"Origin", "https://b.example"}, 200, "https://b.example||||ETag, Content-Range"},
		"a page that may not":   {"GET", "/static/x", []string{"Origin", "https://c.example"}, 200, "||||"},
		"a scheme it is not":    {"GET", "/static/x", []string{"Origin", "http://a.example"}, 200, "||||"},
		"everybody, by path":    {"GET", "/static/fonts/f", []string{"Origin", "https://c.example"}, 200, "*||||"},
		"a volume without them": {"GET", "/static/bare", []string{"Origin", "https://a.example"}, 200, "||||"},
		"asked before": {"OPTIONS", "/static/x", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "GET",
			"Access-Control-Request-Headers", "range, x-own"}, 204, "https://a.example|GET|range, x-own|600|"},
		"asked without headers": {"OPTIONS", "/static/x", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "GET"}, 204,
			"https://a.example|GET||600|"},
		"a header it may not send": {"OPTIONS", "/static/x", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "GET",
			"Access-Control-Request-Headers", "range, authorization"}, 204, "||||"},
		"a method it may not":  {"OPTIONS", "/static/x", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "HEAD"}, 204, "||||"},
		"a method nobody may":  {"OPTIONS", "/static/fonts/f", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "PUT"}, 204, "||||"},
		"a head of fonts":      {"OPTIONS", "/static/fonts/f", []string{"Origin", "null", "Access-Control-Request-Method", "HEAD"}, 204, "*|HEAD||86400|"},
		"a stranger asks":      {"OPTIONS", "/static/x", []string{"Origin", "https://c.example", "Access-Control-Request-Method", "GET"}, 204, "||||"},
		"about a missing file": {"OPTIONS", "/static/none", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "GET"}, 404, "||||"},
		"about a handler":      {"OPTIONS", "/other", []string{"Origin", "https://a.example", "Access-Control-Request-Method", "GET"}, 405, "||||"},
		"no preflight":         {"OPTIONS", "/static/x", nil, 405, "||||"},
	} {
		t.Run(name, func(t *testing.T) {
			x, _ := call(t, s, c.method, host, c.path, "", c.headers...)
			h := x.Header
			got := strings.Join([]string{
				h.Get("Access-Control-Allow-Origin"), h.Get("Access-Control-Allow-Methods"), h.Get("Access-Control-Allow-Headers"),
				h.Get("Access-Control-Max-Age"), h.Get("Access-Control-Expose-Headers"),
			}, "|")
			if x.StatusCode != c.status || got != c.want {
				t.Errorf("%d %s, want %d %s", x.StatusCode, got, c.status, c.want)
			}
			if varies := h.Get("Vary") == "Origin"; varies != (c.status < 300 && !strings.HasSuffix(c.path, "bare")) {
				t.Errorf("Vary: %q", h.Get("Vary"))
			}
		})
	}
}

// Rules at their bounds: one below, at and above; and what no header could say.
//
// Spec: gateway-payments-streams §B (at most 50 CORS rules, ages up to 86,400).
func TestRulesOfOrigins(t *testing.T) {
	list := func(n int) string {
		data, err := json.Marshal(make([]CORSRule, n))
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	rule := func(text string) string { return "[{" + text + "}]" }
	long := func(n int) string { return rule(`"allowed_headers":["` + strings.Repeat("a", n) + `"]`) }
	many := func(n int) string { return rule(`"expose_headers":["a"` + strings.Repeat(`,"a"`, n-1) + `]`) }
	for i, c := range []struct {
		text string
		want int
	}{
		{list(49), 49}, {list(50), 50}, {list(51), 0}, {rule(`"max_age":86399`), 1}, {rule(`"max_age":86400`), 1}, {rule(`"max_age":86401`), 0},
		{rule(`"max_age":-1`), 0}, {many(63), 1}, {many(64), 1}, {many(65), 0}, {rule(`"allowed_origins":["a\r\nX: y"]`), 0}, {rule(`"max_age":"1"`), 0},
		{long(255), 1}, {long(256), 1}, {long(257), 0},
		{rule(`"allowed_headers":["a,b"]`), 0}, {rule(`"allowed_origins":["ä"]`), 0}, {`{}`, 0}, {``, 0}, {`null`, 0}, {rule(`"expose_headers":[""]`), 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := ParseCORS([]byte(c.text)); len(got) != c.want {
				t.Errorf("%.60s: %d rules, want %d", c.text, len(got), c.want)
			}
		})
	}
}
