package cli

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// A runner is printed with the environments it is bound to, or with the one it declared.
//
// Spec: tee §2.3; runner-marketplace §2.5.
func TestRunnersArePrintedWithTheirEnvironments(t *testing.T) {
	tdx := "tdx"
	declared := wire.Runner{Measurement: "0x07", Capabilities: wire.RunnerCapabilities{TEESupport: &tdx}}
	bound := declared
	bound.Binding = &wire.Binding{
		TEEType: tdx, Measurements: []string{"0x01", "0x02"}, Accelerators: []string{"0x03"}, Service: "0x04", Scheme: "Ed25519",
		ExpiresAt: 900, Status: "Active",
	}
	for name, c := range map[string]struct {
		r    wire.Runner
		want string // lines
	}{
		"none":     {wire.Runner{}, ""},
		"declared": {declared, "Trusted environment: tdx 0x07, as it declared\n"},
		"bound": {bound, "Trusted environments: tdx, Active; to be renewed before block 900\n" +
			"  Measurements: 0x01 0x02\n  Accelerators: 0x03\n  Service: 0x04 (Ed25519)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			_, got, _ := strings.Cut(runnerText(c.r), "Job value: 0 CBY to 0 CBY\n")
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
