package protocol

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A version that asks less for an instruction than transactions are verified for, or has it elsewhere, is a mistake in the source, and so is a gap.
func TestNewTable(t *testing.T) {
	transfer, _ := tx.RowOf(tx.OpTransfer)
	changed := func(change func(r *tx.Row)) *Version {
		r := transfer
		change(&r)
		return &Version{Number: 1, Rows: tx.All().With(r), Costs: params.FirstCosts()}
	}
	for name, x := range map[string]struct {
		v  *Version
		ok bool
	}{
		"the same":        {changed(func(*tx.Row) {}), true},
		"one cycle more":  {changed(func(r *tx.Row) { r.Intrinsic.Cycles++ }), true},
		"one cycle less":  {changed(func(r *tx.Row) { r.Intrinsic.Cycles-- }), false},
		"another lane":    {changed(func(r *tx.Row) { r.Lane = params.LaneSystem }), false},
		"another address": {changed(func(r *tx.Row) { r.Home = 9 }), false},
		"number 2":        {&Version{Number: 2, Rows: tx.All()}, false},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if r := recover(); (r == nil) != x.ok {
					t.Errorf("panic: %v", r)
				}
			}()
			NewTable(x.v)
		})
	}
}

// The version of a height is the schedule's, and one the program does not know is an error that names both.
func TestAt(t *testing.T) {
	p := params.Genesis()
	for _, height := range []unit.Height{0, 1, 1 << 62} {
		if v, err := All().At(p, height); err != nil || v != First() || v.Number != 1 {
			t.Errorf("height %d: %v, %v", height, v, err)
		}
	}
	p.Schedule = params.Schedule{{Version: 9, Height: 5}}
	var unknown *UnknownError
	if _, err := All().At(p, 5); !errors.As(err, &unknown) || *unknown != (UnknownError{9, 5, 1}) {
		t.Errorf("%v", err)
	}
	if _, err := All().At(p, 4); err != nil {
		t.Errorf("one block below: %v", err)
	}
}

// Version 1 has every price: a field of Costs or of the machine's that nobody set would make something free.
func TestFirstCosts(t *testing.T) {
	costs := *First().Costs
	for _, v := range []reflect.Value{reflect.ValueOf(costs), reflect.ValueOf(*costs.Machine)} {
		for i := range v.NumField() {
			if v.Field(i).IsZero() {
				t.Errorf("%s costs nothing", v.Type().Field(i).Name)
			}
		}
	}
}

// A version without a list of chapters runs the first edition of each, another those it lists.
func TestEdition(t *testing.T) {
	if n, ok := First().Edition(tx.ChapterTimer); n != 1 || !ok {
		t.Errorf("edition %d, %v", n, ok)
	}
	v := &Version{Chapters: []Edition{{tx.ChapterTimer, 3}}}
	if n, ok := v.Edition(tx.ChapterTimer); n != 3 || !ok {
		t.Errorf("edition %d, %v", n, ok)
	}
	if n, ok := v.Edition(tx.ChapterStake); ok {
		t.Errorf("edition %d of a chapter that does not run", n)
	}
}
