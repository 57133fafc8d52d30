package operate

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
)

func command(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = Main(args, &stdout, &stderr)
	return status, stdout.String(), stderr.String()
}

// Everything begins with init, which touches nothing that is there; wrong usage is told apart from failures.
func TestInit(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "relay")
	status, out, errs := command(t, "init", "--data-dir", dir, "--chain-id", "7", "--listen", "127.0.0.1:0", "--capacity-gib", "1")
	if status != 0 || !regexp.MustCompile(`^relay 0x[0-9a-fA-F]{40}\n`).MatchString(out) || !strings.Contains(out, " --capacity 1073741824 ") {
		t.Fatalf("%d %q %q", status, out, errs)
	}
	for _, name := range []string{accountFile, keyFile, configFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if c, err := readConfig(dir); err != nil || c.Relay.ChainID != 7 || c.Relay.Store != filepath.Join(dir, "store") {
		t.Errorf("%+v, %v", c, err)
	}
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"again":     {[]string{"init", "--data-dir", dir}, 1, "already"},
		"unknown":   {[]string{"strat"}, 2, "strat"},
		"too much":  {[]string{"start", "now"}, 2, "now"},
		"no relay":  {[]string{"status", "--data-dir", dir}, 1, "no relay is up"},
		"no folder": {[]string{"start", "--data-dir", filepath.Join(dir, "none")}, 1, "config.toml"},
		"no node":   {[]string{"doctor", "--data-dir", dir}, 1, "not as they should be"},
		"version":   {[]string{"version"}, 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if status, _, errs := command(t, c.args...); status != c.status || !strings.Contains(errs, c.says) {
				t.Errorf("%d %q", status, errs)
			}
		})
	}
}

// The configuration the page shows is one that is taken, the commands it shows exist, and mistakes are named.
func TestConfiguration(t *testing.T) {
	page, err := os.ReadFile("../../../docs/running-a-relay.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(page), "```toml\n")
	text, _, _ = strings.Cut(text, "```")
	for name, c := range map[string]struct{ text, want string }{
		"of the page":         {text, ""},
		"unknown name":        {strings.Replace(text, "rpc =", "rcp =", 1), "rcp"},
		"no room":             {strings.Replace(text, "500", "0", 1), "capacity_gib"},
		"no port":             {strings.Replace(text, "0.0.0.0:4433", "0.0.0.0", 1), "listen"},
		"a short poll":        {strings.Replace(text, `"5s"`, `"5ms"`, 1), "poll"},
		"another word":        {strings.Replace(text, `"5s"`, `"soon"`, 1), "poll"},
		"accounts nowhere":    {strings.Replace(text, `"0.0.0.0:4480"`, `"relay"`, 1), "accounts"},
		"no key":              {strings.Replace(text, "accounts_key", "# accounts_key", 1), "accounts_key"},
		"a certificate alone": {strings.Replace(text, "\naccounts =", "\n# accounts =", 1), "accounts"},
		"no host, port":       {strings.Replace(text, "relay.example:4433", "relay.example", 1), "endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, configFile), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := readConfig(dir)
			if c.want == "" && err != nil || c.want != "" && (!errors.Is(err, operator.ErrConfig) || !strings.Contains(err.Error(), c.want)) {
				t.Error(err)
			}
		})
	}
	for _, word := range regexp.MustCompile(`cowboy_relay_[a-z_]+`).FindAllString(string(page), -1) {
		found := false
		for _, known := range []string{
			"stored_bytes", "capacity_bytes", "slots", "whole_slots", "rotten_total", "questions_total", "bytes_total", "events_total", "connections",
			"account_requests_total",
		} {
			found = found || word == "cowboy_relay_"+known
		}
		if !found {
			t.Errorf("the page has %s", word)
		}
	}
}

// What a node says of a relay, its slots and its volumes is read page by page; what is none of it is refused, and what it does not have is unknown.
//
// Spec: storage-cbfs §2.3, §2.6.
func TestChain(t *testing.T) {
	account, id := account.Address{7}, digest.Hash{9}
	self := "/relays/" + account.String()
	answers := map[string]any{
		"/height": wire.Height{Height: 12},
		self:      wire.Relay{Owner: account.String(), NodeID: wire.Hash(id), PublicKey: wire.Hash(id), Status: "active"},
		"/volume/" + wire.Hash(id): wire.Volume{
			VolumeID: wire.Hash(id), Owner: account.String(), Visibility: "PRIVATE", Slots: []wire.VolumeSlot{{Relay: account.String()}},
		},
		"/volume/" + wire.Hash(digest.Hash{8}): wire.Volume{VolumeID: "no hash"},
		self + "/slots?cursor=":                wire.RelaySlots{Slots: []wire.RelaySlot{{VolumeID: wire.Hash(id), Slot: 3}}, NextCursor: "1"},
		self + "/slots?cursor=1":               wire.RelaySlots{Slots: []wire.RelaySlot{{VolumeID: wire.Hash(id), Slot: 4}}},
	}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v, ok := answers[r.URL.RequestURI()]
		if !ok {
			w.WriteHeader(http.StatusNotFound)
		}
		_ = json.NewEncoder(w).Encode(v)
	}))
	defer node.Close()
	c := &Chain{Storage: api.Storage{Node: api.New(node.URL)}, self: account}
	ctx := context.Background()
	if n, err := c.Height(ctx); err != nil || n != 12 {
		t.Error(n, err)
	}
	if r, err := c.Self(ctx); err != nil || r.Node != id || r.Owner != account {
		t.Errorf("%+v %v", r, err)
	}
	if list, err := c.Held(ctx); err != nil || len(list) != 2 || list[1] != (relay.Held{Volume: id, Slot: 4}) {
		t.Errorf("%+v %v", list, err)
	}
	if v, err := c.Volume(ctx, id); err != nil || !v.Private || len(v.Slots) != 1 || v.Slots[0].Relay != account {
		t.Errorf("%+v %v", v, err)
	}
	if _, err := c.Volume(ctx, digest.Hash{8}); !errors.Is(err, reach.ErrNode) {
		t.Error(err)
	}
	if _, err := c.Volume(ctx, digest.Hash{1}); !errors.Is(err, reach.ErrUnknown) {
		t.Error(err)
	}
	if n := api.NetworkOf(7); n.ChainID != 7 || n.Name != "cowboy-7" {
		t.Error(n)
	}
}

// A relay that runs in another program has a data directory that the commands here read: its keys, its node, and its store beside them; a second run writes
// where the relay listens then.
//
// Spec: governance-staking B10 (development networks).
func TestFurnish(t *testing.T) {
	dir := t.TempDir()
	account, err := sig.ParsePrivateKey(append(make([]byte, 31), 3))
	if err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	for _, at := range []string{"127.0.0.1:4433", "127.0.0.1:4434"} {
		if err := Furnish(&Setting{Key: key, Dir: dir, Capacity: 10 << 30, ChainID: 7}, account, "http://127.0.0.1:4000", at); err != nil {
			t.Fatal(err)
		}
		c, err := readConfig(dir)
		if err != nil {
			t.Fatal(err)
		}
		if r := c.Relay; r.Store != dir || r.Endpoint != at || r.CapacityGiB != 10 || r.ChainID != 7 || r.RPC != "http://127.0.0.1:4000" {
			t.Errorf("%+v", r)
		}
	}
	own, wire, err := keys(dir)
	if err != nil || own.Address() != account.Address() || !wire.Equal(key) {
		t.Error(err)
	}
	for _, name := range []string{accountFile, keyFile, configFile} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
}
