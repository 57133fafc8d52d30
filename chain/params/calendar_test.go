package params

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The usual epochs have 3,600 blocks; a network with others divides its heights the same way.
//
// Spec: WP "Validator Set", §13 (3,600 blocks); commonware §4.3 (midpoint).
func TestCalendar(t *testing.T) {
	short, err := NewCalendar(20)
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []struct {
		calendar                    Calendar
		height                      unit.Height
		epoch                       uint64
		first, last, freeze, anchor unit.Height
	}{
		{Calendar{}, 0, 0, 0, 3599, 1800, 0},
		{Calendar{}, 3599, 0, 0, 3599, 1800, 0},
		{Calendar{}, 3600, 1, 3600, 7199, 5400, 3599},
		{Calendar{}, 7200, 2, 7200, 10_799, 9000, 7199},
		{short, 19, 0, 0, 19, 10, 0},
		{short, 20, 1, 20, 39, 30, 19},
		{short, 41, 2, 40, 59, 50, 39},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			c, e := x.calendar, x.calendar.Epoch(x.height)
			if e != x.epoch || c.First(e) != x.first || c.Last(e) != x.last || c.Freeze(e) != x.freeze || c.Anchor(e) != x.anchor {
				t.Errorf("height %d: epoch %d from %d to %d, midpoint %d, on %d", x.height, e, c.First(e), c.Last(e), c.Freeze(e), c.Anchor(e))
			}
		})
	}
	if short.Retained() != 30_241 || (Calendar{}).Retained() != 169 {
		t.Errorf("%d and %d epochs are kept", short.Retained(), Calendar{}.Retained())
	}
}

func TestCalendarIsStored(t *testing.T) {
	for _, blocks := range []uint64{MinEpochBlocks, 20, EpochBlocks, MaxEpochBlocks} {
		c, err := NewCalendar(blocks)
		if err != nil || c.Blocks() != blocks || (c == Calendar{}) != (blocks == EpochBlocks) {
			t.Errorf("%d blocks: %d, %v", blocks, c.Blocks(), err)
		}
		s := newState()
		c.Save(s)
		if p, err := Load(s); err != nil || p.Calendar != c {
			t.Errorf("%d blocks: loaded %d, %v", blocks, p.Calendar.Blocks(), err)
		}
		if back, err := LoadCalendar(s); err != nil || back != c || s.Has(CalendarKey()) != (blocks != EpochBlocks) {
			t.Errorf("%d blocks: %d, %v", blocks, back.Blocks(), err)
		}
	}
	for _, blocks := range []uint64{0, MinEpochBlocks - 1, MaxEpochBlocks + 1} {
		if _, err := NewCalendar(blocks); !errors.Is(err, ErrInvalid) {
			t.Errorf("%d blocks: %v", blocks, err)
		}
	}
	for _, raw := range [][]byte{{}, {7}, {20, 0}} {
		s := newState()
		s.Set(CalendarKey(), raw)
		if _, err := LoadCalendar(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("%x: %v", raw, err)
		}
	}
	if err := Genesis().Replace(KeyCalendar, []byte{20}); !errors.Is(err, ErrInvalid) {
		t.Errorf("governance changes the calendar: %v", err)
	}
}
