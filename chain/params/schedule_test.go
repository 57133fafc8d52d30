package params

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A version begins at its height and not one below; before the first activation the version is 1.
func TestScheduleAt(t *testing.T) {
	s := Schedule{{Version: 2, Height: 10}, {Version: 4, Height: 20}}
	for h, want := range map[unit.Height]uint32{0: 1, 9: 1, 10: 2, 19: 2, 20: 4, 1 << 62: 4} {
		t.Run(fmt.Sprint(h), func(t *testing.T) {
			if got := s.At(h); got != want {
				t.Errorf("version %d, want %d", got, want)
			}
		})
	}
	if got := (Schedule{}).At(1 << 62); got != 1 {
		t.Errorf("without a schedule: version %d", got)
	}
}

// Versions and heights ascend, and version 1 is not scheduled.
func TestScheduleValidate(t *testing.T) {
	long := make(Schedule, MaxActivations+1)
	for i := range long {
		long[i] = Activation{uint32(i + 2), unit.Height(i)}
	}
	for name, x := range map[string]struct {
		s  Schedule
		ok bool
	}{
		"none":             {nil, true},
		"from the genesis": {Schedule{{2, 0}}, true},
		"two":              {Schedule{{2, 5}, {3, 6}}, true},
		"first":            {Schedule{{1, 5}}, false},
		"one height":       {Schedule{{2, 5}, {3, 5}}, false},
		"versions fall":    {Schedule{{3, 5}, {2, 6}}, false},
		"one version":      {Schedule{{2, 5}, {2, 6}}, false},
		"as many":          {long[:MaxActivations], true},
		"one too many":     {long, false},
	} {
		t.Run(name, func(t *testing.T) {
			if err := x.s.Validate(); (err == nil) != x.ok || err != nil && !errors.Is(err, ErrInvalid) {
				t.Error(err)
			}
		})
	}
}

// A schedule is stored at genesis, an empty one is not; other bytes are refused, and governance does not reach it.
func TestScheduleIsStored(t *testing.T) {
	for _, want := range []Schedule{nil, {{2, 7}}, {{2, 7}, {5, 1 << 40}}} {
		s := newState()
		want.Save(s)
		p, err := Load(s)
		if err != nil || !slices.Equal(p.Schedule, want) || s.Has(scheduleKey()) != (len(want) > 0) {
			t.Errorf("%v: %v, %v", want, p, err)
		}
	}
	for _, raw := range [][]byte{{}, {0}, {1}, {1, 1, 5}, {1, 2, 7, 0}} {
		s := newState()
		s.Set(scheduleKey(), raw)
		if _, err := Load(s); !errors.Is(err, ErrInvalid) {
			t.Errorf("%x: %v", raw, err)
		}
	}
	if err := Genesis().Replace(KeySchedule, []byte{1, 2, 7}); !errors.Is(err, ErrInvalid) {
		t.Errorf("governance changes the schedule: %v", err)
	}
}
