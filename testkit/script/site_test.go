package script

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// siteActor has pages in a volume of its own, which its deployer may write.
const siteActor = `
import pvm_host
from cowboy_sdk import actor, mount, public

STORAGE = bytes(19) + b"\x0a"


@actor
class Site:
    @public
    def make(self, payload):
        pvm_host.call(STORAGE, "create_volume", {"name": "pages", "erasure_k": 2, "erasure_m": 1}, 5_000_000, 1_100_000_000_000)
        pvm_host.call(STORAGE, "grant_token", {"name": "pages", "grantee": pvm_host.get_sender(), "access_mode": "RW",
                                               "valid_until": 700_000, "max_bytes": 1 << 20}, 5_000_000)


mount("/", "pages")
`

// page asks a gateway for a path of a name and gives the answer with its body.
func page(t *testing.T, gateway, name, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, gateway+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = name
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	x, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Body.Close()
	body, err := io.ReadAll(x.Body)
	if err != nil {
		t.Fatal(err)
	}
	return x, string(body)
}

// The pages of an actor lie on three relays, each a process, and a gateway serves them under its name: whole, in ranges, with the hash of their content, of the
// type that the volume gives them. A relay is killed and nobody notices; what is put anew shows within six blocks.
//
// Spec: gateway-payments-streams §B (static hosting); storage-cbfs §2.4, §4, §8.
func TestSiteOnRelays(t *testing.T) {
	t.Parallel()
	s := newShelves(t, 3)
	wallet := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(s.run("cowboy wallet address"))
	s.run("cowboy dev balance " + wallet + " 100000")
	s.write("site.py", siteActor)
	s.write("manifest.json", `{"entitlements":[{"id":"econ.hold_balance"},{"id":"econ.transfer","params":{"max_amount":2000000000000}},`+
		`{"id":"ingress.http","params":{"static_volumes":["pages"]}},{"id":"storage.kv","params":{"max_bytes":1048576}}]}`)
	site := regexp.MustCompile(`Actor address: (0x[0-9a-fA-F]{40})`).FindStringSubmatch(
		s.run("cowboy actor deploy --code site.py --salt 0x01 --manifest-json @manifest.json --wait"))[1]
	s.run("cowboy fund-actor --actor " + site + " --amount 2000 --wait")
	s.run("cowboy route register my-site --actor " + site + " --blocks 86400 --wait")
	s.run("cowboy actor execute --actor " + site + " --handler make --payload-text x --wait --cycles-limit 20000000 --cells-limit 400000")
	s.run("cowboy tx update-route-manifest --actor " + site + ` --static-routes [{"path":"/served","volume":"pages","priority":1}] --dynamic-routes [] --wait`)
	volume := regexp.MustCompile(`0x[0-9a-f]{64}`).FindString(s.run("cowboy volume ls --address " + site))

	index, code := "<!doctype html><title>On relays</title>"+strings.Repeat("<p>hay</p>", 20_000), strings.Repeat("let hay = 1;\n", 9)
	s.write("index.html", index)
	s.write("app.own", code)
	s.write("types.json", `{".own":"text/javascript; charset=utf-8"}`)
	s.write("caching.json", `{"max_age":3600}`)
	s.run("cowboy volume put " + volume + " index.html")
	s.run("cowboy volume put " + volume + " app.own js/app.own")
	s.run("cowboy volume put " + volume + " types.json _meta/content_types.json")
	s.run("cowboy volume put " + volume + " caching.json _meta/cache_config.json")
	s.write("cors.json", `[{"allowed_origins":["https://a.example"],"max_age":60}]`)
	s.run("cowboy volume put " + volume + " cors.json _meta/cors_config.json")

	at := fmt.Sprintf("127.0.0.1:%d", freePorts(t, 1))
	s.begin("cowboy-gateway serve --rpc-url " + s.url + " --private-key .cowboy/keys/local --https= --http " + at + " --heartbeat 0")
	gateway, name := "http://"+at, "my-site.cowboy.network"
	s.until("the gateway answers", func() bool {
		x, err := http.Get(gateway + "/_cowboy/health")
		if err == nil {
			_ = x.Body.Close()
		}
		return err == nil && x.StatusCode == http.StatusOK
	})
	x, body := page(t, gateway, name, "/")
	hash := digest.Blake3([]byte(index))
	etag := `"` + hash.Hex() + `"`
	if x.StatusCode != 200 || body != index || x.Header.Get("ETag") != etag || x.Header.Get("Cache-Control") != "public, max-age=3600" {
		t.Fatalf("%d %v, %d bytes", x.StatusCode, x.Header, len(body))
	}
	root := x.Header.Get("X-Cowboy-Manifest-Root")
	if !strings.Contains(s.run("cowboy volume show "+volume), root) {
		t.Errorf("served as of %s", root)
	}
	if x, body := page(t, gateway, name, "/", "Range", "bytes=-10"); x.StatusCode != 206 || body != "<p>hay</p>" {
		t.Errorf("a range: %d %q", x.StatusCode, body)
	}
	if x, body := page(t, gateway, name, "/", "If-None-Match", etag); x.StatusCode != 304 || body != "" {
		t.Errorf("known: %d %q", x.StatusCode, body)
	}
	x, body = page(t, gateway, name, "/js/app.own")
	if x.StatusCode != 200 || body != code || x.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
		t.Errorf("%d %v %q", x.StatusCode, x.Header, body)
	}
	if x, body := page(t, gateway, name, "/served/js/app.own"); x.StatusCode != 200 || body != code {
		t.Errorf("by the manifest: %d %q", x.StatusCode, body)
	}
	may, _ := page(t, gateway, name, "/js/app.own", "Origin", "https://a.example")
	mayNot, _ := page(t, gateway, name, "/js/app.own", "Origin", "https://b.example")
	if may.Header.Get("Access-Control-Allow-Origin") != "https://a.example" || mayNot.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Errorf("pages of other origins: %v and %v", may.Header, mayNot.Header)
	}
	if x, _ := page(t, gateway, name, "/none"); x.StatusCode != 404 {
		t.Errorf("missing: %d", x.StatusCode)
	}

	if err := s.process[s.owners[0]].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	s.process[s.owners[0]] = nil
	s.write("index.html", "<p>anew</p>")
	s.run("cowboy volume put " + volume + " index.html")
	s.until("the new page", func() bool {
		x, body := page(t, gateway, name, "/")
		return x.StatusCode == 200 && body == "<p>anew</p>" && x.Header.Get("X-Cowboy-Manifest-Root") != root
	})
	if x, body := page(t, gateway, name, "/js/app.own"); x.StatusCode != 200 || body != code {
		t.Errorf("with one relay less: %d %q", x.StatusCode, body)
	}
}
