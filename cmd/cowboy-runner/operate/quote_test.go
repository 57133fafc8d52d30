package operate

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	sevdata "github.com/google/go-sev-guest/verify/testdata"
	tdxdata "github.com/google/go-tdx-guest/testing/testdata"

	"github.com/cowboyinc/cowboy-go/chain/account"
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
