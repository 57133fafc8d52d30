package sim

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// accused is a network in which one of four validators misbehaves and nothing else goes wrong.
func accused(kind string) Plan {
	p := calm(4)
	p.Clients, p.Chaos = clientsMax, time.Second
	p.Faulty = map[uint32]string{1: kind}
	return p
}

// TestInvalidProposals plays a proposer of each kind: evidence against it is brought by the others, and against nobody else.
// Spec: WP "Slashing" (invalid proposal); governance-staking A3; commonware §7.
func TestInvalidProposals(t *testing.T) {
	for _, kind := range faulty.Invalid() {
		r, err := Run(accused(kind))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Wrong) > 0 || !slices.Equal(r.Convicted, []string{kind}) || r.Accused["invalid proposal"] == 0 {
			t.Errorf("%v: %v", r, r.Wrong)
		}
	}
}

// TestProposersJailed plays networks with several offenders, chaos at first, and real signatures: on chain, the offenders are jailed and nobody else is.
// Spec: WP "Slashing" (invalid proposal: jail); governance-staking A3.
func TestProposersJailed(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		p := ProposerPlanOf(seed)
		r, err := Run(p)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Wrong) > 0 || len(r.Convicted) == 0 {
			t.Errorf("%v: %v", r, r.Wrong)
		}
	}
}

// TestSlander: one of four validators accuses everybody, and nothing comes of it; two of four are more than may be faulty, and the checkers notice.
// Spec: WP "Slashing", "Consensus and Networking" (f < n/3).
func TestSlander(t *testing.T) {
	r, err := Run(accused(faulty.Slanderer))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Wrong) > 0 || len(r.Accused) > 0 {
		t.Errorf("%v: %v", r, r.Wrong)
	}
	p := accused(faulty.Slanderer)
	p.Faulty[2] = faulty.Slanderer
	if r, err = Run(p); err != nil {
		t.Fatal(err)
	}
	if len(r.Wrong) == 0 || !strings.Contains(r.Wrong[0], "honest validator") && !strings.Contains(r.Wrong[0], "disputes") {
		t.Errorf("two of four slander unnoticed: %v %v", r, r.Wrong)
	}
}
