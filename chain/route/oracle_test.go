package route

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Fees by length and time, the states of a name and its price in each block of its auction are those of a program that was written from the document alone.
//
// Spec: gateway-payments-streams §A.3.
func TestPricesAsTheDocumentHasThem(t *testing.T) {
	data, err := os.ReadFile("testdata/outcomes.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Fees  [][3]uint64
		Lives [][3]any
	}
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	decoder.UseNumber()
	if err := decoder.Decode(&want); err != nil || len(want.Fees) != 36 || len(want.Lives) != 107 {
		t.Fatal(err, len(want.Fees), len(want.Lives))
	}
	c := Genesis()
	for _, x := range want.Fees {
		if got, err := c.Fee(strings.Repeat("a", int(x[0])), x[1]); err != nil || uint64(got) != x[2] {
			t.Errorf("%d characters for %d blocks: %d %v, want %d", x[0], x[1], got, err, x[2])
		}
	}
	const expires = 100_000_000
	b := &Binding{Registered: 1, Expires: expires}
	fee, err := c.Fee("abcdefgh", c.Period)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range want.Lives {
		behind, err := x[0].(json.Number).Int64()
		if err != nil {
			t.Fatal(err)
		}
		price, err := x[2].(json.Number).Int64()
		if err != nil {
			t.Fatal(err)
		}
		status, since := b.Status(c, unit.Height(expires+behind))
		got := unit.Amount(0)
		switch status {
		case InAuction:
			got, err = c.AuctionPrice(fee, since)
		case Free:
			got = fee
		}
		if err != nil || status.String() != x[1] || got != unit.Amount(price) {
			t.Errorf("%d blocks behind: %s %d %v, want %v", behind, status, got, err, x)
		}
	}
}
