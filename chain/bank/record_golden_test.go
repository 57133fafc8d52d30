package bank

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §G.1.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{
		"Entry": golden.Fill(&Entry{}).Append(nil), "Card": filledCard().Append(nil), "Window": golden.Fill(&Window{}).Append(nil),
		"Kind": golden.Fill(&Kind{}).Append(nil), "Receiver": golden.Fill(&Receiver{}).Append(nil), "Policy": golden.Fill(&Policy{}).Append(nil),
		"Prepaid": golden.Fill(&Prepaid{}).Append(nil), "Peg": golden.Fill(&Peg{}).Append(nil),
	})
}

// filledCard has a status there is.
func filledCard() *Card {
	c := golden.Fill(&Card{})
	c.Status = CardFrozen
	return c
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	c := filledCard()
	back, err := DecodeCard(c.Address, c.Append(nil))
	if err != nil || !reflect.DeepEqual(&back, c) {
		t.Errorf("%+v %v", back, err)
	}
	b := golden.Fill(&Entry{})
	b.Status = Paused
	if back, err := DecodeEntry(b.ID, b.Append(nil)); err != nil || !reflect.DeepEqual(&back, b) {
		t.Errorf("%+v %v", back, err)
	}
	w := golden.Fill(&Window{})
	if back, err := DecodeWindow(w.Append(nil)); err != nil || back != *w {
		t.Errorf("%+v %v", back, err)
	}
	p := golden.Fill(&Prepaid{})
	if back, err := DecodePrepaid(p.Append(nil)); err != nil || back != *p {
		t.Errorf("%+v %v", back, err)
	}
	for cut := range c.Append(nil) {
		if _, err := DecodeCard(c.Address, c.Append(nil)[:cut]); err == nil {
			t.Errorf("cut at %d it is read", cut)
		}
	}
}
