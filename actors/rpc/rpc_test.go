package rpc

import (
	"bufio"
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

func serve(t *testing.T, f *fake, change func(*Config)) *httptest.Server {
	t.Helper()
	cfg := Config{Backend: f, Limits: DefaultLimits(), Faucet: true, Now: func() time.Time { return time.Unix(0, 0) }}
	if change != nil {
		change(&cfg)
	}
	s := httptest.NewServer(NewHandler(cfg))
	t.Cleanup(s.Close)
	return s
}

func ask(t *testing.T, method, url, contentType, body string) (int, map[string]any) {
	t.Helper()
	req, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var value map[string]any
	_ = json.NewDecoder(resp.Body).Decode(&value)
	return resp.StatusCode, value
}

// TestStatusAndShape asks each kind of question once. Spec: node-rpc-cli §1, §2.
func TestStatusAndShape(t *testing.T) {
	s := serve(t, newFake(3), nil)
	zeros := strings.Repeat("0", 64)
	for i, c := range []struct {
		method, path, body string
		status             int
		field              string
		want               any
	}{
		{"GET", "/height", "", 200, "height", 3.0},
		{"GET", "/basefee", "", 200, "cycle_basefee", 10_000.0},
		{"GET", "/block/latest", "", 200, "height", 3.0},
		{"GET", "/block/height/2", "", 200, "height", 2.0},
		{"GET", "/block/height/x", "", 400, "code", 4000.0},
		{"GET", "/block/height/99", "", 404, "message", "not found"},
		{"GET", "/account/0x0000000000000000000000000000000000000001", "", 200, "balance", 7.0},
		{"GET", "/account/0000000000000000000000000000000000000001", "", 200, "balance", 7.0},
		{"GET", "/account/0x0000000000000000000000000000000000000002", "", 404, "slug", "E4004"},
		{"GET", "/account/0x12", "", 400, "code", 4000.0},
		{"GET", "/transaction/" + zeros + "/receipt", "", 404, "message", "not found"},
		{"GET", "/transaction/0x" + zeros + "/receipt", "", 404, "message", "not found"},
		{"GET", "/transaction/zz/receipt", "", 400, "code", 4000.0},
		{"GET", "/blocks?limit=5000", "", 200, "limit", 1000.0},
		{"GET", "/blocks?limit=-1", "", 400, "code", 4000.0},
		{"GET", "/health/detailed", "", 200, "status", "ok"},
		{"POST", "/faucet", `{"address":"0000000000000000000000000000000000000002"}`, 200, "amount_cby", 5000.0},
		{"POST", "/faucet", `{"address":"nobody"}`, 400, "code", 4000.0},
		{"GET", "/nothing", "", 404, "code", 4004.0},
		{"GET", "/job/" + zeros + "/verified", "", 404, "code", 4004.0},
		{"GET", "/job/0x" + zeros + "/status", "", 404, "code", 4004.0},
		{"GET", "/runner/0000000000000000000000000000000000000002", "", 404, "code", 4004.0},
		{"GET", "/stream?kinds=weather", "", 400, "code", 4000.0},
		{"GET", "/stream?cursor=x", "", 400, "code", 4000.0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			status, value := ask(t, c.method, s.URL+c.path, "application/json", c.body)
			if status != c.status || value[c.field] != c.want {
				t.Errorf("%s %s = %d %v, want %d with %s %v", c.method, c.path, status, value, c.status, c.field, c.want)
			}
		})
	}
}

// TestFailureOfTheNode answers 500 without its text, and readiness 503. Spec: node-rpc-cli §2.1.
func TestFailureOfTheNode(t *testing.T) {
	f := newFake(3)
	f.broken = true
	s := serve(t, f, nil)
	status, value := ask(t, "GET", s.URL+"/block/latest", "", "")
	if status != 500 || value["code"] != 1900.0 || strings.Contains(value["why"].(string), "disk") {
		t.Errorf("%d %v", status, value)
	}
	if status, _ := ask(t, "GET", s.URL+"/health/ready", "", ""); status != 503 {
		t.Errorf("ready = %d", status)
	}
}

