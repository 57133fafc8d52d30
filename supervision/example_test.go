package supervision_test

import (
	"context"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// divide asks for a quotient. Whoever asks is answered exactly once: by the actor, or that the command was abandoned.
type divide struct {
	by    int
	reply chan string
}

// Abandoned implements supervision.Abandoner.
func (d divide) Abandoned(error) { d.reply <- "abandoned" }

// divider divides hundred, and counts in memory that a restart loses.
type divider struct{ served int }

func (d *divider) Receive(ctx actor.Context) {
	if command, ok := ctx.Message().(divide); ok {
		quotient := 100 / command.by
		d.served++
		command.reply <- fmt.Sprintf("%d, answer %d", quotient, d.served)
	}
}

// A tree is declared as data and started. An actor that panics begins anew behind the same inbox; commands that waited are kept.
func Example() {
	inbox := supervision.NewInbox("divider", 16)
	tree, err := supervision.New(supervision.Spec{
		Name: "node", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 3, Within: time.Minute},
		Children: []supervision.Spec{{Name: "divider", Inbox: inbox, New: func() actor.Actor { return &divider{} }}},
	}, supervision.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := tree.Start(context.Background()); err != nil {
		fmt.Println(err)
		return
	}
	ask := func(by int) string {
		d := divide{by, make(chan string, 1)}
		if delivery := inbox.Send(d); delivery != supervision.Accepted {
			return delivery.String()
		}
		return <-d.reply
	}
	fmt.Println(ask(4))
	fmt.Println(ask(5))
	fmt.Println(ask(0))
	fmt.Println(ask(10))
	if err := tree.Stop(context.Background()); err != nil {
		fmt.Println(err)
	}
	fmt.Println(ask(1))
	// Output:
	// 25, answer 1
	// 20, answer 2
	// abandoned
	// 10, answer 1
	// closed
}
