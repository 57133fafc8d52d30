package config

import (
	"errors"
	"net/netip"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// What Write says, Parse reads back, and every key is in it.
func TestWriteRead(t *testing.T) {
	c := Default()
	c.Chain.ID = 7
	c.Validator = Validator{Keys: `keys"\`, PasswordFile: "pass\tword"}
	c.P2P.Peers = []Peer{{ID: transport.ID{1}, Host: "node1.example.org", Port: 4300}, {ID: transport.ID{2}, Host: "2001:db8::1", Port: 1}}
	if err := c.Admin.Listen.UnmarshalText([]byte("127.0.0.1:4100")); err != nil {
		t.Fatal(err)
	}
	c.P2P.Boot, c.P2P.Private, c.dir = []Peer{}, []ID{{transport.ID{3}}}, "some"
	c.RPC.Cert, c.RPC.Key, c.RPC.ClientRate = "tls/cert.pem", "tls/key.pem", 0
	c.RPC.Proxies = []Network{{netip.MustParsePrefix("10.0.0.0/8")}, {netip.MustParsePrefix("::1/128")}}
	back, err := Parse("some/config.toml", c.Write())
	if err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("%+v\n%+v\n%v", back, c, err)
	}
	for _, key := range Keys() {
		_, own, _ := strings.Cut(key, ".")
		if !strings.Contains(string(c.Write()), "\n"+own+" = ") {
			t.Errorf("%s is not written", key)
		}
	}
	if c.Resolve("") != "" || c.Resolve("/a") != "/a" || c.Resolve("a") != "some/a" {
		t.Error("paths")
	}
}

// Absent keys keep their defaults.
func TestDefaults(t *testing.T) {
	c, err := Parse("config.toml", []byte("[chain]\nid = 3\n[rpc]\nrate = 0\n"))
	if err != nil {
		t.Fatal(err)
	}
	if c.Chain.ID != 3 || time.Duration(c.Chain.BlockTime) != time.Second || c.RPC.Rate != 0 || c.Chain.Genesis != "genesis.json" ||
		c.Log.Level.Word != "info" {
		t.Errorf("%+v", c)
	}
}

// Every mistake has its line, and says what to do.
func TestMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"[chain]\nid = 3\n[rpc]\nrat = 5\n":                        "f:4: there is no key rpc.rat; did you mean rpc.rate?",
		"[chain]\nid = 3\nblocktime = \"1s\"\n":                    "f:3: there is no key chain.blocktime; did you mean chain.block_time?",
		"[chian]\nid = 3\n":                                        "f:1: there is no key chian; did you mean [chain]?",
		"[chain]\nid = 3\nbanana = 1\n":                            "f:3: there is no key chain.banana; the keys are admin.listen, ",
		"[chain]\nid = 3\nblock_time = \"fast\"\n":                 `f:3: block_time: "fast" is no span of time; write one such as "1s" or "250ms"`,
		"[chain]\nid = 3\nblock_time = \"-1s\"\n":                  `f:3: block_time: "-1s" is no span of time`,
		"[chain]\nid = \"seven\"\n":                                "f:2: id: ",
		"[chain]\nid = -1\n":                                       "id",
		"[chain]\nid = 3\nid = 4\n":                                "f:3",
		"[chain]\nid = 3\n[rpc]\ncert = \"c.pem\"\n":               "f:3: rpc.cert and rpc.key belong together",
		"[chain]\nid = 3\n[rpc]\nproxies = [\"10.0.0.1/8\"]\n":     `"10.0.0.1/8" is no address and no range`,
		"[chain]\nid = 3\n[rpc]\nproxies = [\"proxy\"]\n":          `"proxy" is no address and no range`,
		"[chain\nid = 3\n":                                         "f:1",
		"":                                                         "chain.id is missing",
		"[chain]\nhistory = 3\n":                                   "f:1: chain.id is missing",
		"[chain]\nid = 3\n[pvm]\nworkers = 0\n":                    "f:4: pvm.workers is at least 1",
		"[chain]\nid = 3\n[log]\nlevel = \"loud\"\n":               `f:4: level: "loud" is none of debug, info, warn, error`,
		"[chain]\nid = 3\n[p2p]\nlisten = \"4300\"\n":              `f:4: listen: "4300" is no address with a port`,
		"[chain]\nid = 3\n[p2p]\nlisten = \"0.0.0.0:70000\"\n":     "is no address with a port",
		"[chain]\nid = 3\n[p2p]\npeers = [\"node1:4300\"]\n":       "want id@host:port",
		"[chain]\nid = 3\n[p2p]\npeers = [\n  \"node1:4300\"\n]\n": "f:5: ",
	} {
		t.Run(text, func(t *testing.T) {
			_, err := Parse("f", []byte(text))
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, ErrConfig) || !strings.Contains(err.Error(), want) {
				t.Errorf("%q: %v, want %s", text, err, want)
			}
		})
	}
}

func TestParsePeer(t *testing.T) {
	id := strings.Repeat("ab", 32)
	for text, ok := range map[string]bool{
		id + "@1.2.3.4:5": true, id + "@[2001:db8::1]:5": true, id + "@node-1.example.org:5": true, id + "@localhost:5": true, id + "@node.:5": true,
		id + "@1.2.3.4": false, id + "@1.2.3.4:0": false, id + "@1.2.3.4:65536": false, id + "@1.2.3:5": false, id + "@1.2.3.999:5": false, id + "@:5": false,
		id + "@0.0.0.0:5": false, id + "@[::]:5": false, id + "@a b:5": false, id + "@-a:5": false, id + "@a..b:5": false, "ab@1.2.3.4:5": false,
		"1.2.3.4:5": false,
		id + "@" + strings.Repeat("a", 64) + ":5": false, id + "@" + strings.Repeat("a.", 127) + "a:5": false,
	} {
		t.Run(text, func(t *testing.T) {
			p, err := ParsePeer(text)
			if (err == nil) != ok {
				t.Errorf("%s: %v", text, err)
			}
			if err == nil && p.String() != text {
				t.Errorf("%s is written %s", text, p)
			}
		})
	}
}

// Any bytes are a configuration or an error.
func FuzzParse(f *testing.F) {
	f.Add(Default().Write())
	f.Add([]byte("[chain]\nid = 3\n[p2p]\npeers = [\"x\"]\n"))
	f.Add([]byte("chain.id=1\n\"chain\".\"history\"=2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := Parse("f", data)
		if err != nil {
			if !errors.Is(err, ErrConfig) {
				t.Errorf("%v", err)
			}
			return
		}
		back, err := Parse("f", c.Write())
		if err != nil || !same(back.P2P, c.P2P) || back.Chain != c.Chain {
			t.Errorf("%v", err)
		}
	})
}

// same compares what is said of peers; a list that is absent is one that is empty.
func same(a, b P2P) bool {
	return a.Listen == b.Listen && a.Advertise == b.Advertise && slices.Equal(a.Peers, b.Peers) && slices.Equal(a.Boot, b.Boot) &&
		slices.Equal(a.Private, b.Private)
}

// Peers are put into an empty list, and nothing else changes.
func TestSetPeers(t *testing.T) {
	c := Default()
	c.Chain.ID = 7
	p := []Peer{{ID: transport.ID{1}, Host: "a.example", Port: 1}}
	next, ok := SetPeers(c.Write(), p)
	back, err := Parse("f", next)
	if !ok || err != nil || !reflect.DeepEqual(back.P2P.Peers, p) || len(back.P2P.Boot) != 0 {
		t.Errorf("%v, %v, %+v", ok, err, back)
	}
	if len(next) != len(c.Write())+len(PeersLine(p))-len("peers = []") {
		t.Error("something else changed")
	}
	for _, text := range []string{"", "[p2p]\n", "[p2p]\npeers = [\"x\"]\n", "[p2p]\n[rpc]\npeers = []\n", "[other]\npeers = []\n"} {
		if _, ok := SetPeers([]byte(text), p); ok {
			t.Errorf("%q was changed", text)
		}
	}
}