// signed is Vector 2 of the whitepaper's appendix with v = 1. Spec: WP Appendix A; commonware §0.
const signed = "2a00000122222222222222222222222222222222222222220000000000000001d08603d086030101000019e7e376e7c213b7e7e7e46cc70a5dd086daff2a0000000000f0dc58" +
	"6dcb01db4f7507163068728c49d112610bfbcf3516ed32bd0fa05a45553f8e8a695b94f6d9aa7d34657002746f30ce22cadc141bceea3129610de3035b0100"

// TestSubmitForms takes every documented form of a submission. Spec: node-rpc-cli §3.
func TestSubmitForms(t *testing.T) {
	raw, err := hex.DecodeString(signed)
	if err != nil {
		t.Fatal(err)
	}
	f := newFake(3)
	s := serve(t, f, nil)
	for name, c := range map[string]struct {
		contentType, body string
		n                 int
	}{
		"tagged list":           {"application/octet-stream", "\x01\x02" + string(raw) + string(raw), 2},
		"bare":                  {"application/octet-stream", string(raw), 1},
		"JSON object":           {"application/json", `{"tx":"0x` + signed + `"}`, 1},
		"JSON array":            {"application/json", `["` + signed + `","` + signed + `"]`, 2},
		"JSON objects":          {"application/json", `{"txs":["` + signed + `"]}`, 1},
		"v as wallets write it": {"application/json", `{"tx":"` + strings.TrimSuffix(signed, "0100") + "1c00" + `"}`, 1},
		"the same, bare":        {"application/octet-stream", string(raw[:len(raw)-2]) + "\x1c\x00", 1},
	} {
		t.Run(name, func(t *testing.T) {
			f.got = nil
			status, value := ask(t, "POST", s.URL+"/submit", c.contentType, c.body)
			if status != 200 || value["added"] != float64(c.n) || len(f.got) != c.n || string(f.got[0]) != string(raw) {
				t.Errorf("%s: %d %v, backend got %d", name, status, value, len(f.got))
			}
		})
	}
	for name, body := range map[string]string{
		"trailing byte": string(raw) + "\x00", "empty list": "\x01\x00", "truncated": string(raw[:80]), "empty": "",
		"51 transactions": "\x01\x33" + strings.Repeat(string(raw), 51), "list tag with one short": "\x01\x02" + string(raw),
	} {
		t.Run(name, func(t *testing.T) {
			f.got = nil
			if status, value := ask(t, "POST", s.URL+"/submit", "application/octet-stream", body); status != 400 || f.got != nil {
				t.Errorf("%s: %d %v", name, status, value)
			}
		})
	}
}

// Heartbeats of a runner are taken at its own address too, and nothing else is.
//
// Spec: runner-marketplace §3 (RPC).
func TestHeartbeatOfARunner(t *testing.T) {
	secret := digest.SHA256([]byte("runner"))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	of := func(in tx.Instruction) string {
		x := &tx.Tx{ChainID: 1, From: key.Address(), Instruction: in, CyclesLimit: 80_000, CellsLimit: 10_000}
		x.Signature = key.Sign(x.SigningHash())
		return hex.EncodeToString(x.Encode())
	}
	beat, other := of(&tx.Heartbeat{Accepting: true}), of(&tx.Deregister{})
	f := newFake(3)
	s := serve(t, f, nil)
	for name, c := range map[string]struct {
		at, body string
		want     int
	}{
		"its own":             {key.Address().String(), `{"tx":"` + beat + `"}`, 200},
		"two":                 {key.Address().String(), `{"txs":["` + beat + `","` + beat + `"]}`, 200},
		"another's":           {account.Address{1}.String(), `{"tx":"` + beat + `"}`, 400},
		"another transaction": {key.Address().String(), `{"tx":"` + other + `"}`, 400},
		"one among them":      {key.Address().String(), `{"txs":["` + beat + `","` + other + `"]}`, 400},
		"no transaction":      {key.Address().String(), `{"tx":"00"}`, 400},
		"no address":          {"runner", `{"tx":"` + beat + `"}`, 400},
	} {
		t.Run(name, func(t *testing.T) {
			f.got = nil
			status, value := ask(t, "POST", s.URL+"/runner/"+c.at+"/heartbeat", "application/json", c.body)
			if status != c.want || (len(f.got) > 0) != (c.want == 200) {
				t.Errorf("%d %v, the backend got %d", status, value, len(f.got))
			}
		})
	}
}

