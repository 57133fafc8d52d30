package gateway

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// Light clients find through a gateway what they ask a node for, whatever the host is, and nothing else of the node.
//
// Spec: gateway-payments-streams §B; WP §2.5.
func TestProofs(t *testing.T) {
	w := newWorld()
	w.query = hello
	s := open(t, w, nil)
	hash := "0x00000000000000000000000000000000000000000000000000000000000000aa"
	for name, c := range map[string]struct {
		method, path string
		status       int
		says         string
	}{
		"the newest":        {"GET", "light/final", 200, `{"asked":"/light/final"}`},
		"a block":           {"GET", "light/final/41", 200, `{"asked":"/light/final/41"}`},
		"an epoch":          {"GET", "light/epoch-proof/7", 200, `{"asked":"/light/epoch-proof/7"}`},
		"an account":        {"GET", "proof/account/0x00000000000000000000000000000000000000Aa", 200, ""},
		"an entry":          {"GET", "proof/storage/00000000000000000000000000000000000000aa/00ff", 200, ""},
		"a record":          {"GET", "proof/record/00000000000000000000000000000000000000aa/00ff", 200, ""},
		"a receipt":         {"GET", "proof/receipt/" + hash, 200, ""},
		"an unknown one":    {"GET", "proof/tx/" + hash, 404, ""},
		"another call":      {"GET", "transaction/" + hash, 404, ""},
		"a way out":         {"GET", "proof/receipt/%2e%2e/" + hash, 404, ""},
		"with a question":   {"GET", "light/final?height=3", 200, `{"asked":"/light/final"}`},
		"a key too long":    {"GET", "proof/storage/00000000000000000000000000000000000000aa/" + strings.Repeat("a", 514), 404, ""},
		"something sent":    {"POST", "light/final", 405, ""},
		"more than digits":  {"GET", "light/final/4a", 404, ""},
		"a key's length":    {"GET", "proof/storage/00000000000000000000000000000000000000aa/" + strings.Repeat("a", 512), 200, ""},
		"a digit too many":  {"GET", "proof/storage/00000000000000000000000000000000000000aa/" + strings.Repeat("a", 513), 404, ""},
		"half a byte":       {"GET", "proof/storage/00000000000000000000000000000000000000aa/a", 404, ""},
		"a number's length": {"GET", "light/final/12345678901234567890", 200, ""},
		"a number too long": {"GET", "light/final/123456789012345678901", 404, ""},
	} {
		t.Run(name, func(t *testing.T) {
			x, body := call(t, s, c.method, "nobody.example", chainPath+c.path, "")
			if x.StatusCode != c.status || c.says != "" && body != c.says {
				t.Errorf("%d %q", x.StatusCode, body)
			}
		})
	}
	if x, _ := call(t, s, "GET", host, "/", ""); x.Header.Get(rootHeader) != "0x2a" {
		t.Errorf("the root is %q", x.Header.Get(rootHeader))
	}
}

// told is a world whose node proves what it is told to.
type told struct {
	*world
	proof wire.Proof
}

func (n told) Proof(context.Context, string) ([]byte, error) { return json.Marshal(n.proof) }

// The receipt of a request is proved to anybody, unless it is private; so are the absence of one, and records of others that look like one.
//
// Spec: gateway-payments-streams §C (private receipts through their gateway and for the actor alone).
func TestProofsOfReceipts(t *testing.T) {
	id := receipt.ID{1, 2}
	mine := wire.Hex(account.Key(account.KindRecord, receipt.Home(), receipt.Name(id[:])...))
	shown, hidden := receipt.Receipt{Target: page, Status: receipt.Completed, Envelope: []byte{0xa0}}, receipt.Receipt{Target: page, Private: true}
	for name, c := range map[string]struct {
		key, value string
		status     int
	}{
		"for everybody":        {mine, wire.Hex(shown.Append(nil)), 200},
		"private":              {mine, wire.Hex(hidden.Append(nil)), 404},
		"none":                 {mine, "", 200},
		"not to be read":       {mine, "0x01", 404},
		"of another registry":  {wire.Hex(account.Key(account.KindRecord, page, receipt.Name(id[:])...)), wire.Hex(hidden.Append(nil)), 200},
		"under another name":   {wire.Hex(account.RecordKey(receipt.Home(), "receipt:due/")), wire.Hex(hidden.Append(nil)), 200},
		"no hex in its value":  {mine, "0xz", 404},
		"of an actor's memory": {wire.Hex(account.Key(account.KindStorage, receipt.Home(), receipt.Name(id[:])...)), wire.Hex(hidden.Append(nil)), 200},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			s := open(t, w, func(d *Door) { d.Node = told{w, wire.Proof{StateKey: c.key, Value: c.value}} })
			if x, body := call(t, s, "GET", host, chainPath+"proof/record/"+receipt.Home().String()+"/00", ""); x.StatusCode != c.status {
				t.Errorf("%d %s", x.StatusCode, body)
			}
		})
	}
}
