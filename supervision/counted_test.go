package supervision

import (
	"strings"
	"testing"
	"time"
)

// doomed is a command that fails, and its sender counts how often.
type doomed struct{ told int }

func (d *doomed) Error() string   { return "this command fails" }
func (d *doomed) Abandoned(error) { d.told++ }
func (d *doomed) Counted()        {}

// TestCountedCommandsAreChargedToNobody lets a member panic over a command more often than its group may restart: it is restarted at once each time, the
// sender is told, and so is whoever looks. A panic over another command is charged.
func TestCountedCommandsAreChargedToNobody(t *testing.T) {
	b, d := newBench(t, 1), &doomed{}
	b.spawn(Spec{Name: "root", Limit: Limit{1, time.Hour}, Backoff: Backoff{time.Second, time.Minute}, Children: b.leaves("a")})
	b.expect("+a")
	for range 10 {
		b.send("a", d)
		b.expect("~a +a")
	}
	if s := b.tree.Status().Children[0]; d.told != 10 || s.Last == nil || s.Last.Cause != Answered || s.Last.Stack == "" || b.halted() != nil {
		t.Errorf("told %d times, status %+v", d.told, s)
	}
	b.send("a", "panic")
	b.expect("~a +a")
	b.send("a", "panic")
	if h := b.halted(); h == nil || !strings.Contains(h.Reason, "more than 1 restarts") {
		t.Errorf("halt %+v", h)
	}
}
