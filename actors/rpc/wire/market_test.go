package wire

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
)

// TestViewMarket shows a concentration, of which 2³² is one, in millionths, rounded down. Spec: WP §5.3; runner-marketplace §4.2.
func TestViewMarket(t *testing.T) {
	if v := ViewMarket(params.CommitteeConfig{Members: 5, Threshold: 3}, nil, 7); v != (Market{Members: 5, Threshold: 3, Escrow: 7}) {
		t.Errorf("before the first epoch is complete: %+v", v)
	}
	for _, c := range []struct {
		name  string
		given uint64
		want  uint64
	}{{"none", 0, 0}, {"below a millionth", 4_294, 0}, {"a millionth", 4_295, 1}, {"half", 1 << 31, 500_000}, {"one has all", 1 << 32, 1_000_000}} {
		t.Run(c.name, func(t *testing.T) {
			s := &market.Size{Concentration: job.Concentration(c.given), Active: 9}
			if v := ViewMarket(params.CommitteeConfig{}, s, 0); !v.Measured || v.Active != 9 || v.ConcentrationPPM != c.want {
				t.Errorf("%+v, want %d", v, c.want)
			}
		})
	}
}
