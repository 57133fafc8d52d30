package operate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sevdata "github.com/google/go-sev-guest/verify/testdata"
	tdxdata "github.com/google/go-tdx-guest/testing/testdata"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// The command prints what is in the recorded quotes that the libraries publish. Roots are those of OpenSSL.
//
// Spec: tee §2.4, §4, §8 (6).
func TestQuotesAreExamined(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tdx, sev := file("tdx", tdxdata.RawQuote), file("sev", sevdata.AttestationBytes)
	vcek, text := file("vcek", sevdata.VcekBytes), file("text", []byte("text"))
	at := "--at=2024-01-01T00:00:00Z"
	for name, c := range map[string]struct {
		args   []string
		status int
		root   string
	}{
		"tdx":           {[]string{"tdx", tdx, at}, 0, "0x44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3"},
		"sev":           {[]string{"sev", sev, at, "--certificate", vcek}, 0, "0x69d063b45344d26a2e94e1f4210de49ef555308287d4c174445c95639a540bcd"},
		"sev alone":     {[]string{"sev", sev, at}, 1, ""},
		"another type":  {[]string{"sev", tdx, at, "--certificate", vcek}, 1, ""},
		"no type":       {[]string{"TDX", tdx, at}, 1, ""},
		"no file":       {[]string{"tdx", dir + "/none"}, 1, ""},
		"no time":       {[]string{"tdx", tdx, "--at=now"}, 1, ""},
		"no root":       {[]string{"tdx", tdx, at, "--root", text}, 1, ""},
		"another vcek":  {[]string{"sev", sev, at, "--certificate", text}, 1, ""},
		"too few words": {[]string{"tdx"}, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			if status := Main(append([]string{"quote"}, c.args...), &out, &errs); status != c.status {
				t.Fatalf("status %d, want %d: %s", status, c.status, errs.String())
			}
			if c.root == "" {
				return
			}
			var said map[string]string
			if err := json.Unmarshal(out.Bytes(), &said); err != nil || said["root"] != c.root || said["tee_type"] != name || len(said) != 6 {
				t.Errorf("%v %v", said, err)
			}
		})
	}
}

// A quote is held against what a node says of the chain's collateral: its root, its versions, and the revocation lists by their hash. The hash of Intel's two
// lists of 2023 is `cat rootcrl.der pckcrl | sha256sum`; the other order has another.
//
// Spec: tee §2.4, §4 (3), §6 (TcbOutOfDate).
func TestQuotesAreHeldAgainstCollateral(t *testing.T) {
	const (
		intel = "0x44a0196b2b99f889b8e149e95b807a350e7424964399e885a7cbb8ccfab674d3"
		both  = "0x1e02a3df9c9071487174c00b861c2a4f5acc5a750640aa46810f39206b0e17e0"
	)
	dir := t.TempDir()
	write := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("quote", tdxdata.RawQuote)
	write("root", tdxdata.RootCrlBody)
	write("platform", tdxdata.PckCrlBody)
	write("text", []byte("text"))
	list := func(names ...string) (args []string) {
		for _, n := range names {
			args = append(args, "--revocation-list", filepath.Join(dir, n))
		}
		return args
	}
	snapshot := func(change func(s *wire.CollateralSnapshot)) *wire.CollateralSnapshot {
		s := &wire.CollateralSnapshot{Roots: []string{wire.Hash(digest.Hash{1}), intel}, LeastTCB: "03000400000000000000000000000000", Revoked: both}
		if change != nil {
			change(s)
		}
		return s
	}
	for name, c := range map[string]struct {
		args []string
		at   string // June 20 unless told, when both lists are in force
		has  *wire.CollateralSnapshot
		node bool
		bad  string
	}{
		"as the chain lists it":  {args: list("root", "platform"), node: true, has: snapshot(nil)},
		"without a node":         {args: list("root", "platform")},
		"another order":          {args: list("platform", "root"), node: true, has: snapshot(nil), bad: "the chain lists " + both},
		"one of them":            {args: list("root"), node: true, has: snapshot(nil), bad: "the chain lists " + both},
		"none of them":           {node: true, has: snapshot(nil), bad: "none are given"},
		"when they have expired": {args: list("root", "platform"), at: "2023-07-08T07:27:52Z", node: true, has: snapshot(nil), bad: "expired"},
		"no list":                {args: list("text"), bad: "text"},
		"no file":                {args: list("none"), bad: "none"},
		"another root": {args: list("root", "platform"), node: true, bad: "does not list the root", has: snapshot(func(s *wire.CollateralSnapshot) {
			s.Roots = s.Roots[:1]
		})},
		"an old platform": {args: list("root", "platform"), node: true, bad: "out of date", has: snapshot(func(s *wire.CollateralSnapshot) {
			s.LeastTCB = "03000500000000000000000000000000"
		})},
		"where none are listed": {args: list("root"), node: true, has: snapshot(func(s *wire.CollateralSnapshot) { s.Revoked = "" })},
		"no collateral":         {node: true, bad: "no collateral"},
	} {
		t.Run(name, func(t *testing.T) {
			node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/collateral/tdx" {
					w.WriteHeader(http.StatusNotFound)
				} else if err := json.NewEncoder(w).Encode(wire.Collateral{TEEType: "tdx", InForce: c.has}); err != nil {
					t.Error(err)
				}
			}))
			defer node.Close()
			args := append([]string{"quote", "tdx", filepath.Join(dir, "quote"), "--at", cmp.Or(c.at, "2023-06-20T00:00:00Z")}, c.args...)
			if c.node {
				args = append(args, "--rpc-url", node.URL)
			}
			var out, errs bytes.Buffer
			status := Main(args, &out, &errs)
			if c.bad != "" {
				if status != 1 || !strings.Contains(errs.String(), c.bad) || out.Len() > 0 {
					t.Errorf("status %d: %s", status, errs.String())
				}
				return
			}
			var said map[string]string
			if err := json.Unmarshal(out.Bytes(), &said); status != 0 || err != nil || said["root"] != intel || said["revoked"] == "" {
				t.Errorf("status %d: %v %v %s", status, said, err, errs.String())
			}
			if len(c.args) == 4 && said["revoked"] != both {
				t.Error(said["revoked"])
			}
		})
	}
}

// Spec: tee §2.1.
func TestTheProgramOfAnEnvironmentIsConfigured(t *testing.T) {
	own := account.Address{1}
	for name, c := range map[string]struct {
		command []string
		runner  string
		want    account.Address
		bad     string
	}{
		"none":           {},
		"its own":        {command: []string{"/bin/attest", "now"}, want: own},
		"another's":      {command: []string{"/bin/attest"}, runner: account.Address{2}.String(), want: account.Address{2}},
		"a relative one": {command: []string{"attest"}, bad: "absolute"},
		"no address":     {command: []string{"/bin/attest"}, runner: "rita", bad: "tee.runner"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := new(config)
			cfg.TEE.Command, cfg.TEE.Runner = c.command, c.runner
			e, err := cfg.environment(own)
			switch {
			case c.bad != "":
				if err == nil || !strings.Contains(err.Error(), c.bad) {
					t.Errorf("%v", err)
				}
			case err != nil || (e != nil) != (c.command != nil) || e != nil && e.Runner != c.want:
				t.Errorf("%+v %v", e, err)
			}
		})
	}
}
