package host

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
)

// Messages, deferred calls and timers of a block count together, those of turns before and of failed invocations included; the last that fits goes, the next is
// refused and leaves nothing.
//
// Spec: WP §3.3, §17.3.
func TestSendsPerBlock(t *testing.T) {
	refused := func(err error) bool {
		var e *Error
		return errors.As(err, &e) && e.Class.Name == "FanoutError"
	}
	for name, send := range map[string]func(f *Invocation) error{
		"message":  func(f *Invocation) error { _, err := f.Send(actorAt(2), nil, false, 0); return err },
		"deferred": func(f *Invocation) error { _, err := f.Defer("later", nil); return err },
		"timer": func(f *Invocation) error {
			_, err := f.Schedule(timer.Request{Height: 20, Handler: "wake"})
			return err
		},
		"extend": func(f *Invocation) error { return f.ExtendTimer(timer.ID{1}, 90) },
		"cancel": func(f *Invocation) error { _, err := f.CancelTimer(timer.ID{1}); return err },
	} {
		t.Run(name, func(t *testing.T) {
			d := newCaller(t)
			d.f.work.turn.Sent = params.SendsPerBlock - 2
			before := d.f.work.mark()
			if err := send(d.f); refused(err) {
				t.Fatal(err)
			}
			d.f.work.revert(before) // a nested call that raised: the work was done
			if err := send(d.f); refused(err) {
				t.Errorf("the last that fits: %v", err)
			}
			fanout, enqueued := d.f.work.Fanout, d.f.work.Enqueued
			if err := send(d.f); !refused(err) {
				t.Errorf("one more: %v", err)
			}
			if d.f.work.Fanout != fanout || d.f.work.Enqueued != enqueued || d.f.work.Sent != 2 {
				t.Errorf("a refusal left fan-out %v, %d enqueued, %d sent", d.f.work.Fanout, d.f.work.Enqueued, d.f.work.Sent)
			}
		})
	}
}
