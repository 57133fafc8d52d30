package flow

import (
	"cmp"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Kind says what happened to coins.
type Kind uint8

// The kinds.
const (
	Minted Kind = iota // created; the label says why
	Burned             // destroyed; the label is the cause
	In                 // put into a pot, the label
	Out                // taken out of a pot, the label
	Paid               // to validators; the label says for what
	kinds
)

// String names the kind.
func (k Kind) String() string {
	if k >= kinds {
		return "unknown"
	}
	return [...]string{"minted", "burned", "in", "out", "paid"}[k]
}

// Causes of what is burned. What a chapter burns for another cause has the chapter's name. Spec: WP §8.4; rent §5, §8; governance-staking B4.
const (
	Cycles   = "cycles"   // basefees of cycles
	Cells    = "cells"    // basefees of cells
	Rent     = "rent"     // with surcharges, prepayments and restorations
	Bonds    = "bonds"    // forfeited when an actor was evicted
	Slashed  = "slash"    // stake
	Deposits = "deposits" // of proposals
	Uploads  = "uploads"  // of programs for system actors
)

// Pots that are no chapter's, and labels of what is minted and paid.
const (
	Fees      = "fees"      // gas that is carried from block to block
	Messages  = "messages"  // coins under way
	Owed      = "owed"      // to validators, minted and not paid yet
	Treasury  = "treasury"  // the account 0x08
	Stake     = "stake"     // the account 0x09
	Inflation = "inflation" // minted
	Tips      = "tips"      // paid
	Rewards   = "rewards"   // paid
)

// MaxLabel bounds a label, in bytes, and MaxLines the lines of a sheet.
const (
	MaxLabel = 64
	MaxLines = 256
)

// Line is an amount under its kind and label.
type Line struct {
	Kind   Kind
	Label  string
	Amount unit.Amount // base units
}

func (l *Line) compare(kind Kind, label string) int {
	return cmp.Or(cmp.Compare(l.Kind, kind), cmp.Compare(l.Label, label))
}

// Sheet is what became of coins. The zero value is empty and ready for use.
type Sheet struct {
	Supply unit.Amount // after the newest block
	Lines  []Line      // ascending; none is zero
}

// Add adds to a line. An amount that no 64 bits hold stays the largest that they do: coins that move back and forth may count more than there are.
func (s *Sheet) Add(kind Kind, label string, amount unit.Amount) {
	if amount == 0 {
		return
	}
	at, found := slices.BinarySearchFunc(s.Lines, Line{Kind: kind, Label: label}, func(l, want Line) int { return l.compare(want.Kind, want.Label) })
	if !found {
		s.Lines = slices.Insert(s.Lines, at, Line{kind, label, amount})
		return
	}
	sum, err := s.Lines[at].Amount.Add(amount)
	if err != nil {
		sum = ^unit.Amount(0)
	}
	s.Lines[at].Amount = sum
}

// Of is the amount of a line.
func (s *Sheet) Of(kind Kind, label string) unit.Amount {
	for i := range s.Lines {
		if s.Lines[i].compare(kind, label) == 0 {
			return s.Lines[i].Amount
		}
	}
	return 0
}

// Sum is what all lines of a kind have together.
func (s *Sheet) Sum(kind Kind) (sum unit.Amount) {
	for i := range s.Lines {
		if s.Lines[i].Kind == kind {
			sum += s.Lines[i].Amount // of what is minted and burned, which 64 bits hold
		}
	}
	return sum
}

// Before is the supply before the oldest block.
func (s *Sheet) Before() unit.Amount { return s.Supply + s.Sum(Burned) - s.Sum(Minted) }

// Merge adds the sheet of later blocks.
func (s *Sheet) Merge(later *Sheet) {
	for _, l := range later.Lines {
		s.Add(l.Kind, l.Label, l.Amount)
	}
	s.Supply = later.Supply
}

// Net brings a pot that held before and holds after in agreement with its lines: what they do not account for went in or out.
func (s *Sheet) Net(pot string, before, after unit.Amount) {
	have, want := before+s.Of(In, pot), after+s.Of(Out, pot)
	if want > have {
		s.Add(In, pot, want-have)
	} else {
		s.Add(Out, pot, have-want)
	}
}

// Append appends the kept form: UInt supply, and of each line kind, label and UInt amount.
func (s *Sheet) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendUint(dst, uint64(s.Supply)), len(s.Lines))
	for i := range s.Lines {
		l := &s.Lines[i]
		dst = codec.AppendBytes(codec.AppendU8(dst, uint8(l.Kind)), []byte(l.Label))
		dst = codec.AppendUint(dst, uint64(l.Amount))
	}
	return dst
}

var errOrder = errors.New("flow: the lines of a sheet are not in their order")

// Read reads what Append wrote. Lines that are out of order or empty are an error, as any other bytes are.
func Read(r *codec.Reader) (s Sheet, err error) {
	s.Supply = unit.Amount(r.Uint())
	n := r.Len(0, MaxLines, 3)
	for range n {
		l := Line{Kind: Kind(r.Tag(byte(kinds))), Label: string(r.Bytes(MaxLabel)), Amount: unit.Amount(r.Uint())}
		if err := r.Err(); err != nil {
			return Sheet{}, err
		}
		if k := len(s.Lines); l.Amount == 0 || k > 0 && s.Lines[k-1].compare(l.Kind, l.Label) >= 0 {
			return Sheet{}, errOrder
		}
		s.Lines = append(s.Lines, l)
	}
	return s, r.Err()
}
