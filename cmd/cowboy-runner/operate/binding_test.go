package operate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// The configuration names what the runner is bound to, in any order; what the chain would refuse is named before anything starts.
//
// Spec: tee §2.3.
func TestBindingOfAConfiguration(t *testing.T) {
	dir := t.TempDir()
	key := strings.Repeat("ab", 32)
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("service.pub", "0x"+key+"\n")
	write("short.pub", key[2:])
	one, two := digest.Hash{1}.String(), digest.Hash{2}.String()
	for name, c := range map[string]struct {
		change func(c *config)
		bad    string
	}{
		"as it is":               {},
		"no program":             {func(c *config) { c.TEE.Command = nil }, "tee.command"},
		"no type":                {func(c *config) { c.TEE.Type = "" }, "tee.type"},
		"half a measurement":     {func(c *config) { c.TEE.Measurements = []string{"0x01"} }, "tee.measurements"},
		"an accelerator by name": {func(c *config) { c.TEE.Accelerators = []string{"H100"} }, "tee.accelerators"},
		"another scheme":         {func(c *config) { c.TEE.ServiceScheme = "RSA" }, "tee.service_scheme"},
		"a short key":            {func(c *config) { c.TEE.ServiceKey = "short.pub" }, "32 bytes"},
		"no file":                {func(c *config) { c.TEE.ServiceKey = "nothing.pub" }, "tee.service_key"},
		"nine measurements": {func(c *config) {
			for i := range byte(9) {
				c.TEE.Measurements = append(c.TEE.Measurements, digest.Hash{9, i}.String())
			}
		}, "1 to 8"},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := new(config)
			cfg.TEE.Command, cfg.TEE.Type, cfg.TEE.Measurements = []string{"/bin/attest"}, "tdx", []string{two, one, two}
			cfg.TEE.Accelerators, cfg.TEE.ServiceKey = []string{one}, "service.pub"
			if c.change != nil {
				c.change(cfg)
			}
			b, err := cfg.binding(dir)
			if c.bad != "" {
				if err == nil || !strings.Contains(err.Error(), c.bad) {
					t.Errorf("%v", err)
				}
				return
			}
			want := tee.Binding{
				Type: tee.TDX, Measurements: []digest.Hash{{1}, {2}}, Accelerators: []digest.Hash{{1}}, Service: [32]byte([]byte(strings.Repeat("\xab", 32))),
			}
			if err != nil || b.Hash() != want.Hash() {
				t.Errorf("%+v %v", b, err)
			}
		})
	}
	if b, err := new(config).binding(dir); err != nil || b != nil {
		t.Errorf("none is configured: %+v %v", b, err)
	}
}
