package secret

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// What is wrong with a receipt is looked for in the documents' order: of a receipt that is wrong in more and more ways the first of them is told.
//
// Spec: secrets-cbss §5 (the chain validates a receipt).
func TestOrderOfAReceiptsChecks(t *testing.T) {
	s := newShop(t)
	former := s.committee
	for _, p := range former[:4] {
		s.must(s.record(s.receipt(s.ask(p), p)))
	}
	s.must(s.Reshare(AccountScope(owner), owner))
	present := s.committeeOf(s.keyed(AccountScope(owner)))
	var fresh, again *party
	for _, p := range present {
		if slices.Contains(former[:4], p) {
			again = p
		} else {
			fresh = p
		}
	}
	if fresh == nil || again == nil {
		t.Fatal("the committees have nobody or all in common")
	}
	p := former[4]
	ask, proof := []func(*cbss.Request){}, []func(*Proof){}
	signs := true
	for _, c := range []struct {
		name  string
		by    *party
		ask   func(*cbss.Request)
		proof func(*Proof)
		err   error
	}{
		{"served after now, beyond the threshold", p, nil, func(f *Proof) { f.Served++ }, ErrQuorum},
		{"of another epoch than the others", fresh, func(q *cbss.Request) { q.Epoch = 2 }, nil, ErrMixed},
		{"of a proxy that has a receipt", again, nil, nil, ErrRecorded},
		{"of no partial", again, nil, func(f *Proof) { f.Blinded.Response[31] ^= 1 }, ErrPartial},
		{"not signed by the proxy", again, nil, func(*Proof) { signs = false }, ErrProxySig},
		{"of an epoch nobody serves in", again, func(q *cbss.Request) { q.Epoch = 9 }, nil, ErrStaleEpoch},
		{"of another epoch than asked", again, nil, func(f *Proof) { f.Epoch = 1 }, ErrEpoch},
		{"of no job", again, func(q *cbss.Request) { q.Job = digest.Hash{} }, nil, ErrAccess},
		{"of another recipient", again, func(q *cbss.Request) { q.Recipient = 1 }, nil, ErrRecipient},
		{"of no version", again, func(q *cbss.Request) { q.Version = 9 }, nil, ErrNotFound},
		{"to another proxy", again, nil, func(f *Proof) { f.Proxy[0] ^= 1 }, ErrRunnerSig},
		{"too old", again, func(q *cbss.Request) { q.Block -= 385 }, nil, ErrStale},
		{"cut", again, nil, func(f *Proof) { f.Request = f.Request[1:] }, ErrNoRequest},
	} {
		if c.ask != nil {
			ask = append(ask, c.ask)
		}
		if c.proof != nil {
			proof = append(proof, c.proof)
		}
		t.Run(c.name, func(t *testing.T) {
			q := s.ask(c.by)
			q.Epoch = 1
			good := *q
			for _, wrong := range ask {
				wrong(q)
			}
			if good.Epoch = q.Epoch; good.Epoch > 2 {
				good.Epoch = 2
			}
			f := s.proofOf(&good, q, c.by)
			for _, wrong := range proof {
				wrong(f)
			}
			if signs {
				resign(q, c.by.key)(f)
			}
			s.refused(c.err, func() error { return s.Record(f) })
		})
	}
}
