package replica

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// TestDeadlinesGrowWithTheInterval holds the recommended deadlines to those of the specification at one block a second, to their multiple with blocks further
// apart, and to the range of a time.Duration however far apart they are: a network whose blocks are made by hand has an interval of a hundred years.
//
// Spec: commonware §3.2.
func TestDeadlinesGrowWithTheInterval(t *testing.T) {
	usual := simplex.DefaultTimeouts()
	for _, tt := range []struct {
		interval time.Duration
		times    simplex.Millis
	}{
		{100 * time.Millisecond, 1}, {time.Second, 1}, {time.Second + 1, 2}, {5 * time.Second, 5}, {time.Hour, 3_600},
		{30 * 24 * time.Hour, 2_592_000}, {100 * 365 * 24 * time.Hour, 2_592_000}, {1<<63 - 1, 2_592_000},
	} {
		t.Run(tt.interval.String(), func(t *testing.T) {
			got := Deadlines(simplex.Timeouts{}, tt.interval)
			want := usual
			for _, d := range []*simplex.Millis{&want.Leader, &want.Certification, &want.Retry, &want.Skip} {
				*d *= tt.times
			}
			if got != want {
				t.Errorf("%+v, want %+v", got, want)
			}
			for _, d := range []simplex.Millis{got.Leader, got.Certification, got.Retry, got.Skip} {
				if time.Duration(d)*time.Millisecond <= 0 {
					t.Errorf("a deadline of %d ms is no time", d)
				}
			}
		})
	}
	given := simplex.Timeouts{Leader: 7}
	if got := Deadlines(given, time.Hour); got != given {
		t.Errorf("given deadlines became %+v", got)
	}
}