// TestRefusedTransaction answers 400 with the transaction's own error object. Spec: node-rpc-cli §2.2.
func TestRefusedTransaction(t *testing.T) {
	f := newFake(3)
	refusal := wire.NewError(1002, "nonce 5, the account's next is 3")
	f.refuse = &refusal
	s := serve(t, f, nil)
	status, value := ask(t, "POST", s.URL+"/submit", "application/json", `{"tx":"`+signed+`"}`)
	if status != 400 || value["slug"] != "E1002" || value["why"] != "nonce 5, the account's next is 3" || value["fix"] == "" {
		t.Errorf("%d %v", status, value)
	}
}

// TestLimits meets each bound. Spec: node-rpc-cli §1.
func TestLimits(t *testing.T) {
	s := serve(t, newFake(3), func(c *Config) { c.Limits.RequestsPerSecond = 3 })
	for i := range 4 {
		status, value := ask(t, "GET", s.URL+"/height", "", "")
		if want := map[bool]int{true: 200, false: 429}[i < 3]; status != want {
			t.Errorf("request %d = %d %v", i, status, value)
		}
	}
	s = serve(t, newFake(3), nil)
	if status, value := ask(t, "POST", s.URL+"/submit", "", strings.Repeat("x", 512<<10+1)); status != 413 {
		t.Errorf("large body = %d %v", status, value)
	}
	for i := range 6 {
		status, _ := ask(t, "POST", s.URL+"/faucet", "", `{"address":"0000000000000000000000000000000000000002"}`)
		if want := map[bool]int{true: 200, false: 429}[i < 5]; status != want {
			t.Errorf("faucet %d = %d", i, status)
		}
	}
	s = serve(t, newFake(3), func(c *Config) { c.Faucet = false })
	if status, _ := ask(t, "POST", s.URL+"/faucet", "", `{"address":"0000000000000000000000000000000000000002"}`); status != 404 {
		t.Errorf("faucet of a network without one = %d", status)
	}
}

func TestCrossOrigin(t *testing.T) {
	s := serve(t, newFake(3), nil)
	for origin, want := range map[string]string{
		"http://localhost:5173": "http://localhost:5173", "http://192.168.1.4": "http://192.168.1.4",
		"http://[::1]:9": "http://[::1]:9", "https://example.com": "", "null": "",
	} {
		t.Run(origin, func(t *testing.T) {
			req, _ := http.NewRequest("OPTIONS", s.URL+"/submit", nil)
			req.Header.Set("Origin", origin)
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if got := resp.Header.Get("Access-Control-Allow-Origin"); got != want {
				t.Errorf("%s: %q", origin, got)
			}
		})
	}
}

// TestOpenAPI holds the served document to the OpenAPI 3 schema.
func TestOpenAPI(t *testing.T) {
	s := serve(t, newFake(3), nil)
	resp, err := http.Get(s.URL + "/api-docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	document, err := openapi3.NewLoader().LoadFromIoReader(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := document.Validate(context.Background()); err != nil {
		t.Error(err)
	}
	calls := 0
	for _, g := range groups() {
		calls += len(g.calls)
	}
	if len(document.Paths.Map()) != calls {
		t.Errorf("%d paths for %d calls", len(document.Paths.Map()), calls)
	}
	for path, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			if len(op.Tags) != 1 || document.Tags.Get(op.Tags[0]) == nil {
				t.Errorf("%s %s stands below %q", method, path, op.Tags)
			}
		}
	}
}

