package flow

import (
	"bytes"
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// full is a sheet with a line of each kind, made in another order than theirs.
func full() *Sheet {
	s := &Sheet{Supply: 1_000}
	s.Add(Paid, Tips, 3)
	s.Add(Burned, Rent, 5)
	s.Add(In, Fees, 40)
	s.Add(Burned, Cycles, 7)
	s.Add(Out, Fees, 30)
	s.Add(Minted, Inflation, 20)
	s.Add(Burned, Cycles, 2)
	s.Add(Burned, Cells, 0)
	return s
}

// TestSheet adds up by hand: 1,000 is left of 994 after 20 were minted and 14 burned. Spec: WP §8.1, §8.4.
func TestSheet(t *testing.T) {
	s := full()
	if got := s.Of(Burned, Cycles); got != 9 {
		t.Errorf("cycles %d", got)
	}
	if s.Sum(Burned) != 14 || s.Sum(Minted) != 20 || s.Before() != 994 {
		t.Errorf("burned %d, minted %d, before %d", s.Sum(Burned), s.Sum(Minted), s.Before())
	}
	if len(s.Lines) != 6 { // nothing was burned for cells
		t.Errorf("%d lines", len(s.Lines))
	}
	next := &Sheet{Supply: 999}
	next.Add(Burned, Cells, 1)
	s.Merge(next)
	if s.Supply != 999 || s.Before() != 994 || s.Of(Burned, Cells) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestNet closes the gap between what a pot held and holds, and what its lines say.
func TestNet(t *testing.T) {
	for _, c := range []struct {
		name                          string
		noted, before, after, in, out unit.Amount
	}{
		{"nothing", 0, 5, 5, 0, 0},
		{"more", 0, 5, 8, 3, 0},
		{"less", 0, 8, 5, 0, 3},
		{"noted", 3, 5, 8, 3, 0},
		{"noted and paid out", 3, 5, 1, 3, 7},
		{"noted and more", 3, 5, 9, 4, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Sheet
			s.Add(In, Stake, c.noted)
			s.Net(Stake, c.before, c.after)
			if s.Of(In, Stake) != c.in || s.Of(Out, Stake) != c.out {
				t.Errorf("in %d, out %d", s.Of(In, Stake), s.Of(Out, Stake))
			}
		})
	}
}

// TestSaturates keeps the largest number there is. The numbers are two of 2^63.
func TestSaturates(t *testing.T) {
	var s Sheet
	s.Add(In, Fees, 1<<63)
	s.Add(In, Fees, 1<<63)
	if got := s.Of(In, Fees); got != ^unit.Amount(0) {
		t.Errorf("%d", got)
	}
}

// TestRead reads what Append wrote, and nothing else.
func TestRead(t *testing.T) {
	data := full().Append(nil)
	r := codec.NewReader(data)
	s, err := Read(r)
	if err == nil {
		err = r.Finish()
	}
	if err != nil || !bytes.Equal(s.Append(nil), data) || s.Before() != 994 {
		t.Fatalf("%+v %v", s, err)
	}
	for name, s := range map[string]*Sheet{
		"out of order": {Lines: []Line{{Burned, Rent, 1}, {Burned, Cells, 1}}},
		"twice":        {Lines: []Line{{Burned, Rent, 1}, {Burned, Rent, 1}}},
		"empty line":   {Lines: []Line{{Burned, Rent, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(codec.NewReader(s.Append(nil))); !errors.Is(err, errOrder) {
				t.Errorf("%v", err)
			}
		})
	}
	for n := range data {
		if _, err := Read(codec.NewReader(data[:n])); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(data))
		}
	}
	if _, err := Read(codec.NewReader((&Sheet{Lines: []Line{{kinds, Rent, 1}}}).Append(nil))); err == nil {
		t.Error("a kind that there is not was read")
	}
}

// The hash of the kept form: one that changes is a change of the ledger's format.
func TestGoldenRecords(t *testing.T) {
	golden.Records(t, map[string][]byte{"Sheet": full().Append(nil)})
}
