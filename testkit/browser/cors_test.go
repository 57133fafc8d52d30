package browser

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/supervision"
)

const shopHost = "shop.cowboy.network"

// shop is a node on which one actor has a name and a route to files; nothing else is asked of it.
type shop struct{ gateway.Node }

var shopkeeper = account.Address{7}

// Name implements gateway.Node.
func (shop) Name(context.Context, string) (wire.Name, error) {
	terms := &wire.HTTPTerms{Methods: []string{"GET", "HEAD", "POST"}, RequestBytes: 100, ResponseBytes: 1_000, QueryCycles: 1, ReceiptBlocks: 50}
	terms.Volumes = []string{"site"}
	return wire.Name{FQDN: shopHost, Actor: shopkeeper.String(), Status: "active", HTTP: terms}, nil
}

// Routes implements gateway.Node.
func (shop) Routes(context.Context, account.Address) (wire.Routes, error) {
	return wire.Routes{Static: []wire.StaticRoute{{Path: "/site", Volume: "site"}}}, nil
}

// content is a file in memory.
type content struct{ *bytes.Reader }

// Close implements io.Closer.
func (content) Close() error { return nil }

// shelf has one file under every name, with the rules of its volume.
type shelf []gateway.CORSRule

// Open implements gateway.Files.
func (s shelf) Open(context.Context, account.Address, string, string) (*gateway.File, error) {
	text := []byte("a bale of hay")
	var r io.ReadSeekCloser = content{bytes.NewReader(text)}
	return &gateway.File{ReadSeekCloser: r, Size: int64(len(text)), Hash: sha256.Sum256(text), Root: [32]byte{9}, Type: "text/plain", CORS: s}, nil
}

// visitor is a page that asks a gateway for files, each in its own way, and says what it was let read. The browser names its address, or the file's, where it
// tells of what it has refused: both have /site/ in them.
const visitor = `<!doctype html><link rel="icon" href="data:,"><p id="out"></p><script>
const ask = async (path, options) => {
	try {
		const x = await fetch("http://` + shopHost + `/site/" + path, { cache: "no-store", ...options })
		return [x.status, await x.text(), x.headers.get("etag") ? "etag" : "", x.headers.get("x-cowboy-manifest-root") ? "root" : ""].join(" ").trim()
	} catch (e) {
		return "refused"
	}
}
(async () => {
	const told = {}
	for (const [name, path, options] of %s) told[name] = await ask(path, options)
	document.getElementById("out").textContent = JSON.stringify(told)
})()
</script>`

// sends are the options of a request with a header.
func sends(name, text string) map[string]any {
	return map[string]any{"headers": map[string]string{name: text}}
}

// What pages of other origins may read of a volume's files, as a browser has it: by the rules of the volume, of which the first that fits counts, with the
// headers and methods that it asks about before, and with the headers of the answer that it shows to the page.
//
// Spec: gateway-payments-streams §B (CORS); Fetch §3.3.
func TestFilesForOtherOrigins(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	cases := []struct {
		name, path string
		options    map[string]any
		friend     string // what the page of the origin that the rules name reads
		stranger   string // what any other page does
	}{
		{"for all", "open/hay", nil, "200 a bale of hay etag", "200 a bale of hay etag"},
		{"a range", "open/hay", sends("Range", "bytes=2-5"), "206 bale etag", "206 bale etag"},
		{"a header that is listed", "open/hay", sends("X-Wish", "1"), "200 a bale of hay etag", "200 a bale of hay etag"},
		{"a header that is not", "open/hay", sends("X-Other", "1"), "refused", "refused"},
		{"a method that is not", "open/hay", map[string]any{"method": "DELETE"}, "refused", "refused"},
		{"for one origin", "friends/hay", nil, "200 a bale of hay", "refused"},
		{"a rule before the one for all", "open/friends/hay", nil, "200 a bale of hay", "200 a bale of hay etag"},
		{"for nobody", "closed/hay", nil, "refused", "refused"},
		{"with a cookie", "open/hay", map[string]any{"credentials": "include"}, "refused", "refused"},
	}
	var list [][]any
	for _, c := range cases {
		list = append(list, []any{c.name, c.path, c.options})
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, visitor, strings.ReplaceAll(string(text), "null", "{}"))
	})
	friend, stranger := httptest.NewServer(page), httptest.NewServer(page)
	t.Cleanup(friend.Close)
	t.Cleanup(stranger.Close)
	rules := shelf{
		{Prefix: "open/friends/", Origins: []string{friend.URL}},
		{Prefix: "open/", Origins: []string{"*"}, Headers: []string{"X-Wish", "Range"}, Expose: []string{"ETag"}, MaxAge: 600},
		{Prefix: "friends/", Origins: []string{friend.URL}},
	}
	door := httptest.NewServer(gateway.NewDoor(gateway.Door{Node: shop{}, Handle: gateway.NewHandle(), Files: rules, Clock: supervision.RealClock{}}))
	t.Cleanup(door.Close)
	ctx := tabWith(t, 1280, 900, false, []chromedp.ExecAllocatorOption{
		chromedp.Flag("host-resolver-rules", "MAP "+shopHost+" "+strings.TrimPrefix(door.URL, "http://")),
	}, "/site/")
	for who, at := range map[string]string{"friend": friend.URL, "stranger": stranger.URL} { // in any order, since nothing is kept between two
		t.Run(who, func(t *testing.T) {
			if err := chromedp.Do(ctx, chromedp.Navigate(at+"/site/"), chromedp.WaitReady("#out")); err != nil {
				t.Fatal(err)
			}
			until(t, ctx, `document.getElementById("out").textContent !== ""`)
			told := map[string]string{}
			if err := json.Unmarshal([]byte(value[string](t, ctx, `document.getElementById("out").textContent`)), &told); err != nil {
				t.Fatal(err)
			}
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					if want := map[string]string{"friend": c.friend, "stranger": c.stranger}[who]; told[c.name] != want {
						t.Errorf("%q, want %q", told[c.name], want)
					}
				})
			}
		})
	}
}
