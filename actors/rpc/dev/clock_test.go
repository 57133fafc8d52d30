package dev

import (
	"slices"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// TestClock: a step ends the waits it passes in the order of their ends and shortens the others; a jump moves the time and leaves the waits alone.
func TestClock(t *testing.T) {
	start := time.UnixMilli(1_000_000)
	base := supervision.NewVirtualClock(start)
	c := NewClock(base)
	var ended []string
	wait := func(name string, d time.Duration) supervision.Deadline {
		return c.AfterFunc(d, func() { ended = append(ended, name) })
	}
	expect := func(what string, names ...string) {
		t.Helper()
		if !slices.Equal(ended, names) {
			t.Errorf("%s: %v ended, want %v", what, ended, names)
		}
	}
	wait("c", 3*time.Second)
	wait("a", time.Second)
	wait("b", 2*time.Second)
	stopped := wait("never", time.Second)
	if !stopped.Stop() || stopped.Stop() {
		t.Error("a wait can be stopped once")
	}
	c.Step(2 * time.Second)
	expect("a step", "a", "b")
	if got := c.Now(); !got.Equal(start.Add(2 * time.Second)) {
		t.Errorf("it is %v", got)
	}
	base.Advance(999 * time.Millisecond)
	expect("almost", "a", "b")
	base.Advance(time.Millisecond)
	expect("a shortened wait", "a", "b", "c")

	late := wait("late", 5*time.Second)
	c.Jump(time.Hour)
	if got := c.Ahead(); got != time.Hour+2*time.Second {
		t.Errorf("%v ahead", got)
	}
	expect("a jump", "a", "b", "c")
	base.Advance(4 * time.Second)
	expect("before its end", "a", "b", "c")
	base.Advance(time.Second)
	expect("after the jump", "a", "b", "c", "late")
	if late.Stop() || base.Pending() != 0 {
		t.Errorf("%d waits are left", base.Pending())
	}
}

// TestPanics: an armed subsystem fails once, at its next command.
func TestPanics(t *testing.T) {
	tree := supervision.Status{Name: "node", Path: "node", Children: []supervision.Status{
		{Name: "core", Path: "node/core", Children: []supervision.Status{{Name: "ledger", Path: "node/core/ledger"}}},
	}}
	var p Panics
	if known, ok := p.arm(tree, "core"); ok || !slices.Equal(known, []string{"node/core/ledger"}) {
		t.Errorf("a group was armed, or not: %v", known)
	}
	known := []string{"node/core/ledger", "node/core/executor", "node/intake/lanes/user"}
	for path, want := range map[string]string{
		"core/exec": "did you mean node/core/executor?", "intake/ledger": "did you mean node/core/ledger?", "nobody": "`cowboy tree` lists them",
		"core": "did you mean node/core/ledger or node/core/executor?", "": "`cowboy tree` lists them",
	} {
		t.Run(path, func(t *testing.T) {
			if got := alike(path, known); got != want {
				t.Errorf("%q: %s", path, got)
			}
		})
	}
	for _, path := range []string{"core/ledger", "node/core/ledger"} {
		if _, ok := p.arm(tree, path); !ok {
			t.Errorf("%s is unknown", path)
		}
	}
	inject := func(path string) (said any) {
		defer func() { said = recover() }()
		p.Inject(path, nil)
		return nil
	}
	if inject("node/core/replica") != nil || len(p.Armed()) != 1 {
		t.Error("another subsystem failed")
	}
	if inject("node/core/ledger") != reason || inject("node/core/ledger") != nil {
		t.Error("it must fail once")
	}
}
