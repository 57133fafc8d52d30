package proposer

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// A validator that is jailed proposes nothing, and its node goes on.
//
// Spec: WP "Slashing"; governance-staking part E (a jailed validator does not propose).
func TestJailedProposesNothing(t *testing.T) {
	keys, _, err := genesis.DevValidators(1)
	if err != nil {
		t.Fatal(err)
	}
	n := sig.NewNamespace(1)
	e := &simplex.Evidence{Offence: simplex.DoubleNotarize}
	for i, s := range []*simplex.Statement{&e.First, &e.Second} {
		s.Kind, s.Subject = sig.Notarization, sig.Subject{Height: 1, Round: sig.Round{View: 1}, BlockHash: digest.Hash{byte(i)}}
		s.Signature = keys[0].Vote.Sign(s.Preimage(n))
	}
	free := parent(t, nil)
	o := free.State.Overlay()
	g := &stake.Registry{State: o, Chain: n, Params: params.Genesis(), Height: 1}
	if guilty, err := g.Misbehave(account.Address{1}, e.Encode()); err != nil || guilty != keys[0].Account.Address() {
		t.Fatal(guilty, err)
	}
	c, err := o.Commit(1)
	if err != nil {
		t.Fatal(err)
	}
	header := block.Header{Version: 1, ChainID: 1, Height: 1, View: 1, ParentHash: free.Header.Hash(), TimestampMs: free.Header.TimestampMs + 1}
	if _, err := begin(replica.Proposal{Header: header, Parent: free}); err != nil {
		t.Errorf("free: %v", err)
	}
	jailed := transition.Parent{Header: free.Header, State: c}
	if _, err := begin(replica.Proposal{Header: header, Parent: jailed}); !errors.Is(err, stake.ErrProposerJailed) {
		t.Errorf("jailed: %v", err)
	}
	var answer *transition.Result
	answers := 0
	s := &Subsystem{Handle: NewHandle()}
	s.propose(propose{replica.Proposal{Header: header, Parent: jailed, Reply: func(r *transition.Result) { answer, answers = r, answers+1 }}})
	if answers != 1 || answer != nil || s.work != nil {
		t.Errorf("%d answers, %v", answers, answer)
	}
}
