package browser

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// listener is told of whatever its emitter says.
const listener = `from pvm_host import *

def follow(p):
    subscribe_event(bytes.fromhex(p.decode()), "StreamMessagePublished", "told", 500_000, 2_000_000_000)

def told(emitter, topic, payload):
    set_state("told", payload)
`

// TestStreams follows a paid stream to the actor that hears of it, to the buyer's request for keys, a session, and a card, on a desktop and a telephone.
//
// Spec: gateway-payments-streams §D, §E, §G, §H.
func TestStreams(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	m := &market{chain: start(t)}
	feed, err := os.ReadFile("../examples/feed.py")
	if err != nil {
		t.Fatal(err)
	}
	find := func(pattern, out string) string {
		t.Helper()
		found := regexp.MustCompile(pattern).FindStringSubmatch(out)
		if found == nil {
			t.Fatalf("no %s in %s", pattern, out)
		}
		return found[1]
	}
	const address, hash = `(0x[0-9a-fA-F]{40})`, `(0x[0-9a-f]{64})`
	me := find(address, m.run(t, "wallet", "address"))
	m.run(t, "dev", "balance", me, "100000")
	public := find(`Public key: 0x([0-9a-f]{64})`, m.run(t, "stream", "new-key", "--out", "publisher.key"))
	stream := find("Actor address: "+address, m.run(t, "actor", "deploy", "--code", m.file(t, "feed.py", string(feed)), "--salt", "0x07", "--wait",
		"--init-payload", fmt.Sprintf(`{"publisher_key":"%s","paid":%s}`, public,
			`{"fee_per_key_epoch_cby":2500000000,"protocol_fee_bps":500,"key_epoch_blocks":100000}`)))
	ear := find("Actor address: "+address, m.run(t, "actor", "deploy", "--code", m.file(t, "ear.py", listener), "--salt", "0x08", "--no-init", "--wait"))
	m.run(t, "actor", "execute", "--actor", ear, "--handler", "follow", "--payload-text", strings.TrimPrefix(stream, "0x"), "--value", "20", "--wait")
	m.run(t, "stream", "new-key", "--out", "epoch.key")
	m.run(t, "stream", "publish", stream, "--publisher-key", "publisher.key", "--content-key", "epoch.key", "--data", "hay", "--wait")
	id := find("Stream: "+hash, m.run(t, "stream", "show", stream))
	m.run(t, "stream", "register-key", "--public-key", public, "--wait")
	m.run(t, "stream", "buy", "--stream", id, "--epoch", "4", "--wait")
	runner := find(address, m.run(t, "wallet", "create", "--output", "runner.key"))
	m.run(t, "dev", "balance", runner, "100000")
	m.run(t, "--private-key", "runner.key", "runner", "register", "--stake", "20000", "--wait")
	session := find("Session: "+hash, m.run(t, "session", "open", "--runner", runner, "--deposit", "7.5", "--wait"))
	m.run(t, "bank", "issue", "--agent", runner, "--hour-cap", "3", "--wait")
	card := find("Owns: "+address, m.run(t, "bank", "cards"))
	m.run(t, "bank", "deposit", "--card", card, "--amount", "50", "--wait")

	for _, screen := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desktop", 1280, 900, false}, {"telephone", 390, 844, true}} {
		t.Run(screen.name, func(t *testing.T) {
			ctx := tab(t, screen.width, screen.height, screen.dark)
			see := func(name, text string, actions ...chromedp.Action[chromedp.Void]) {
				t.Helper()
				if p := look(t, ctx, "stream-"+screen.name+"-"+name, actions...); !strings.Contains(p.Text, text) {
					t.Errorf("%s: %.900q without %q", name, p.Text, text)
				}
			}
			see("feed", "1 of 512 subscriptions, in the order of the next emit", chromedp.Navigate(m.url+"/explorer/account/"+stream))
			see("ear", "ended well", press(`[...document.querySelectorAll('section')].find(s => s.innerText.startsWith("Told of")).querySelector("a")`),
				chromedp.WaitReady("footer"))
			see("managed", "2.5 CBY a key epoch", seek(id), press(`document.querySelector("form button")`), chromedp.WaitReady("dl.facts"))
			see("request", "emitted")
			see("session", "7.5 CBY", seek(session), press(`document.querySelector("form button")`), chromedp.WaitReady(`a[href^="/explorer/runner/"]`))
			see("card", "Active, of bank 1", chromedp.Navigate(m.url+"/explorer/account/"+card))
		})
	}
}
