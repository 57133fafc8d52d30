package push

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/chain/account"
)

// How far a runner is with a job it took is kept while the job is its own and it is connected; of other jobs, and before it took this one, nothing is. Nothing
// is decided by it.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func TestProgressIsKept(t *testing.T) {
	s := begin(t)
	h := &Handle{}
	runner := s.key.Address()
	want := func(what string, n byte, want *Progress) {
		t.Helper()
		for _, act := range s.state.acts {
			switch act := act.(type) {
			case noting:
				h.reports.put(act.job, act.runner, act.said)
			case forgetting:
				h.reports.drop(act.job, act.runner)
			}
		}
		got, ok := h.Progress(jobOf(n), runner)
		if ok != (want != nil) || ok && got != *want {
			t.Errorf("%s: %+v %v", what, got, ok)
		}
	}
	say := func(n byte, fraction uint64, detail string) {
		s.say(1, &protocol.Progress{ID: jobOf(n), Fraction: fraction, Detail: detail})
	}
	s.join(1)
	s.assign(1)
	s.assign(2)
	s.block(1)
	s.acts()
	say(1, 10, "")
	want("before it took the job", 1, nil)
	s.answer(1, 1, protocol.Accepted)
	s.answer(1, 2, protocol.Rejected)
	say(1, 40, "two\x1b[2J of five\n")
	say(2, 40, "")
	say(3, 40, "")
	want("a job it took", 1, &Progress{40, `two\x1b[2J of five\n`, 101})
	want("one it refused", 2, nil)
	want("one it was not told of", 3, nil)
	s.block(2)
	say(1, 30, "")
	want("less, later", 1, &Progress{30, "", 103})
	if _, ok := h.Progress(jobOf(1), account.Address{1}); ok {
		t.Error("somebody else says it")
	}
	s.want("")
	s.chain.open = nil
	s.block(1)
	want("a job that is its own no more", 1, nil)
	say(1, 50, "")
	want("which it does not know", 1, nil)
	s.say(1, &protocol.Ping{Nonce: 1})
	s.acts()
	s.assign(4)
	s.block(1)
	s.answer(1, 4, protocol.Duplicate)
	say(4, 1, "")
	want("one it had from another", 4, &Progress{1, "", 105})
	s.state.leave(1)
	want("of one who is gone", 4, nil)
	if n := len(h.reports.jobs); n != 0 {
		t.Errorf("%d jobs are kept", n)
	}
}

// A runner that does not answer for so long that it counts as absent, and goes on with the job all the same, is told again with its next heartbeat: it has the
// job already, and what it says from then on is kept.
//
// Spec: runner-marketplace §9.3 (JobProgress), §9.4 (HardFailure, a later valid ping).
func TestProgressOfALateAnswer(t *testing.T) {
	s := begin(t)
	s.join(1)
	s.assign(1)
	s.block(1)
	kept := func() (n int) {
		s.say(1, &protocol.Progress{ID: jobOf(1), Fraction: 40})
		for _, act := range s.state.acts {
			if said, ok := act.(noting); ok && said.said.Fraction == 40 {
				n++
			}
		}
		s.acts()
		return n
	}
	for nonce := range uint64(protocol.AckBlocks) {
		s.say(1, &protocol.Ping{Nonce: nonce + 1})
		s.block(1)
	}
	if n := kept(); n != 0 || s.state.info.Silent != 1 {
		t.Errorf("absent: %d, silent %d times", n, s.state.info.Silent)
	}
	s.answer(1, 1, protocol.Accepted) // the late one, which nobody waits for
	if n := kept(); n != 0 {
		t.Errorf("before it was told again: %d", n)
	}
	s.say(1, &protocol.Ping{Nonce: 100})
	s.answer(1, 1, protocol.Duplicate)
	if n := kept(); n != 1 {
		t.Errorf("when it has said that it has the job: %d", n)
	}
}
