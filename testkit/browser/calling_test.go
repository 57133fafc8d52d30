package browser

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// A handler is called from its page with a wallet file: what is no wallet is refused, the call is tried first and its fee told, a failing one is not sent, and
// the one that is sent is in a block, by the wallet's address.
//
// Spec: node-rpc-cli §2.2, §2.3; WP §2.1, §2.5.
func TestCalling(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	n := start(t)
	key, err := os.ReadFile(filepath.Join(n.dir, ".cowboy", "keys", "local"))
	if err != nil {
		t.Fatal(err)
	}
	owner := regexp.MustCompile(`0x[0-9a-fA-F]{40}`).FindString(n.run(t, "wallet", "address"))
	ctx := tab(t, 1280, 900, false)
	if err := chromedp.Do(ctx, chromedp.Navigate(n.url+"/explorer/account/"+n.journal), chromedp.WaitReady(`[data-handler="init"]`)); err != nil {
		t.Fatal(err)
	}
	form := ""
	open := func(handler string) {
		form = `document.querySelector('[data-handler="` + handler + `"] form')`
		until(t, ctx, form+`.parentElement.open = true`)
		until(t, ctx, `!!`+form+`.querySelector(".call")`)
	}
	open("record")
	choose := func(text string) {
		value[bool](t, ctx, fmt.Sprintf(`(() => {
			const files = new DataTransfer(); files.items.add(new File([%q], "wallet"));
			const input = %s.wallet; input.files = files.files; return input.dispatchEvent(new Event("change", { bubbles: true })) })()`, text, form))
	}
	press := func(button string) { value[bool](t, ctx, `(`+form+`.querySelector("`+button+`").click(), true)`) }
	says := func(pattern string) {
		t.Helper()
		until(t, ctx, fmt.Sprintf(`new RegExp(%q).test(%s.querySelector("output").textContent)`, pattern, form))
	}
	fill := func(field, text string) {
		const typed = `(() => { const f = %s.%s; f.value = %q; return f.dispatchEvent(new Event("input", { bubbles: true })) })()`
		value[bool](t, ctx, fmt.Sprintf(typed, form, field, text))
	}
	press(".try")
	says("Choose the file of a wallet")
	choose("not a key")
	says("This is no wallet file")
	choose(strings.Replace(string(key), "Checksum: ", "Checksum: f0f", 1))
	says("the file is damaged")
	choose(string(key))
	until(t, ctx, fmt.Sprintf(`%s.querySelector(".who").textContent.toLowerCase().includes(%q)`, form, strings.ToLower(owner)))
	press(".try")
	says("It would fail: .*Error[^]*line 2[0-9]")
	until(t, ctx, form+`.querySelector(".send").hidden`)
	open("init")
	fill("payload", "from the page")
	fill("amount", "1.5")
	press(".try")
	says("It would succeed.*for a fee of [0-9.]+ CBY")
	look(t, ctx, "calling")
	press(".send")
	says("Done in block [0-9]+")
	link := value[string](t, ctx, form+`.querySelector("output a").href`)
	hash := link[strings.LastIndex(link, "/")+1:]
	n.await(t, "/transaction/"+hash, func(_ int, body string) bool {
		return strings.Contains(strings.ToLower(body), strings.ToLower(owner)[2:])
	})
}
