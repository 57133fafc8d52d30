package supervision

import (
	"strings"
	"testing"
	"time"
)

func TestVirtualClockOrder(t *testing.T) {
	start := time.Unix(100, 0)
	c := NewVirtualClock(start)
	var log []string
	note := func(name string) func() {
		return func() { log = append(log, name+"@"+c.Now().Sub(start).String()) }
	}
	c.AfterFunc(3*time.Second, note("c"))
	c.AfterFunc(time.Second, func() {
		note("a")()
		c.AfterFunc(time.Second, note("nested"))
	})
	c.AfterFunc(3*time.Second, note("d"))
	cancelled := c.AfterFunc(2*time.Second, note("never"))
	first, second := cancelled.Stop(), cancelled.Stop()
	if !first || second {
		t.Error("Stop does not tell whether the call was pending")
	}
	c.Advance(2 * time.Second)
	log = append(log, "|")
	if left := [3]bool{c.Next(), c.Next(), c.Next()}; left != [3]bool{true, true, false} {
		t.Error("Next does not tell whether a deadline was pending")
	}
	if got, want := strings.Join(log, " "), "a@1s nested@2s | c@3s d@3s"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := c.Now().Sub(start); got != 3*time.Second {
		t.Errorf("the clock reads %v", got)
	}
}
