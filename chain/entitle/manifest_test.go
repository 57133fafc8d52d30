package entitle

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func parse(t *testing.T, text string) *Manifest {
	t.Helper()
	m, err := Parse([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return m
}

// published is the trading bot's manifest as the specification prints it.
const published = `{"entitlements": [
	{"id": "econ.transfer", "params": {"max_amount": 1000}},
	{"id": "http.fetch", "params": {"allowlist_domains": ["api.coingecko.com"]}},
	{"id": "oracle.llm", "params": {"max_tokens": 2000}},
	{"id": "storage.kv", "params": {"max_bytes": 1048576}},
	{"id": "timer.schedule", "params": {"max_timers": 10}}
]}`

// The published manifest reads, and its canonical form is what RFC 8949 says for the map of Appendix A, byte by byte for one grant.
//
// Spec: ENT §3.3, §4, §12.1, Appendix A.
func TestManifest(t *testing.T) {
	m := parse(t, published)
	if len(m.Grants) != 5 {
		t.Fatalf("%d grants", len(m.Grants))
	}
	g, ok := m.Grant(Transfer)
	if n, stated := g.Number("max_amount"); !ok || !stated || n != 1000 {
		t.Errorf("econ.transfer: %+v", g)
	}
	if _, stated := g.Number("max_per_block"); stated {
		t.Error("max_per_block is not stated")
	}
	if _, ok := m.Grant(Upgrade); ok {
		t.Error("sys.upgrade is not granted")
	}
	again, err := Parse(m.Encode())
	if err != nil || !bytes.Equal(again.Encode(), m.Encode()) {
		t.Errorf("the canonical form does not read back: %v", err)
	}
	// {"entitlements": [{"id": "econ.transfer", "params": {"max_amount": 1000}}]}
	want := "a1" + "6c" + hex.EncodeToString([]byte("entitlements")) + "81" + "a2" + "626964" + "6d" + hex.EncodeToString([]byte("econ.transfer")) +
		"66" + hex.EncodeToString([]byte("params")) + "a1" + "6a" + hex.EncodeToString([]byte("max_amount")) + "1903e8"
	one := parse(t, `{"entitlements":[{"id":"econ.transfer","params":{"max_amount":"1000"}}]}`)
	if got := hex.EncodeToString(one.Encode()); got != want {
		t.Errorf("canonical form %s, want %s", got, want)
	}
	bare, err := Parse(append([]byte{0x81}, one.Encode()[len("entitlements")+3:]...))
	if err != nil || !bytes.Equal(bare.Encode(), one.Encode()) {
		t.Errorf("the array alone: %v", err)
	}
}

// Spellings that mean the same have one canonical form.
//
// Spec: ENT §4; sdk §24 (numeric manifest params).
func TestOneForm(t *testing.T) {
	forms := []string{
		`{"entitlements":[{"id":"http.fetch","params":{"max_requests":3,"allowlist_domains":["b.org","a.org"]}}]}`,
		`[{"params":{"allowlist_domains":["a.org","b.org"],"max_requests":"3"},"id":"http.fetch"}]`,
	}
	if a, b := parse(t, forms[0]), parse(t, forms[1]); !bytes.Equal(a.Encode(), b.Encode()) {
		t.Errorf("%x\n%x", a.Encode(), b.Encode())
	}
	if a, b := parse(t, `[{"id":"sys.upgrade","params":{}}]`), parse(t, `[{"id":"sys.upgrade"}]`); !bytes.Equal(a.Encode(), b.Encode()) {
		t.Error("no params and empty params differ")
	}
	if m := parse(t, `{"entitlements":[]}`); len(m.Grants) != 0 || hex.EncodeToString(m.Encode()) != "a1"+"6c"+hex.EncodeToString([]byte("entitlements"))+"80" {
		t.Error("the empty manifest")
	}
	m := parse(t, `[{"id":"econ.transfer","params":{"max_amount":18446744073709551615}}]`)
	if n, _ := m.Grants[0].Number("max_amount"); n != 1<<64-1 {
		t.Errorf("max_amount %d", n)
	}
}

// A name may have 256 bytes and a list 64 of them, and not one more.
//
// Spec: ENT §8.1, §9.12; entitlement-extras §3.1.
func TestNamesAreBounded(t *testing.T) {
	name := strings.Repeat("a", 256)
	list := func(n int) string {
		var names []string
		for i := range n {
			names = append(names, fmt.Sprintf("%q", fmt.Sprint("k", i)))
		}
		return strings.Join(names, ",")
	}
	for text, ok := range map[string]bool{`"` + name + `"`: true, `"` + name + `a"`: false, list(64): true, list(65): false} {
		t.Run(fmt.Sprint(len(text), " bytes"), func(t *testing.T) {
			_, err := Parse([]byte(`[{"id":"secrets.read","params":{"keys":[` + text + `]}}]`))
			if (err == nil) != ok {
				t.Errorf("%.20s… of %d bytes: %v", text, len(text), err)
			}
		})
	}
}

// What is refused: ids outside the registry, wrong order, twice, parameters of a wrong name, kind, unit or form, and broken bytes.
//
// Spec: ENT §10, §8.1, §8.2, §9.12–§9.14; entitlement-extras §3.1.
func TestRefused(t *testing.T) {
	long := `"` + strings.Repeat("a", 257) + `"`
	many := strings.TrimSuffix(strings.Repeat(`"GET",`, 65), ",")
	for name, text := range map[string]string{
		"empty":              ``,
		"no list":            `{}`,
		"another key":        `{"entitlements":[],"version":1}`,
		"not a list":         `{"entitlements":{}}`,
		"not a grant":        `["http.fetch"]`,
		"no id":              `[{"params":{}}]`,
		"unknown":            `[{"id":"custom.thing"}]`,
		"an old name":        `[{"id":"bank.transfer"}]`,
		"order":              `[{"id":"storage.kv"},{"id":"http.fetch"}]`,
		"twice":              `[{"id":"storage.kv"},{"id":"storage.kv"}]`,
		"a third field":      `[{"id":"storage.kv","note":"x"}]`,
		"params no map":      `[{"id":"storage.kv","params":[]}]`,
		"unlisted parameter": `[{"id":"storage.kv","params":{"max_amount":1}}]`,
		"params for none":    `[{"id":"sys.upgrade","params":{"max_amount":1}}]`,
		"negative":           `[{"id":"storage.kv","params":{"max_bytes":-1}}]`,
		"fraction":           `[{"id":"storage.kv","params":{"max_bytes":1.5}}]`,
		"exponent":           `[{"id":"storage.kv","params":{"max_bytes":1e3}}]`,
		"65 bits":            `[{"id":"storage.kv","params":{"max_bytes":18446744073709551616}}]`,
		"leading zero":       `[{"id":"storage.kv","params":{"max_bytes":"01"}}]`,
		"bool":               `[{"id":"storage.kv","params":{"max_bytes":true}}]`,
		"null":               `[{"id":"storage.kv","params":{"max_bytes":null}}]`,
		"capital domain":     `[{"id":"http.fetch","params":{"allowlist_domains":["API.org"]}}]`,
		"URL":                `[{"id":"http.fetch","params":{"allowlist_domains":["https://a.org"]}}]`,
		"inner wildcard":     `[{"id":"http.fetch","params":{"allowlist_domains":["a.*.org"]}}]`,
		"not punycode":       `[{"id":"http.fetch","params":{"allowlist_domains":["bücher.de"]}}]`,
		"trailing dot":       `[{"id":"http.fetch","params":{"allowlist_domains":["a.org."]}}]`,
		"domain twice":       `[{"id":"http.fetch","params":{"allowlist_domains":["a.org","a.org"]}}]`,
		"text for list":      `[{"id":"http.fetch","params":{"allowlist_domains":"a.org"}}]`,
		"unknown set":        `[{"id":"http.fetch","params":{"domain_set":"everything"}}]`,
		"unknown TEE":        `[{"id":"sec.tee_required","params":{"tee_type":"secure"}}]`,
		"unknown region":     `[{"id":"sec.data_residency","params":{"region":"US"}}]`,
		"method":             `[{"id":"ingress.http","params":{"allowlist_methods":["PATCH"]}}]`,
		"above the ceiling":  `[{"id":"ingress.http","params":{"max_query_cycles":100000001}}]`,
		"long text":          `[{"id":"secrets.read","params":{"keys":[` + long + `]}}]`,
		"long list":          `[{"id":"ingress.http","params":{"allowlist_methods":[` + many + `]}}]`,
		"a long name":        `[{"id":"ingress.mcp","params":{"server_name":"` + strings.Repeat("x", 65) + `"}}]`,
		"no name":            `[{"id":"ingress.mcp","params":{"server_name":""}}]`,
		"a dotted prefix":    `[{"id":"ingress.mcp","params":{"tool_name_prefix":"a.b"}}]`,
		"large tools":        `[{"id":"ingress.mcp","params":{"max_tool_input_bytes":1048577}}]`,
		"nine volumes":       `[{"id":"ingress.static","params":{"static_volume_names":["1","2","3","4","5","6","7","8","9"]}}]`,
		"no address":         `[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x12"]}}]`,
		"key twice":          `[{"id":"storage.kv","id":"storage.kv"}]`,
		"too deep":           `[[[[[[]]]]]]`,
		"something behind":   `[] []`,
		"unfinished":         `[{"id":"storage.kv"`,
		"not canonical CBOR": "\xb8\x01\x6centitlements\x80",
		"trailing CBOR":      "\x80\x00",
		"too long":           strings.Repeat(" ", 64<<10) + `[]`,
	} {
		t.Run(name, func(t *testing.T) {
			if m, err := Parse([]byte(text)); !errors.Is(err, ErrManifest) {
				t.Errorf("%s: %+v, %v", name, m, err)
			}
		})
	}
}

// Hosts of URLs and what an allowlist admits.
//
// Spec: ENT §8.2, §8.4.
func TestDomains(t *testing.T) {
	for url, want := range map[string]string{
		"https://api.example.com/v1?q=1": "api.example.com", "HTTP://API.Example.COM:8080": "api.example.com", "https://a.org.": "a.org",
		"https://a.org#x": "a.org", "https://10.0.0.1/x": "10.0.0.1",
		"ftp://a.org": "", "a.org": "", "https://": "", "https://user@a.org/": "", "https://a.org:x/": "", "https://bücher.de": "",
		"https://a.org\\@b.org": "a.org", "https://[::1]/": "", "//a.org": "", "https://a..org": "",
	} {
		t.Run(url, func(t *testing.T) {
			if got, ok := HostOf(url); ok != (want != "") || ok && got != want {
				t.Errorf("%s: %q %v, want %q", url, got, ok, want)
			}
		})
	}
	for i, c := range []struct {
		list, host string
		want       bool
	}{
		{`["*"]`, "any.org", true},
		{`["*.example.com"]`, "a.example.com", true},
		{`["*.example.com"]`, "b.a.example.com", true},
		{`["*.example.com"]`, "example.com", false},
		{`["*.example.com"]`, "badexample.com", false},
		{`["api.example.com"]`, "api.example.com", true},
		{`["api.example.com"]`, "www.example.com", false},
		{`[]`, "a.org", false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			m := parse(t, `[{"id":"http.fetch","params":{"allowlist_domains":`+c.list+`}}]`)
			if got := m.Grants[0].AdmitsHost(c.host, GenesisSets()); got != c.want {
				t.Errorf("%s in %s: %v", c.host, c.list, got)
			}
		})
	}
	union := parse(t, `[{"id":"http.fetch","params":{"allowlist_domains":["a.org"],"domain_set":"price_feeds"}}]`).Grants[0]
	if !union.AdmitsHost("a.org", GenesisSets()) || !union.AdmitsHost("api.kraken.com", GenesisSets()) || union.AdmitsHost("b.org", GenesisSets()) {
		t.Error("a set and a list are not united")
	}
}

// An upgrade's manifest: the same or less.
//
// Spec: ENT §8.3; sdk §19.1 ("subset in ids and in strength of parameters").
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		name, inner, outer string
		want               bool
	}{
		{"nothing", `[]`, `[]`, true},
		{"fewer ids", `[{"id":"storage.kv"}]`, `[{"id":"http.fetch"},{"id":"storage.kv"}]`, true},
		{"another id", `[{"id":"http.fetch"}]`, `[{"id":"storage.kv"}]`, false},
		{"lower limit", `[{"id":"storage.kv","params":{"max_bytes":5}}]`, `[{"id":"storage.kv","params":{"max_bytes":6}}]`, true},
		{"equal limit", `[{"id":"storage.kv","params":{"max_bytes":6}}]`, `[{"id":"storage.kv","params":{"max_bytes":6}}]`, true},
		{"higher limit", `[{"id":"storage.kv","params":{"max_bytes":7}}]`, `[{"id":"storage.kv","params":{"max_bytes":6}}]`, false},
		{"limit dropped", `[{"id":"storage.kv"}]`, `[{"id":"storage.kv","params":{"max_bytes":6}}]`, false},
		{"limit added", `[{"id":"storage.kv","params":{"max_bytes":7}}]`, `[{"id":"storage.kv"}]`, true},
		{"more memory", `[{"id":"accel.gpu","params":{"min_vram_gb":16}}]`, `[{"id":"accel.gpu","params":{"min_vram_gb":8}}]`, true},
		{"less memory", `[{"id":"accel.gpu","params":{"min_vram_gb":4}}]`, `[{"id":"accel.gpu","params":{"min_vram_gb":8}}]`, false},
		{"same region", `[{"id":"sec.data_residency","params":{"region":"eu"}}]`, `[{"id":"sec.data_residency","params":{"region":"eu"}}]`, true},
		{"other region", `[{"id":"sec.data_residency","params":{"region":"us"}}]`, `[{"id":"sec.data_residency","params":{"region":"eu"}}]`, false},
		{"fewer domains", `[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}}]`,
			`[{"id":"http.fetch","params":{"allowlist_domains":["a.org","b.org"]}}]`, true},
		{"covered domain", `[{"id":"http.fetch","params":{"allowlist_domains":["x.a.org"]}}]`,
			`[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, true},
		{"covered wildcard", `[{"id":"http.fetch","params":{"allowlist_domains":["*.x.a.org"]}}]`,
			`[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, true},
		{"apex", `[{"id":"http.fetch","params":{"allowlist_domains":["a.org"]}}]`, `[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, false},
		{"wider", `[{"id":"http.fetch","params":{"allowlist_domains":["*"]}}]`, `[{"id":"http.fetch","params":{"allowlist_domains":["*.a.org"]}}]`, false},
		{"anything", `[{"id":"http.fetch","params":{"domain_set":"social_apis"}}]`, `[{"id":"http.fetch","params":{"allowlist_domains":["*"]}}]`, true},
		{"the set's own", `[{"id":"http.fetch","params":{"allowlist_domains":["api.x.com"]}}]`, `[{"id":"http.fetch","params":{"domain_set":"social_apis"}}]`,
			true},
		{"methods", `[{"id":"ingress.http","params":{"allowlist_methods":["POST"]}}]`, `[{"id":"ingress.http","params":{"allowlist_methods":["*"]}}]`, true},
		{"keys", `[{"id":"secrets.read","params":{"keys":["A","B"]}}]`, `[{"id":"secrets.read","params":{"keys":["A"]}}]`, false},
		{"contracts", `[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111"]}}]`,
			`[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111",` +
				`"0x2222222222222222222222222222222222222222"]}}]`, true},
		{"other contracts", `[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x3333333333333333333333333333333333333333"]}}]`,
			`[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111"]}}]`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := parse(t, c.inner).Within(parse(t, c.outer), GenesisSets()); got != c.want {
				t.Errorf("%s: %v", c.name, got)
			}
		})
	}
}

// FuzzParse: any bytes give a manifest that reads back to itself, or ErrManifest.
//
// Spec: ENT §10.
func FuzzParse(f *testing.F) {
	m, _ := Parse([]byte(published))
	f.Add([]byte(published))
	f.Add(m.Encode())
	f.Add([]byte(`[{"id":"bridge.subscribe_event","params":{"allowlist_contracts":["0x1111111111111111111111111111111111111111"]}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			if !errors.Is(err, ErrManifest) {
				t.Fatal(err)
			}
			return
		}
		again, err := Parse(m.Encode())
		if err != nil || !bytes.Equal(again.Encode(), m.Encode()) {
			t.Fatalf("%x reads back as %v", m.Encode(), err)
		}
		if !m.Within(again, GenesisSets()) {
			t.Fatal("a manifest is not within itself")
		}
	})
}
