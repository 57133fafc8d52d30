package simplex

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// trusting accepts every signature.
type trusting struct{}

func (trusting) Verify(uint32, []byte, sig.BLSSignature) error { return nil }
func (trusting) Assemble([]uint32, []byte, []sig.BLSSignature) (s sig.BLSSignature, bad []int) {
	return s, nil
}
func (trusting) Recover(sig.Round, []uint32, []sig.BLSSignature) (s sig.BLSSignature, bad []int) {
	return s, nil
}
func (trusting) VerifyCertificate(*sig.Certificate) error { return nil }
func (trusting) Hold([]Claim) bool                        { return true }

func boundState(t *testing.T) *State {
	s, _, err := New(Config{
		Stakes: []unit.Amount{1, 1, 1, 1}, Self: 0, Timeouts: DefaultTimeouts(), Retention: 5, Scheme: trusting{},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func nullification(view uint64) *Certificate {
	return &Certificate{Certificate: &sig.Certificate{
		Kind: sig.Nullification, Subject: sig.Subject{Round: sig.Round{View: view}}, Signers: sig.NewSigners(4),
	}}
}

// held counts the views that hold votes, and the views that hold anything.
func (s *State) held() (votes, views int) {
	for _, r := range s.rounds {
		if r.partials.slots != nil || r.early != nil || r.votes[0].slots != nil || r.votes[1].slots != nil || r.votes[2].slots != nil {
			votes++
		}
	}
	return votes, len(s.rounds)
}

// TestBounds floods a State: votes are held for retention+2 views at most, whatever is sent; without finality one certificate per view is held and
// nothing else; a finalization lets go of everything below the retention.
// Spec: commonware §3.2 (view retention), §3.3 (admission).
func TestBounds(t *testing.T) {
	s := boundState(t)
	limit := int(s.cfg.Retention) + 2
	flood := func(from uint32, around uint64) {
		for view := uint64(1); view < around+40; view++ {
			for label := byte(0); label < 3; label++ {
				subject := sig.Subject{BlockHash: digest.Hash{label}, Height: 1, Round: sig.Round{View: view}}
				v := Vote{Kind: sig.Notarization, Subject: subject, Signer: from}
				if view > 1 {
					v.Half = &Half{Parent: sig.Subject{Round: sig.Round{View: view / 2}}}
				}
				s.Step(Received{from, &v})
				s.Step(Received{from, &Propose{Vote: v, Ref: BlockRef{Hash: digest.Hash{label}, Height: 1, Round: subject.Round}}})
				s.Step(Received{from, &Vote{Kind: sig.Finalization, Subject: subject, Signer: from}})
			}
			s.Step(Received{from, &NewView{Round: sig.Round{View: view}, Signer: from}})
		}
	}
	for view := uint64(1); view <= 60; view++ {
		if view%20 == 1 {
			flood(3, view)
		}
		if votes, views := s.held(); votes > limit || views > int(view)+2 {
			t.Fatalf("view %d: votes of %d views, %d views held", view, votes, views)
		}
		s.Step(Received{1, nullification(view)})
	}
	if s.view != 61 {
		t.Fatalf("view %d", s.view)
	}
	final := &sig.Certificate{Kind: sig.Finalization, Signers: sig.NewSigners(4)}
	final.Subject = sig.Subject{BlockHash: digest.Hash{9}, Height: 1, Round: sig.Round{View: 61}}
	s.Step(Received{1, &Certificate{Certificate: final}})
	if _, views := s.held(); views > limit {
		t.Errorf("%d views held after a finalization", views)
	}
	// Votes far ahead, and proposals by everybody for the next view, take one slot each.
	flood(1, 62)
	flood(2, 62)
	flood(3, 62)
	if _, views := s.held(); views > limit+1 {
		t.Errorf("%d views held after the flood", views)
	}
	if r := s.rounds[s.view+1]; r != nil && len(r.early) > 3 {
		t.Errorf("%d early proposals", len(r.early))
	}
}

// TestFetchDoesNotSpin answers every request with nothing: no further request goes out before its deadline.
// Spec: commonware §3.4.
func TestFetchDoesNotSpin(t *testing.T) {
	s := boundState(t)
	effects := s.Step(Received{1, nullification(9)})
	for range 5 {
		requests := 0
		var last Send
		for _, e := range effects {
			if send, ok := e.(Send); ok {
				if _, ok := send.Message.(*Request); ok {
					requests, last = requests+1, send
				}
			}
		}
		if requests != 1 {
			t.Fatalf("%d requests", requests)
		}
		id := last.Message.(*Request).ID
		if out := s.Step(Received{last.To, &Response{ID: id}}); len(out) != 0 {
			t.Fatalf("an empty response causes %v", out)
		}
		effects = s.Step(Expired{FetchTimer, id})
	}
}
