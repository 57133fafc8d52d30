package browser

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// keepers has five proxies with the key of the wallet's account, a secret for one actor alone, and three relays with a file of a volume, of which one was asked
// to prove that it has it.
type keepers struct {
	*chain
	wallet, relay string
	volume        wire.Volume
}

func openKeepers(t *testing.T) *keepers {
	t.Helper()
	k := &keepers{chain: start(t, "--proxies", "5", "--proxy-port", "0", "--relays", "3")}
	k.wallet = strings.TrimSpace(k.run(t, "wallet", "address"))
	k.run(t, "dev", "balance", k.wallet, "100000")
	k.await(t, "/proxies", func(_ int, body string) bool { return strings.Count(body, `"serves":true`) == 5 })
	k.run(t, "secrets", "key", "--wait")
	k.await(t, "/release-key/"+k.wallet, func(_ int, body string) bool {
		var key wire.ReleaseKey
		return json.Unmarshal([]byte(body), &key) == nil && key.Master != ""
	})
	k.await(t, "/relays", func(_ int, body string) bool { return strings.Count(body, `"status":"active"`) == 3 })
	k.run(t, "volume", "create", "--name", "maps", "--data", "2", "--parity", "1", "--coins", "1100", "--wait")
	for name, text := range map[string]string{"trail.txt": strings.Repeat("go west; ", 9_000), "key.txt": "sk-west"} {
		if err := os.WriteFile(filepath.Join(k.dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k.run(t, "volume", "put", "maps", "trail.txt")
	id := regexp.MustCompile(`\((0x[0-9a-f]{64})\)`).FindStringSubmatch(k.run(t, "volume", "show", "maps"))[1]
	k.await(t, "/volume/"+id, func(_ int, body string) bool {
		whole := 0
		if json.Unmarshal([]byte(body), &k.volume) != nil {
			return false
		}
		for _, slot := range k.volume.Slots {
			if slot.Root == k.volume.ShardRoot {
				whole++
			}
		}
		return whole == 3
	})
	k.relay = k.volume.Slots[1].Relay
	k.run(t, "relay", "challenge", id, "--slot", "1", "--coins", "11", "--wait")
	k.await(t, "/relays/"+k.relay, func(_ int, body string) bool { return !strings.Contains(body, `"challenge_id"`) })
	k.run(t, "secrets", "set", "API_KEY", "--value-file", "key.txt", "--actors", k.agent, "--volume", "maps", "--wait")
	return k
}

// TestKeepers looks at who keeps secrets and files: the committee of a key and for whom its secrets are, the proxies with their health, the volumes, and the
// relays with what they hold, what they missed, and when they have to prove next.
//
// Spec: secrets-cbss §2; storage-cbfs §2.6, §6.
func TestKeepers(t *testing.T) {
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no Chromium on this machine")
	}
	k := openKeepers(t)
	for _, screen := range []struct {
		name          string
		width, height int64
		dark          bool
	}{{"desktop", 1280, 900, false}, {"telephone", 390, 844, true}} {
		t.Run(screen.name, func(t *testing.T) {
			ctx := tab(t, screen.width, screen.height, screen.dark)
			see := func(name string, texts []string, actions ...chromedp.Action[chromedp.Void]) {
				t.Helper()
				p := look(t, ctx, "keepers-"+screen.name+"-"+name, actions...)
				for _, text := range texts {
					if !strings.Contains(p.Text, text) {
						t.Errorf("%s: %.1200q without %q", name, p.Text, text)
					}
				}
			}
			see("secrets", []string{"Epoch 1: 4 of 5 proxies open what is sealed to it", "sealed to", "any"},
				chromedp.Navigate(k.url+"/explorer/account/"+k.wallet+"/secrets"), chromedp.WaitReady(`tbody a[href="/explorer/account/`+k.agent+`"]`))
			see("proxies", []string{"serves", "of 10 000"}, chromedp.Navigate(k.url+"/explorer/proxies"))
			see("storage", []string{"maps", "Active relays", "ACTIVE"}, chromedp.Navigate(k.url+"/explorer/storage"))
			see("volume", []string{"2 of 3 are enough; 0 degraded", "maps"},
				press(`document.querySelector('a[href="/explorer/volume/`+k.volume.VolumeID+`"]')`),
				chromedp.WaitReady(`a[href="/explorer/relay/`+k.relay+`"]`))
			see("relay", []string{"active", "challenges, 0 in a row", "Next challenge in block", "None."},
				press(`document.querySelector('a[href="/explorer/relay/`+k.relay+`"]')`), chromedp.WaitReady(".facts"))
		})
	}
}
