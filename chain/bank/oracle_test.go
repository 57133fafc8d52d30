package bank

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// spending is a charge or what came back of one, with what was spent in the last periods after it.
type spending struct {
	name   string
	at     unit.Height
	amount uint64
	over   int // the tier whose cap it is above; -1 for none
	spent  [Tiers]uint64
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *spending) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.at, &s.amount, &s.over, &s.spent})
}

// What forty cards may spend in hours, days and months, and what comes back, is what a program has that was written from the document alone. Amounts are around
// what is left of a cap, heights around the edges of periods.
//
// Spec: gateway-payments-streams §G.1 (SpendWindow), §G.3.
func TestWindowsAsTheDocumentHasThem(t *testing.T) {
	var runs [][2]json.RawMessage
	if golden.Recorded(t, "testdata/windows.json", &runs); len(runs) != 40 {
		t.Fatal(len(runs))
	}
	met := map[int]int{}
	for i, run := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var caps [Tiers]int64
			var steps []spending
			if err := errors.Join(json.Unmarshal(run[0], &caps), json.Unmarshal(run[1], &steps)); err != nil {
				t.Fatal(err)
			}
			p, w := &Policy{}, Window{}
			for tier, most := range [...]**unit.Uint128{&p.PerHourCap, &p.PerDayCap, &p.PerMonthCap} {
				if caps[tier] >= 0 {
					limit := unit.Wide(uint64(caps[tier]))
					*most = &limit
				}
			}
			for n, s := range steps {
				if s.name == "return" {
					w = w.Return(s.at, unit.Wide(s.amount))
				} else {
					next, err := w.Add(p, s.at, unit.Wide(s.amount))
					var over *CapError
					if errors.As(err, &over) != (s.over >= 0) || over != nil && int(over.Tier) != s.over {
						t.Fatalf("%d: %+v: %v", n, s, err)
					}
					met[s.over]++
					if err == nil {
						w = next
					}
				}
				for tier := range w {
					if w[tier].Amount != unit.Wide(s.spent[tier]) {
						t.Fatalf("%d: %+v: %v", n, s, w)
					}
				}
			}
		})
	}
	for over := -1; over < int(Tiers); over++ {
		if met[over] == 0 {
			t.Errorf("no charge ends with %d", over)
		}
	}
}
