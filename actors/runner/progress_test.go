package runner

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
)

// What workers tell is passed on while the job is at work in their queue. Words of a committee's member stay here: they might be what it is about to commit to.
//
// Spec: runner-marketplace §9.3 (JobProgress), §5.
func TestProgress(t *testing.T) {
	w := newWorld()
	l, _ := born(t, w)
	single, committee, waiting := w.submit(t, job.HTTP, 50), w.submit(t, job.HTTP, 50), digest.Hash{9}
	for _, id := range []digest.Hash{single, committee} {
		if v := l.state.pushed(w.assignmentOf(id)); v.status != protocol.Accepted {
			t.Fatalf("%+v", v)
		}
	}
	l.perform()
	noted := func(id digest.Hash, fraction uint8, detail string) []byte {
		return (&note{id, fraction, detail}).append(nil)
	}
	type heard struct {
		fraction uint8
		detail   string
		ok       bool
	}
	for _, c := range []struct {
		name, queue string
		data        []byte
		want        heard
	}{
		{"of one who has it alone", "http", noted(single, 40, "page 2 of 5"), heard{40, "page 2 of 5", true}},
		{"less than before", "http", noted(single, 10, ""), heard{10, "", true}},
		{"of a committee's member", "http", noted(committee, 40, "the answer is 42"), heard{40, "", true}},
		{"of another queue", "custom", noted(single, 40, ""), heard{}},
		{"of an unknown job", "http", noted(waiting, 40, ""), heard{}},
		{"beyond all", "http", noted(single, 101, ""), heard{}},
		{"torn", "http", noted(single, 40, "x")[:33], heard{}},
		{"with more behind it", "http", append(noted(single, 40, "x"), 0), heard{}},
		{"too many words", "http", noted(single, 40, strings.Repeat("x", protocol.MaxDetail+1)), heard{}},
		{"what a terminal obeys", "http", noted(single, 40, "\x1b[2J\n"), heard{40, `\x1b[2J\n`, true}},
		{"no text", "http", noted(single, 40, "\xff"), heard{40, `\xff`, true}},
		{"nothing", "http", nil, heard{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			n, ok := l.state.progressed(c.queue, c.data)
			if got := (heard{n.fraction, n.detail, ok}); ok != c.want.ok || ok && got != c.want {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
	l.state.finished(outcome(single), 1)
	if _, ok := l.state.progressed("http", noted(single, 99, "")); ok {
		t.Error("a job that has a result is told of")
	}
}

// A worker says nothing of a job that is soon done. Of another it says that it has begun, or how far it is by then, and then no more than once a second, in a
// form that fits into a frame whatever the words are.
func TestTeller(t *testing.T) {
	w := newWorld()
	k := task{id: w.submit(t, job.HTTP, 50), spec: w.jobs[w.order[0]].spec}
	notes := make(chan []byte, 100)
	do := func(executor *counted) {
		t.Helper()
		set := &work.Set{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}
		if _, _, err := Perform(t.Context(), set, k.append(nil), func(note []byte) { notes <- note }); err != nil {
			t.Fatal(err)
		}
	}
	said := func(what string, fraction uint8, detail string) {
		t.Helper()
		if got, want := <-notes, (&note{k.id, fraction, detail}).append(nil); !bytes.Equal(got, want) {
			t.Errorf("%s: %x, want %x", what, got, want)
		}
	}
	do(&counted{do: func(context.Context) { said("a job that lasts", 0, "") }})
	p := telling(k.id, func(note []byte) { notes <- note })
	defer p.stop()
	begun := time.Now()
	p.say(40, "two of five")
	said("what is known by then", 40, "two of five")
	for i := range uint64(50) {
		p.say(50+i, "")
	}
	if n, most := len(notes), int(time.Since(begun)/tellEvery); n > most {
		t.Errorf("%d notes, and %d may be", n, most)
	}
	silent := make(chan []byte, 2)
	other := telling(k.id, func(note []byte) { silent <- note })
	if soon := other.stop(); soon { // before it was its time
		if other.say(99, ""); len(silent) > 0 {
			t.Error("a job that is soon done is told of")
		}
	}
	for what, text := range map[string]string{
		"long": strings.Repeat("x", 10_000), "wide": strings.Repeat("ü", 100), "escaped": strings.Repeat("\x00", 200), "broken": strings.Repeat("\xff", 200),
	} {
		t.Run(what, func(t *testing.T) {
			p := protocol.Progress{Fraction: 100, Detail: plain(text)}
			var back protocol.Progress
			if err := protocol.Decode(&back, protocol.Payload(&p)); err != nil || back != p || len(p.Detail) < protocol.MaxDetail/2 {
				t.Errorf("%+v %v", back, err)
			}
		})
	}
}

// Over the queue: while a job is at work the dispatcher knows so; when it is done it does not any more.
func TestProgressOverTheQueue(t *testing.T) {
	w := newWorld()
	id, held := w.submit(t, job.HTTP, 1<<20), make(chan struct{})
	executor := &counted{do: func(ctx context.Context) {
		select {
		case <-held:
		case <-ctx.Done():
		}
	}}
	f := run(t, w, []*work.Set{{Executors: map[job.Kind]work.Executor{job.HTTP: executor}}}, nil)
	deadline, every := time.After(time.Minute), time.NewTicker(5*time.Millisecond)
	defer every.Stop()
	for {
		s, _ := f.handle.Status()
		if len(s.Working) == 1 && s.Working[0] == (AtWork{Job: id.Hex()}) {
			break
		}
		select {
		case <-every.C:
		case <-deadline:
			t.Fatalf("%+v", s)
		}
	}
	close(held)
	f.settled(t)
	if s, ok := f.handle.Status(); !ok || len(s.Working) != 0 {
		t.Errorf("%+v", s)
	}
}
