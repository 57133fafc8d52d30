package token

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// line answers every call the same.
type line struct {
	answer []byte
	err    error
	calls  []chapter.Call
}

func (l *line) Call(_ *chapter.Env, c chapter.Call) ([]byte, error) {
	l.calls = append(l.calls, c)
	return l.answer, l.err
}

func (l *line) Check(source []byte) ([]byte, error) { return source, l.err }

// How can_transfer ends decides: only the CBOR of True allows; a hook that sleeps for its rent rejects, as one that is missing does; a failure of the machine
// is none of the token's.
//
// Spec: tokens §5, §6.
func TestAnswersOfHooks(t *testing.T) {
	broken := errors.New("disk on fire")
	for name, c := range map[string]struct {
		line line
		want error
	}{
		"True":           {line{answer: []byte{0xf5}}, nil},
		"False":          {line{answer: []byte{0xf4}}, token.ErrRejected},
		"None":           {line{answer: []byte{0xf6}}, token.ErrRejected},
		"1":              {line{answer: []byte{0x01}}, token.ErrRejected},
		"[True]":         {line{answer: []byte{0x81, 0xf5}}, token.ErrRejected},
		"dormant":        {line{err: &chapter.CallError{Code: drain.FaultDormant}}, token.ErrRejected},
		"missing":        {line{err: &chapter.CallError{Code: drain.FaultActor}}, token.ErrRejected},
		"out of cycles":  {line{err: &chapter.CallError{Code: drain.FaultCycles}}, token.ErrHookCycles},
		"out of cells":   {line{err: &chapter.CallError{Code: drain.FaultCells}}, token.ErrHookCells},
		"sender's limit": {line{err: chapter.ErrCycles}, chapter.ErrCycles},
		"broken":         {line{err: broken}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Caller = &c.line
			if err := registry(d.Env).SetHook(ann, d.id, &cid); err != nil {
				t.Fatal(err)
			}
			if err := transfer(d.Env, d.id, bob, unit.Wide(1)); !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Errorf("%v, want %v", err, c.want)
			}
			first := c.line.calls[0]
			if first.Target != cid || first.Handler != "can_transfer" || first.Cycles != 50_000 || first.Cells != 50_000 || first.Reads {
				t.Errorf("called %+v", first)
			}
			if wanted := map[bool]int{true: 2, false: 1}[c.want == nil]; len(c.line.calls) != wanted || d.Effects.Entered(d.id) {
				t.Errorf("%d calls", len(c.line.calls))
			}
		})
	}
}
