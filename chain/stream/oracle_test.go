package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// bought is a purchase with what became of it.
type bought struct {
	now                 unit.Height
	who                 string
	target              uint64
	outcome             string
	charged             uint64
	publisher, protocol unit.Amount
	coins               [3]unit.Amount // of the payer, the publisher's till, the Treasury
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *bought) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&b.now, &b.who, &b.target, &b.outcome, &b.charged, &b.publisher, &b.protocol, &b.coins})
}

// Every purchase of forty random lives costs what a program has it at that was written from the document alone: epochs, the publisher's part, the protocol's,
// and where each coin is. Targets are around what is covered, the present epoch and the least purchase.
//
// Spec: gateway-payments-streams §E.2 (acquire_epoch_access).
func TestPurchasesAsTheDocumentHasThem(t *testing.T) {
	var runs [][2]json.RawMessage
	if golden.Recorded(t, "testdata/outcomes.json", &runs); len(runs) != 40 {
		t.Fatal(len(runs))
	}
	rejects, met := map[string]error{"": nil, "target": ErrTarget, "minimum": ErrMinimum, "funds": ErrFunds}, map[string]int{}
	for i, run := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var terms [4]uint64
			var steps []bought
			if err := errors.Join(json.Unmarshal(run[0], &terms), json.Unmarshal(run[1], &steps)); err != nil {
				t.Fatal(err)
			}
			w := newWorld(t)
			var id digest.Hash
			w.must(w.as(publisher, func(m *Manager) (err error) {
				id, err = m.Configure(publisher, []byte("news"), Config{
					Fee: unit.Amount(terms[0]), ProtocolBPS: terms[1], Treasury: till, EpochBlocks: terms[2], MinPurchase: terms[3],
				})
				return err
			}))
			for n, s := range steps {
				w.now = s.now
				r, err := w.acquire(id, ann, map[string]account.Address{"ann": ann, "ben": ben}[s.who], s.target)
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d: %+v: %v", n, s, err)
				}
				met[s.outcome]++
				if err == nil && (r.Charged != s.charged || r.Publisher != s.publisher || r.Protocol != s.protocol) {
					t.Fatalf("%d: %+v: %+v", n, s, r)
				}
				w.holds(s.coins[0], s.coins[1], s.coins[2])
			}
		})
	}
	for name := range rejects {
		if met[name] == 0 {
			t.Errorf("no purchase ends with %q", name)
		}
	}
}
