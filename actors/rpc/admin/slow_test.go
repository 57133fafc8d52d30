package admin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/proposer"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
)

// Slow turns are counted by kind and told with their actor, the latest eight, where the subsystems are listed and nowhere else.
func TestSlowTurnsAreTold(t *testing.T) {
	n := node{true}
	m := NewMetrics(n, "1")
	s := &Slows{}
	m.Time(s)
	actor := account.Address{0xab}
	for i := range 9 {
		s.Turn(executor.Slow{Height: 7, Kind: block.Timer, Actor: actor, Took: time.Duration(i) * time.Second})
	}
	s.Turn(executor.Slow{Height: 8, Kind: block.Transaction, Actor: actor, Took: 400 * time.Millisecond, Ended: true})
	s.Break(8, executor.Broken{Kind: block.Message, Actor: actor})
	s.Drop(proposer.Drop{Height: 9, Sender: account.Address{0xcd}, Budget: 400 * time.Millisecond})
	pages := New(n, m, nil)
	_, body := ask(t, pages, "GET", "/metrics", nil)
	for _, line := range []string{
		`cowboy_block_slow_turns_total{kind="timer"} 9`, `cowboy_block_slow_turns_total{kind="transaction"} 1`,
		`cowboy_block_slow_turns_total{kind="message"} 0`, "cowboy_mempool_dropped_slow_total 1",
		`cowboy_block_broken_turns_total{kind="message"} 1`, `cowboy_block_broken_turns_total{kind="transaction"} 0`,
	} {
		if !strings.Contains(body, "\n"+line+"\n") {
			t.Errorf("no line %q", line)
		}
	}
	code, listed := ask(t, pages, "GET", "/readyz?verbose", nil)
	for i := range 9 {
		if line := fmt.Sprintf("of actor %v took %ds\n", actor, i); strings.Contains(listed, line) != (i >= 4) && i > 0 {
			t.Errorf("%q in\n%s", line, listed)
		}
	}
	for _, text := range []string{"[!]block 8: transaction ", "was ended after 400ms\n", "[!]block 9: transaction ",
		fmt.Sprintf(" of actor %v broke the machine\n", actor), " was dropped: alone it took more than 400ms\nready\n"} {
		if code != 200 || !strings.Contains(listed, text) {
			t.Errorf("%d, no %q in\n%s", code, text, listed)
		}
	}
	if _, short := ask(t, pages, "GET", "/readyz", nil); short != "ready\n" {
		t.Errorf("without verbose %q", short)
	}
}
