package replica

import (
	"fmt"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Commits wait only where the next block can come in time, and a validator alone waits for nobody.
// Spec: commonware §3.2.
func TestTimeouts(t *testing.T) {
	given := simplex.Timeouts{Leader: 400, Certification: 600, Retry: 500, Skip: 2_000, Fetch: 200, Settle: 100, Leave: 100}
	for i, c := range []struct {
		interval              time.Duration
		given                 simplex.Timeouts
		validators            int
		leader, settle, leave simplex.Millis
		relay                 simplex.Millis
	}{
		{0, simplex.Timeouts{}, 4, 2_000, 50, 25, 250},
		{24 * time.Millisecond, simplex.Timeouts{}, 4, 2_000, 50, 25, 250},
		{25 * time.Millisecond, simplex.Timeouts{}, 4, 2_000, 50, 0, 250},
		{50 * time.Millisecond, simplex.Timeouts{}, 4, 2_000, 0, 0, 250},
		{time.Second, simplex.Timeouts{}, 4, 2_000, 0, 0, 250},
		{3 * time.Second, simplex.Timeouts{}, 4, 6_000, 0, 0, 750},
		{50 * time.Millisecond, given, 4, 400, 100, 100, 50},
		{time.Second, given, 4, 400, 0, 0, 50},
		{0, given, 1, 86_400_000, 0, 0, 0},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := &state{settings: settings{interval: c.interval, timeouts: c.given}}
			if got := s.deadlines(c.validators); got.Leader != c.leader || got.Settle != c.settle || got.Leave != c.leave || got.Relay != c.relay ||
				got.Tell != c.relay {
				t.Errorf("%d validators, every %v: %+v, want leader %d, settle %d, leave %d, relay and tell %d",
					c.validators, c.interval, got, c.leader, c.settle, c.leave, c.relay)
			}
		})
	}
}
