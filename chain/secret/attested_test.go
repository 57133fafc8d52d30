package secret

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A secret for attested runners is released while the attestation of the job counts, and no longer: neither to one that has expired, nor to one that was
// revoked, nor under a key that was. So proxies admit, and so the chain takes receipts.
//
// Spec: secrets-cbss §2 (tee_required), §5 (TEE), §9 (SecretRequiresTEE).
func TestAttestationsThatCount(t *testing.T) {
	s := newShop(t)
	p := s.committee[0]
	s.must(s.SetPolicy(s.id, 1, Policy{TEE: true}))
	s.attest(t, s.job)
	who := runnerKey().Address()
	for name, c := range map[string]struct {
		after unit.Height
		act   func() error
		err   error
	}{
		"at once":           {0, nil, nil},
		"in its last block": {99, nil, nil},
		"expired":           {100, nil, ErrTEE},
		"revoked":           {1, func() error { return tee.Revoke(s.overlay, s.job, who, who, false) }, ErrTEE},
		"it declares another": {1, func() error {
			d, err := runner.LoadDeclaration(s.overlay, who)
			s.must(err)
			d.Measurement = digest.Hash{6}
			s.overlay.Set(append(account.KeyString(account.KindRecord, runner.Home(), "runner:declared/"), who[:]...), d.Encode())
			return nil
		}, ErrTEE},
		"its key revoked": {1, func() error { return tee.RevokeKey(s.overlay, tee.TDX, digest.Hash{5}, s.Height) }, ErrTEE},
	} {
		t.Run(name, func(t *testing.T) {
			mark, held, height := s.overlay.Mark(), s.Held, s.Height
			defer func() { s.overlay.Revert(mark); s.Held, s.Height = held, height }()
			s.Height += c.after
			if c.act != nil {
				s.must(c.act())
			}
			q := s.ask(p)
			if _, err := s.Admit(q.Signed(runnerKey()), p.id); err != c.err {
				t.Errorf("a proxy: %v, want %v", err, c.err)
			}
			if err := s.record(s.receipt(q, p)); err != c.err {
				t.Errorf("a receipt: %v, want %v", err, c.err)
			}
		})
	}
}
