package cli

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// A trace shows the coins each execution carried, and where they went back.
//
// Spec: WP "Transactions and Message Passing".
func TestTraceShowsValue(t *testing.T) {
	text := traceText(wire.Trace{Nodes: []wire.TraceNode{
		{Receipt: wire.Receipt{Kind: "transaction", Success: true, Value: 2_500_000_000}, Parent: -1},
		{Receipt: wire.Receipt{Kind: "message", Value: 1_000_000_000}, Depth: 1},
		{Receipt: wire.Receipt{Kind: "message", Success: true}, Depth: 1},
	}}, (&app{}).failureText)
	if strings.Count(text, "carried") != 2 || !strings.Contains(text, "  carried 2.5 CBY\n") || !strings.Contains(text, "    carried 1 CBY, returned\n") {
		t.Error(text)
	}
}
