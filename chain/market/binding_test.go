package market

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The dispatcher gives a job that requires a trusted environment to a runner whose binding is of the type it declares, Active, and so until the last block in
// which the job may be revealed. What it reads of a binding is counted, for whoever pays.
//
// Spec: tee §2.3, §4; runner-marketplace §4.1 (4).
func TestJobsGoByTheBinding(t *testing.T) {
	const timeout = 200
	trusted, deprecated, revoked, unknown := digest.Hash{1}, digest.Hash{2}, digest.Hash{3}, digest.Hash{4}
	all := []digest.Hash{trusted, deprecated, revoked, unknown}
	end := unit.Height(began + timeout + params.RevealWindowBlocks)
	for _, c := range []struct {
		name     string
		declared string
		kind     tee.Type
		list     []digest.Hash
		expires  unit.Height
		ok       bool
		extra    int // looked at beyond the runner
	}{
		{name: "a trusted measurement", declared: "tdx", kind: tee.TDX, list: all[:1], expires: end + 1, ok: true},
		{name: "one of several", declared: "tdx", kind: tee.TDX, list: all, expires: end + 1, ok: true, extra: 1},
		{name: "to be renewed before the job ends", declared: "tdx", kind: tee.TDX, list: all[:1], expires: end},
		{name: "to be renewed long ago", declared: "tdx", kind: tee.TDX, list: all[:1], expires: began},
		{name: "none that is trusted for new jobs", declared: "tdx", kind: tee.TDX, list: all[1:], expires: end + 1},
		{name: "a deprecated one", declared: "tdx", kind: tee.TDX, list: []digest.Hash{deprecated}, expires: end + 1},
		{name: "a revoked one", declared: "tdx", kind: tee.TDX, list: []digest.Hash{revoked}, expires: end + 1},
		{name: "another type than is declared", declared: "tdx", kind: tee.SGX, list: all[:1], expires: end + 1},
		{name: "another type than is asked for", declared: "sgx", kind: tee.SGX, list: all[:1], expires: end + 1},
		{name: "nothing is declared", declared: "", kind: tee.TDX, list: all[:1], expires: end + 1},
		{name: "only what is declared is trusted", declared: "tdx", kind: tee.TDX, list: []digest.Hash{unknown}, expires: end + 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := oneRunner(t, func(t *runner.Terms) { t.Capabilities.TEESupport, t.Measurement = c.declared, trusted }, nil)
			for _, kind := range []tee.Type{tee.TDX, tee.SGX} {
				for _, m := range all[:3] {
					w.must(tee.RegisterKey(w.overlay, kind, m, point(), 1))
				}
				w.must(tee.Deprecate(w.overlay, kind, deprecated, 2))
				w.must(tee.RevokeKey(w.overlay, kind, revoked, 2))
			}
			b, who := tee.Binding{Type: c.kind, Measurements: c.list, Expires: c.expires}, person(0)
			w.overlay.Set(append(account.KeyString(account.KindRecord, tee.Holder(), "tee_binding:"), who[:]...), b.Encode())
			var paid int
			w.Look = func(n int) error { paid += n; return nil }
			looks := func(required bool) (candidates int, looked int) {
				spec, tdx := ask(), "tdx"
				if spec.Verification.TEERequired = required; required {
					spec.Verification.TEEType = &tdx
				}
				paid = 0
				list, looked, err := w.candidates(&Task{Spec: spec, Job: &Job{Timeout: timeout}}, nil)
				if err != nil || paid != looked {
					t.Errorf("looked at %d, paid for %d: %v", looked, paid, err)
				}
				return len(list), looked
			}
			plain, before := looks(false)
			n, looked := looks(true)
			if plain != 1 || (n == 1) != c.ok {
				t.Errorf("%d are candidates, and %d of a job that requires nothing", n, plain)
			}
			if c.ok && looked != before+c.extra {
				t.Errorf("looked at %d, want %d", looked, before+c.extra)
			}
		})
	}
}
