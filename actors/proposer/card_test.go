package proposer

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A card covers what one block takes from it together: by its balance, and by its cap.
//
// Spec: gateway-payments-streams §G.3 (2).
func TestCardWithinABlock(t *testing.T) {
	for name, x := range map[string]struct {
		coins unit.Amount
		cap   uint64
		want  []string
	}{
		"none":                {reserved - 1, 9 * reserved, []string{"3/5"}},
		"one":                 {reserved, 9 * reserved, []string{"1/5", "3/5"}},
		"two less a unit":     {2*reserved - 1, 9 * reserved, []string{"1/5", "3/5"}},
		"two":                 {2 * reserved, 9 * reserved, []string{"1/5", "1/6", "3/5"}},
		"a cap of one":        {9 * reserved, 2*reserved - 1, []string{"1/5", "3/5"}},
		"a cap of two":        {9 * reserved, 2 * reserved, []string{"1/5", "1/6", "3/5"}},
		"a cap of all of it":  {9 * reserved, 3 * reserved, []string{"1/5", "1/6", "1/7", "3/5"}},
		"a cap below the one": {9 * reserved, reserved - 1, []string{"3/5"}},
	} {
		t.Run(name, func(t *testing.T) {
			o := parent(t, map[byte]unit.Amount{1: 0, 3: unit.CBY}).State.Overlay()
			most := unit.Wide(x.cap)
			g := &bank.Registry{State: o, Emit: func(string, []byte) {}}
			card, err := g.Issue(person(9), bank.Terms{Bank: 1, Agent: person(1), Policy: bank.Policy{PerHourCap: &most}})
			if err == nil {
				err = account.Credit(o, card, x.coins)
			}
			if err != nil {
				t.Fatal(err)
			}
			offers := []tx.Verified{transfer(t, 3, 5, 10_000)}
			for nonce := range uint64(3) {
				v := &tx.Tx{
					ChainID: 1, Nonce: 5 + nonce, Instruction: &tx.Transfer{To: account.Address{9}}, CyclesLimit: 24_000, CellsLimit: 37,
					MaxFeePerCycle: 10_000, MaxFeePerCell: 10_000, From: person(1), Metadata: tx.PayerMetadata(card),
				}
				copy(v.Signature[:], v.From[:])
				one, err := tx.Verify(v, 1, named{})
				if err != nil {
					t.Fatal(err)
				}
				offers = append(offers, one)
			}
			got, err := executable(offers, o, params.Genesis(), params.GenesisBasefees(), 9)
			if err != nil {
				t.Fatal(err)
			}
			left := labels(got)
			if slices.Sort(left); !slices.Equal(left, x.want) {
				t.Errorf("left %v, want %v", left, x.want)
			}
		})
	}
}
