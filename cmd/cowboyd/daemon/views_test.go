package daemon

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// A view that is given up is a line for debugging. One after the other is a warning, as is one that has no end, not told again at once.
func TestViewsGivenUp(t *testing.T) {
	for name, x := range map[string]struct {
		event func(i uint64) simplex.GaveUp
		warn  int
		text  string
	}{
		"one after the other": {func(i uint64) simplex.GaveUp { return simplex.GaveUp{Lost: i} }, viewsLost, "views pass without a block"},
		"one without end":     {func(i uint64) simplex.GaveUp { return simplex.GaveUp{Again: i} }, 1, "too few validators vote"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			v := &views{log: zerolog.New(&out).Level(zerolog.DebugLevel), status: func() replica.Status { return replica.Status{Validators: 4, Known: 1} }}
			for i := range uint64(6) {
				e := x.event(i)
				e.Round, e.Leader, e.Cause = sig.Round{Epoch: 2, View: 10}, 3, simplex.NoProposal
				v.gaveUp(e)
			}
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if len(lines) != 6 {
				t.Fatalf("%s: %d lines", name, len(lines))
			}
			for i, line := range lines {
				level, text := "debug", "view given up"
				if i == x.warn {
					level, text = "warn", x.text
					if !strings.Contains(line, `"validators":4,"connected":1`) {
						t.Errorf("%s: %s", name, line)
					}
				}
				if !strings.Contains(line, `"level":"`+level+`"`) || !strings.Contains(line, `"leader":3,"cause":"no proposal"`) ||
					!strings.Contains(line, text) {
					t.Errorf("%s, %d: %s", name, i, line)
				}
			}
		})
	}
}