// TestInstructionSchemas holds the JSON of instructions to what the document says of them.
func TestInstructionSchemas(t *testing.T) {
	raw, err := json.Marshal(Document())
	if err != nil {
		t.Fatal(err)
	}
	document, err := openapi3.NewLoader().LoadFromData(raw)
	if err != nil {
		t.Fatal(err)
	}
	stake, cycles := uint64(9), uint64(3)
	list := []tx.Instruction{
		&tx.Transfer{To: account.System(0xab), Amount: 1<<63 - 1},
		&tx.Deploy{Code: []byte("x = 1\n"), Salt: []byte{1}, InitHandler: []byte("init"), InitPayload: []byte("{}"), Manifest: []byte{0}},
		&tx.Execute{Handler: []byte{0xff}, Payload: []byte{0xff}},
		&tx.TimerSchedule{CyclesPerFire: &cycles},
		&tx.ValidatorExit{Amount: &stake},
		&tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{Deprecated: []params.Deprecation{{ID: "a", From: 1, Until: 2}}}},
	}
	for _, row := range tx.Rows() {
		if row.Built() {
			list = append(list, row.New())
		}
	}
	schema := document.Components.Schemas["Instruction"].Value
	for _, in := range list {
		raw, err := json.Marshal(wire.FromInstruction(in))
		if err != nil {
			t.Fatal(err)
		}
		var value map[string]any
		if err := json.Unmarshal(raw, &value); err != nil {
			t.Fatal(err)
		}
		if err := schema.VisitJSON(value); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
	for _, bad := range []string{
		`{"type":"Transfer","category":"System","sub_type":1,"lane":"user","to":"0x00000000000000000000000000000000000000AB"}`,
		`{"type":"Transfer","category":"System","sub_type":1,"lane":"user","to":"AB","amount":1}`,
		`{"type":"TokenTransfer","category":"System","sub_type":11,"lane":"user"}`,
	} {
		var value map[string]any
		if err := json.Unmarshal([]byte(bad), &value); err != nil {
			t.Fatal(err)
		}
		if schema.VisitJSON(value) == nil {
			t.Errorf("the document takes %s", bad)
		}
	}
}

// ids reads n messages of a stream and gives "kind id" for each.
func ids(t *testing.T, url, last string, n int, step func()) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	req, _ := http.NewRequestWithContext(ctx, "GET", url, nil)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var got []string
	id := ""
	lines := bufio.NewScanner(resp.Body)
	for len(got) < n && lines.Scan() {
		line := lines.Text()
		if line == ": connected" && step != nil {
			step()
		}
		if text, ok := strings.CutPrefix(line, "id: "); ok {
			id = text
		}
		if kind, ok := strings.CutPrefix(line, "event: "); ok {
			got = append(got, kind+" "+id)
		}
	}
	return got
}

// TestStreamResumes follows new blocks, then comes back with a cursor and misses nothing.
func TestStreamResumes(t *testing.T) {
	f := newFake(3)
	s := serve(t, f, nil)
	got := ids(t, s.URL+"/stream", "", 3, f.grow)
	if want := "event 4.0,receipt 4.1,block 4.2"; strings.Join(got, ",") != want {
		t.Errorf("new blocks: %v, want %s", got, want)
	}
	got = ids(t, s.URL+"/stream?kinds=blocks,receipts", "2.0", 4, nil)
	if want := "receipt 2.1,block 2.2,receipt 3.1,block 3.2"; strings.Join(got, ",") != want {
		t.Errorf("resumed: %v, want %s", got, want)
	}
	got = ids(t, s.URL+"/stream?kinds=events,blocks&topic=other&cursor=2.2", "", 2, nil)
	if want := "block 3.2,block 4.2"; strings.Join(got, ",") != want {
		t.Errorf("filtered: %v, want %s", got, want)
	}
}

// TestStreamLagged starts a client that is too far behind where the node still serves and tells it so.
func TestStreamLagged(t *testing.T) {
	s := serve(t, newFake(maxReplay+10), nil)
	got := ids(t, s.URL+"/stream?kinds=blocks", "1.0", 2, nil)
	if want := "lagged ,block 10.2"; strings.Join(got, ",") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

func FuzzSplitSubmission(f *testing.F) {
	raw, _ := hex.DecodeString(signed)
	f.Add(raw)
	f.Add(append([]byte{1, 1}, raw...))
	f.Add([]byte{1, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := SplitSubmission(body)
		total := 0
		for _, one := range list {
			total += len(one.Raw)
			if !bytes.Equal(one.Tx.Encode(), one.Raw) {
				t.Errorf("%x was read as %+v", one.Raw, one.Tx)
			}
		}
		if err == nil && total > len(body) {
			t.Errorf("%d bytes out of %d", total, len(body))
		}
	})
}
