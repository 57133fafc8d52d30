package verifier

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// A result without evidence is taken where a composite attestation of it was verified, which another program made: for its runner, its job and its bytes
// alone, until its deadline, and while its key counts.
//
// Spec: tee §4, §6 (MissingTeeAttestation, InvalidResultHash).
func TestResultsOfCompositeAttestations(t *testing.T) {
	file, err := os.ReadFile("../tee/testdata/cae.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []map[string]string
	if err := json.Unmarshal(file, &all); err != nil {
		t.Fatal(err)
	}
	of := func(field string) []byte {
		b, err := hex.DecodeString(all[1][field])
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	id, who, measured := digest.Hash(of("job")), account.Address(of("runner")), digest.Hash(of("measured"))
	sev, tdx := "sev", "tdx"
	for name, c := range map[string]struct {
		at     unit.Height
		want   *string
		result string
		change func(w *world)
		who    byte
		err    error
	}{
		"as it is":               {at: 1_000},
		"of its type":            {at: 1_000, want: &sev},
		"the last block":         {at: 1_100},
		"of another type":        {at: 1_000, want: &tdx, err: tee.ErrMissing},
		"another result":         {at: 1_000, result: "more", err: tee.ErrResult},
		"another runner":         {at: 1_000, who: 1, err: tee.ErrMissing},
		"after its end":          {at: 1_101, err: tee.ErrExpired},
		"a revoked key":          {at: 1_000, change: func(w *world) { w.must(tee.RevokeKey(w.overlay, tee.SEV, measured, 1_000)) }, err: tee.ErrRevoked},
		"a deprecated one":       {at: 1_000, change: func(w *world) { w.must(tee.Deprecate(w.overlay, tee.SEV, measured, 1_000)) }},
		"it declares another":    {at: 1_000, change: func(w *world) { w.declares(who, digest.Hash{1}) }, err: tee.ErrBinding},
		"of its binding":         {at: 1_000, change: func(w *world) { w.bind(who, digest.Hash{}, measured) }},
		"of its binding no more": {at: 1_000, change: func(w *world) { w.bind(who, digest.Hash{}) }, err: tee.ErrBinding},
		"deprecated before the job": {at: 1_000, change: func(w *world) {
			w.bind(who, measured)
			w.must(tee.Deprecate(w.overlay, tee.SEV, measured, 899))
		}, err: tee.ErrDeprecated},
		"a job that is not": {at: 1_000, change: func(*world) { id[0] ^= 1 }, err: tee.ErrMissing},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, 0)
			id = digest.Hash(of("job"))
			w.must(tee.RegisterKey(w.overlay, tee.SEV, measured, of("trusted"), 1))
			roots := tee.Collateral{{Effective: 1, Roots: []digest.Hash{digest.Hash(of("root"))}, Revoked: digest.Hash(of("revoked"))}}
			w.overlay.Set(account.KeyString(account.KindRecord, tee.Holder(), "tee_col:sev"), roots.Encode())
			cae, err := tee.ParseCAE(of("cae"))
			w.must(err)
			w.must((&tee.Submission{
				CAE: cae, Job: id, Runner: who, Request: digest.Hash(of("request")), Seed: digest.Hash(of("seed")), Result: digest.Hash(of("result")),
				Root: digest.Hash(of("root")), TCB: tee.TCB(of("tcb")), Revoked: digest.Hash(of("revoked")), Vouch: of("vouch"),
				Binding: &tee.Binding{Type: tee.SEV, Measurements: []digest.Hash{measured}},
			}).Verify(w.overlay, 1_000))
			w.declares(who, measured)
			if c.change != nil {
				c.change(w)
			}
			w.Height = c.at
			task := &market.Task{ID: id, Job: &market.Job{Assigned: 900}, Spec: &job.Spec{Verification: job.Verification{TEERequired: true, TEEType: c.want}}}
			by := who
			by[0] ^= c.who
			err = w.v.attested(w.Market, task, by, &verify.Output{Data: []byte(all[1]["name"] + " result" + c.result)})
			if !errors.Is(err, c.err) {
				t.Errorf("%v, want %v", err, c.err)
			}
		})
	}
}

// declares has a runner declare an environment of SEV-SNP.
func (w *world) declares(who account.Address, measured digest.Hash) {
	d := runner.Declaration{Capabilities: runner.Capabilities{TEESupport: "sev"}, Measurement: measured}
	w.overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:declared/"), who[:]...), d.Encode())
}

// bind has a runner bound to environments of SEV-SNP, without its proof.
func (w *world) bind(who account.Address, list ...digest.Hash) {
	b := tee.Binding{Type: tee.SEV, Measurements: list, Bound: 1, Expires: 2_000}
	w.overlay.Set(append(account.KeyString(account.KindRecord, tee.Holder(), "tee_binding:"), who[:]...), b.Encode())
}
