package simplex_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// TestAttend: a block is voted for and committed by the others, and never reaches a validator in time. The validator votes to commit it when it is final,
// so that others know it was there: once, durable before it is signed, not where it gave the view up, and not where it only hears of the outcome.
//
// Spec: WP "Slashing" (downtime); governance-staking A3; commonware §3.3 (invariants).
func TestAttend(t *testing.T) {
	for name, x := range map[string]struct {
		votes, gaveUp, observer bool
		want                    int
	}{
		"hears the votes":       {votes: true, want: 1},
		"hears the certificate": {want: 0},
		"gave up":               {votes: true, gaveUp: true, want: 0},
		"does not vote":         {votes: true, observer: true, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			scheme := newFake(4)
			cfg := simplex.Config{
				Namespace: namespace, Stakes: []unit.Amount{1, 1, 1, 1}, Self: 0, Anchor: anchor, Timeouts: simplex.DefaultTimeouts(),
				Retention: simplex.DefaultRetention, Scheme: scheme,
			}
			if x.observer {
				cfg.Self = simplex.Observer
			}
			s, effects, err := simplex.New(cfg, nil)
			if err != nil {
				t.Fatal(err)
			}
			step := func(e simplex.Event) { effects = append(effects, s.Step(e)...) }
			b := blok{height: 1, round: sig.Round{View: 1}, proposer: 1, parentHash: anchor}
			if x.gaveUp {
				step(simplex.Expired{Timer: simplex.LeaderTimer, View: 1})
			}
			if x.votes {
				for _, kind := range []sig.CertificateKind{sig.Notarization, sig.Finalization} {
					for signer := uint32(1); signer < 4; signer++ {
						v := scheme.SignVote(signer, &simplex.Vote{Kind: kind, Subject: b.subject(), Signer: signer})
						step(simplex.Received{From: signer, Message: v})
					}
				}
			} else {
				step(simplex.Received{From: 1, Message: &simplex.Certificate{Certificate: scheme.Certificate(sig.Finalization, b.subject(), 1, 2, 3)}})
			}
			if s.Finalized() != b.subject() {
				t.Fatalf("%s: %v is final", name, s.Finalized())
			}
			durable, signed := 0, 0
			for _, e := range effects {
				switch e := e.(type) {
				case simplex.Persist:
					if v, ok := e.Record.(*simplex.OwnVote); ok && v.Kind == sig.Finalization && v.Subject == b.subject() {
						durable++
					}
				case simplex.SignVote:
					if e.Vote.Kind != sig.Finalization || e.Vote.Subject != b.subject() || durable == 0 {
						t.Errorf("%s: signs %+v", name, e.Vote)
					}
					signed++
					step(simplex.VoteSigned{Vote: scheme.SignVote(0, e.Vote)})
				}
			}
			if durable != x.want || signed != x.want {
				t.Errorf("%s: %d votes to commit durable, %d signed, want %d", name, durable, signed, x.want)
			}
			list := s.LateVotes(b.subject(), sig.NewSigners(4))
			if x.want > 0 && (len(list) != 2 || list[1].Kind != sig.Finalization || !list[1].Signers.Has(0)) {
				t.Errorf("%s: it is not told of: %+v", name, list)
			}
		})
	}
}
