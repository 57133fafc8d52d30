package testkit

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// TestLostTurns: a block that loses a turn comes out as it would have, whichever turn it was; one that loses it twice ends the test as it halts a node.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func TestLostTurns(t *testing.T) {
	c := NewChain(t)
	alice := c.Account("alice")
	a := alice.Deploy(counting, nil)
	three := func(c *Chain) {
		alice := c.Account("alice")
		for range 3 {
			alice.Send(&tx.Execute{To: a, Handler: []byte("add"), Payload: []byte("x")}, ExecuteCycles, ExecuteCells)
		}
		c.Mine()
	}
	honest := c.Fork(t)
	three(honest)
	for turn := 1; turn <= 5; turn++ {
		f := c.Fork(t)
		f.Lose(turn, 1)
		three(f)
		if want := map[bool]int{true: 1}[turn <= 3]; f.Lost() != want || f.Digest() != honest.Digest() {
			t.Errorf("turn %d: %d were lost, digest %v", turn, f.Lost(), f.Digest())
		}
	}
	f := c.Fork(Outside{})
	f.Lose(2, 2)
	defer func() {
		if said, ok := recover().(Refusal); !ok || !strings.Contains(said.Text, "lost twice") || f.Lost() != 2 {
			t.Errorf("%v after %d losses", said, f.Lost())
		}
	}()
	three(f)
	t.Error("a block that lost a turn twice was made")
}

// TestVotes counts by hand. Spec: runner-marketplace §5; WP §5.3, §13.1 (N = 3 of M = 5).
func TestVotes(t *testing.T) {
	down := errors.New("down")
	for i, c := range []struct {
		results []any
		want    any // nil: they disagree
	}{
		{[]any{int64(1), int64(1), int64(1)}, int64(1)},
		{[]any{int64(1), int64(1)}, nil}, // fewer than the threshold
		{[]any{int64(2), int64(1), int64(1), int64(1), down}, int64(1)},
		{[]any{int64(1), int64(1), int64(2), int64(2), down}, nil},
		{[]any{down, down, down}, nil},
		{[]any{"a", "a", "a", "b", "b", "b", "b"}, "b"}, // 4 of 7
		{[]any{"a", "a", "a", "b", "b", "b"}, nil},      // 3 of 6 is half
		{[]any{[]any{int64(1)}, []any{int64(1)}, []any{int64(1)}, "1"}, "list"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			a := Votes(c.results...)
			got := a.Result
			if _, list := got.([]any); list {
				got = "list"
			}
			if a.Error != (c.want == nil) || !a.Error && got != c.want {
				t.Errorf("%v: %+v", c.results, a)
			}
		})
	}
}
