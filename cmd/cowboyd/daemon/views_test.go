package daemon

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// A view that is given up is a line for debugging; one after the other is a warning, not told again at once.
func TestViewsGivenUp(t *testing.T) {
	var out bytes.Buffer
	v := &views{log: zerolog.New(&out).Level(zerolog.DebugLevel)}
	for lost := range uint64(6) {
		v.gaveUp(simplex.GaveUp{Round: sig.Round{Epoch: 2, View: 10 + lost}, Leader: 3, Cause: simplex.NoProposal, Lost: lost})
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 6 {
		t.Fatalf("%d lines", len(lines))
	}
	for i, line := range lines {
		level := "debug"
		if i == viewsLost {
			level = "warn"
		}
		if !strings.Contains(line, `"level":"`+level+`"`) || !strings.Contains(line, `"leader":3,"cause":"no proposal"`) {
			t.Errorf("after %d: %s", i, line)
		}
	}
}
