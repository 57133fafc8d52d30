package admin

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// onePeer is a PeerControl of one peer that writes down what it is told.
type onePeer struct {
	banned map[link.Peer]time.Duration
}

func (onePeer) Peers() []transport.Peer {
	return []transport.Peer{{ID: transport.ID{1}, Address: netip.MustParseAddrPort("10.0.0.1:9"), Inbound: true, Agent: "a"}}
}
func (onePeer) Bans() []book.Ban {
	return []book.Ban{{ID: transport.ID{2}, Until: time.Unix(1_700_000_000, 0).UTC()}}
}
func (c onePeer) Ban(p link.Peer, span time.Duration) { c.banned[p] = span }
func (c onePeer) Pardon(p link.Peer)                  { delete(c.banned, p) }
func whois() (of map[transport.ID]string, away []string) {
	return map[transport.ID]string{{1}: "0xaa"}, []string{"0xbb"}
}

// TestPeersPage lists peers with the validators they are, and takes bans from this machine only.
func TestPeersPage(t *testing.T) {
	n := node{true}
	c := onePeer{map[link.Peer]time.Duration{}}
	h := Serve(New(n, NewMetrics(n, "1"), nil), c, whois)
	status, body := ask(t, h, "GET", "/peers", nil)
	var all Peers
	if err := json.Unmarshal([]byte(body), &all); err != nil || status != 200 {
		t.Fatal(status, err)
	}
	id := transport.ID{1}.String()
	if len(all.Connected) != 1 || all.Connected[0] != (Peer{id, "10.0.0.1:9", true, "a", "0xaa"}) || len(all.Missing) != 1 || all.Missing[0] != "0xbb" ||
		len(all.Banned) != 1 || all.Banned[0].ID != (transport.ID{2}).String() {
		t.Errorf("%+v", all)
	}
	for _, c := range []struct {
		method, path string
		status       int
	}{
		{"PUT", "/peers/" + id + "/ban?for=8760h", 200}, // a year
		{"PUT", "/peers/" + id + "/ban?for=8760h1s", 400},
		{"PUT", "/peers/" + id + "/ban?for=0s", 400},
		{"PUT", "/peers/" + id + "/ban", 400},
		{"PUT", "/peers/" + id[1:] + "/ban?for=1h", 400},
		{"DELETE", "/peers/x/ban", 400},
	} {
		t.Run(c.method+" "+c.path, func(t *testing.T) {
			if status, body := ask(t, h, c.method, c.path, nil); status != c.status {
				t.Errorf("%d %s", status, body)
			}
		})
	}
	if c.banned[link.Peer{1}] != 365*24*time.Hour {
		t.Errorf("banned: %v", c.banned)
	}
	if status, _ := ask(t, h, "DELETE", "/peers/"+id+"/ban", nil); status != 200 || len(c.banned) != 0 {
		t.Errorf("unbanned: %d %v", status, c.banned)
	}
	if status, _ := ask(t, h, "PUT", "/peers/"+id+"/ban?for=1h", func(r *http.Request) { r.Host = "example.org" }); status != 403 || len(c.banned) != 0 {
		t.Errorf("a browser that was led here: %d %v", status, c.banned)
	}
	if status, body := ask(t, h, "GET", "/livez", nil); status != 200 || !strings.Contains(body, "ok") {
		t.Errorf("the other pages are gone: %d %s", status, body)
	}
}
