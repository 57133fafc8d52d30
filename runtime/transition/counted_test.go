package transition

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Every turn is told what the turns of its block before it have counted, those that failed too, and a block begins at nothing.
//
// Spec: WP §3.3, §17.3.
func TestCountsOfTheBlock(t *testing.T) {
	var told []string
	c := newChain(t, script{
		"well": func(x *call) *block.Fault {
			told = append(told, fmt.Sprint(x.turn.Checked, "/", x.turn.Sent, "/", x.turn.Hashed))
			x.out.Checked, x.out.Sent, x.out.Hashed = 3, 10, 100
			return nil
		},
		"ill": func(x *call) *block.Fault {
			told = append(told, fmt.Sprint(x.turn.Checked, "/", x.turn.Sent, "/", x.turn.Hashed))
			x.out.Checked, x.out.Sent, x.out.Hashed = 1, 5, 50
			return &block.Fault{Code: drain.FaultCall, Text: "ill"}
		},
	})
	from := person(1)
	c.mine(c.execute(from, actorAt(1), "well"), c.execute(from, actorAt(1), "ill"), c.execute(from, actorAt(1), "well"))
	c.mine(c.execute(from, actorAt(1), "well"))
	if got := fmt.Sprint(told); got != "[0/0/0 3/10/100 4/15/150 0/0/0 3/10/100 4/15/150 0/0/0 0/0/0]" {
		t.Errorf("a block is built and then verified: told %s", got)
	}
}
