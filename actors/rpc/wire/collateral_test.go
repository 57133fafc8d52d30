package wire

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Spec: tee §2.4 (CollateralSnapshot by height).
func TestCollateralIsShownByHeight(t *testing.T) {
	zeros := strings.Repeat("0", 62)
	all := tee.Collateral{
		{Effective: 10, Roots: []digest.Hash{{0xaa}}, Least: tee.TCB{1}},
		{Effective: 20, Roots: []digest.Hash{{0xaa}, {0xbb}}, Revoked: digest.Hash{0xcc}, Operators: digest.Hash{0xdd}},
	}
	first := `{"effective_from":10,"roots":["0xaa` + zeros + `"],"least_tcb":"01` + zeros[:30] + `"}`
	second := `{"effective_from":20,"roots":["0xaa` + zeros + `","0xbb` + zeros + `"],"least_tcb":"` + zeros[:32] + `","revoked":"0xcc` + zeros +
		`","operators":"0xdd` + zeros + `"}`
	for at, want := range map[unit.Height]string{
		9:  `{"tee_type":"sev","next":` + second + `}`, // the first of two that wait: the chain keeps one
		10: `{"tee_type":"sev","in_force":` + first + `,"next":` + second + `}`,
		19: `{"tee_type":"sev","in_force":` + first + `,"next":` + second + `}`,
		20: `{"tee_type":"sev","in_force":` + second + `}`,
	} {
		t.Run(fmt.Sprint("block ", at), func(t *testing.T) {
			got, err := json.Marshal(ViewCollateral(tee.SEV, all, at))
			if err != nil || string(got) != want {
				t.Errorf("%s, want %s; %v", got, want, err)
			}
		})
	}
	if got, err := json.Marshal(ViewCollateral(tee.TDX, nil, 5)); err != nil || string(got) != `{"tee_type":"tdx"}` {
		t.Errorf("%s %v", got, err)
	}
}
