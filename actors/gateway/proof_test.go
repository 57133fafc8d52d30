package gateway

import (
	"strings"
	"testing"
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
		"a receipt":         {"GET", "proof/receipt/" + hash, 200, ""},
		"an unknown one":    {"GET", "proof/tx/" + hash, 404, ""},
		"another call":      {"GET", "transaction/" + hash, 404, ""},
		"a way out":         {"GET", "proof/receipt/%2e%2e/" + hash, 404, ""},
		"with a question":   {"GET", "light/final?height=3", 200, `{"asked":"/light/final"}`},
		"a key too long":    {"GET", "proof/storage/00000000000000000000000000000000000000aa/" + strings.Repeat("a", 514), 404, ""},
		"something sent":    {"POST", "light/final", 405, ""},
		"more than digits":  {"GET", "light/final/4a", 404, ""},
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
