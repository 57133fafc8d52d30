package admin

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// quorum is agreement among four, of whom two are met.
type quorum struct{}

func (quorum) Status() replica.Status { return replica.Status{Validators: 4, Known: 2, Lost: 3} }

func (quorum) Counts() (c replica.Counts) {
	c = replica.Counts{Views: 90, Relayed: 5}
	c.GivenUp[simplex.NoProposal], c.GivenUp[simplex.NoQuorum] = 6, 7
	return c
}

// TestAgreementMetrics scrapes a validator whose newest final block tells of the votes for its parent.
func TestAgreementMetrics(t *testing.T) {
	n := node{true}
	m := NewMetrics(n, "1")
	m.Follow(quorum{})
	voters := sig.NewSigners(4)
	for i := range 3 {
		voters.Add(i)
	}
	m.Observe(&block.Header{Height: 2, ParentVotes: &sig.Votes{Signers: voters}}, 0, 0, nil)
	_, body := ask(t, New(n, m, nil), "GET", "/metrics", nil)
	for _, line := range []string{
		"cowboy_consensus_validators 4", "cowboy_consensus_rounds 3", "cowboy_p2p_validators 2", "cowboy_consensus_views_total 90",
		"cowboy_consensus_proposals_relayed_total 5", `cowboy_consensus_views_given_up_total{cause="no proposal"} 6`,
		`cowboy_consensus_views_given_up_total{cause="no quorum"} 7`, `cowboy_consensus_views_given_up_total{cause="absent leader"} 0`,
		"cowboy_consensus_missing_validators 1",
	} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
}
