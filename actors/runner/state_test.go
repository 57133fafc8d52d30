package runner

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// life is a dispatcher's life without actors: from the opening of its journal to a kill.
type life struct {
	t     *testing.T
	w     *world
	j     *journal
	state *state
	jobs  []task // with the workers
	told  func(committing)
}

func live(t *testing.T, w *world, d disk.Disk) *life {
	t.Helper()
	key := newKey(t)
	j, b, err := openJournal(d, key.Address(), genesis)
	if err != nil {
		t.Fatal(err)
	}
	return &life{t: t, w: w, j: j, state: &state{book: b, key: key, fleet: []string{"http", "custom"}, maxOpen: 100}}
}

// act syncs and performs, as the actor does. lives says after how many acts the process is killed; it reports whether it still lives.
func (l *life) act(lives *int) bool {
	d := l.state
	records, acts := d.records, d.acts
	d.records, d.acts, d.endings = nil, nil, nil
	if *lives--; *lives < 0 {
		return false
	}
	if err := l.j.add(records); err != nil {
		l.t.Fatal(err)
	}
	for _, act := range acts {
		if *lives--; *lives < 0 {
			return false
		}
		var err error
		switch act := act.(type) {
		case putting:
			k, err := readTask(act.data)
			if err != nil {
				l.t.Fatal(err)
			}
			l.jobs = append(l.jobs, k)
		case committing:
			if err = l.w.Commit(l.t.Context(), act.id, act.commitment); err != nil {
				d.unsent(act.id, isCommitting)
			}
			if l.told != nil {
				l.told(act)
			}
		case revealing:
			if err = l.w.Reveal(l.t.Context(), act.id, act.reveal); err != nil {
				d.unsent(act.id, isRevealing)
			}
		}
	}
	return true
}

func (l *life) poll() {
	v, err := l.w.Poll(l.t.Context(), l.state.known())
	if err != nil {
		l.t.Fatal(err)
	}
	l.state.polled(v)
}

// made is a result that is another one each time.
func made(id digest.Hash, try uint64, draw *rand.Rand) *done {
	o := verify.Output{Data: fmt.Appendf(nil, "%d", draw.Uint64()), Timestamp: 1}
	return &done{id: id, try: try, body: o.Append(nil)}
}

// Who has a job alone sends what it reveals with its commitment; a member of a committee waits until the chain wants it.
//
// Spec: runner-marketplace §2.4, §5.
func TestRevealsWithoutDelay(t *testing.T) {
	w, d := newWorld(), disk.NewMemory()
	journalOf(t, d)
	l, lives := live(t, w, d), 1_000
	for _, c := range []struct{ name, want string }{{"alone", "committing revealing"}, {"committee", "committing"}} {
		t.Run(c.name, func(t *testing.T) {
			id := w.submit(t, job.HTTP, 400)
			l.poll()
			l.act(&lives)
			l.state.finished(made(id, 0, rand.New(rand.NewPCG(1, 1))), 1)
			var sent []string
			for _, act := range l.state.acts {
				switch act.(type) {
				case committing:
					sent = append(sent, "committing")
				case revealing:
					sent = append(sent, "revealing")
				}
			}
			if got := strings.Join(sent, " "); got != c.want {
				t.Errorf("it sends %q, want %q", got, c.want)
			}
			l.act(&lives)
		})
	}
	l.poll()
	l.act(&lives)
	w.check(t)
}

func journalOf(t testing.TB, d disk.Disk) {
	t.Helper()
	if err := MakeJournal(d, newKey(t).Address(), genesis); err != nil {
		t.Fatal(err)
	}
}

// Killed fifty times at any point, with transactions that are lost and workers that give another result each time, a dispatcher commits itself once to each
// job and reveals it; what cannot be done ends.
// Spec: runner-marketplace §2.7 (one for each job and runner), §5.
func TestFiftyKills(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			draw := rand.New(rand.NewPCG(seed, 1))
			w, d := newWorld(), disk.NewMemory()
			w.drop = func() bool { return draw.IntN(4) == 0 }
			journalOf(t, d)
			var refused []digest.Hash
			for i := range 60 {
				if i%4 == 3 {
					refused = append(refused, w.submit(t, job.Custom, 400))
				} else {
					w.submit(t, job.HTTP, 4000)
				}
			}
			kills := 0
			for rounds := 0; !w.over(); rounds++ {
				if rounds > 5000 {
					t.Fatal("jobs do not end")
				}
				l, lives := live(t, w, d), draw.IntN(30)
				if kills >= 50 {
					lives = 1_000_000
				}
				for alive := true; alive && !w.over(); {
					l.poll()
					if alive = l.act(&lives); !alive {
						break
					}
					for _, k := range l.jobs {
						r := made(k.id, k.try, draw)
						spec, err := job.Decode(k.spec)
						if err != nil {
							t.Fatal(err)
						}
						if spec.Kind == job.Custom {
							r.failed, r.kind, r.body = true, work.Refused, []byte("no")
						} else if draw.IntN(3) == 0 {
							r.failed, r.kind, r.body = true, work.Transient, []byte("later")
						}
						l.state.finished(r, 1)
						if draw.IntN(2) == 0 {
							l.state.finished(made(k.id, k.try, draw), 1) // another worker was at it too
						}
						if alive = l.act(&lives); !alive {
							break
						}
					}
					l.jobs = nil
				}
				kills++
				d = d.Crash(func(_ string, length int) int { return draw.IntN(length + 1) })
			}
			if kills < 50 {
				t.Errorf("%d kills", kills)
			}
			w.check(t, refused...)
		})
	}
}

// At every byte and every step at which the machine may stop, the journal opens, and knows the result behind every commitment that was sent.
// Spec: runner-marketplace §5 (commitment).
func TestCrashAtEveryWrite(t *testing.T) {
	type sent struct {
		at         int64
		id, commit digest.Hash
	}
	draw := rand.New(rand.NewPCG(1, 2))
	w, d := newWorld(), disk.NewMemory()
	d.Record = true
	journalOf(t, d)
	begun := d.Clock()
	for range 3 {
		w.submit(t, job.HTTP, 1000)
	}
	l, lives := live(t, w, d), 1_000_000
	var list []sent
	l.told = func(c committing) { list = append(list, sent{d.Clock(), c.id, c.commitment}) }
	for !w.over() {
		l.poll()
		l.act(&lives)
		for _, k := range l.jobs {
			l.state.finished(made(k.id, k.try, draw), 1)
			l.act(&lives)
		}
		l.jobs = nil
	}
	if len(list) != 3 {
		t.Fatalf("%d commitments", len(list))
	}
	for instant := begun; instant <= d.Clock(); instant++ {
		for _, whole := range []bool{false, true} {
			past := d.Until(instant).Crash(func(_ string, length int) int {
				if whole {
					return length
				}
				return 0
			})
			_, b, err := openJournal(past, newKey(t).Address(), genesis)
			if err != nil {
				t.Fatalf("at %d: %v", instant, err)
			}
			for _, s := range list {
				_, over := b.ended[s.id]
				e := b.open[s.id]
				if s.at <= instant && !over && e != nil && (e.result == nil || verify.Commitment(e.result.Output, e.result.Salt) != s.commit) {
					t.Fatalf("at %d: the result of job %s is lost", instant, hexOf(s.id))
				}
			}
		}
	}
}

// Damage that is no torn end, another's journal, a missing one and one in use are named, and nothing starts over them.
func TestJournalIsNamed(t *testing.T) {
	key := newKey(t).Address()
	written := func(t *testing.T) *disk.Memory {
		d := disk.NewMemory()
		journalOf(t, d)
		j, b, err := openJournal(d, key, genesis)
		if err != nil {
			t.Fatal(err)
		}
		x := &state{book: b, key: newKey(t), fleet: []string{"http"}, maxOpen: 9}
		w := newWorld()
		w.submit(t, job.HTTP, 100)
		w.submit(t, job.HTTP, 100)
		for range 3 {
			v, _ := w.Poll(t.Context(), nil)
			x.polled(v)
			if err := j.add(x.records); err != nil {
				t.Fatal(err)
			}
			x.records = nil
			x.finished(made(w.order[0], 0, rand.New(rand.NewPCG(1, 1))), 1)
			if err := j.add(x.records); err != nil {
				t.Fatal(err)
			}
			x.records = nil
		}
		if err := j.file.Close(); err != nil {
			t.Fatal(err)
		}
		return d
	}
	for name, c := range map[string]struct {
		change func(*testing.T, *disk.Memory)
		runner account.Address
		chain  digest.Hash
		want   error
	}{
		"whole": {func(*testing.T, *disk.Memory) {}, key, genesis, nil},
		"torn":  {func(_ *testing.T, d *disk.Memory) { d.Edit(names.File, func(b []byte) []byte { return b[:len(b)-1] }) }, key, genesis, nil},
		"a bit in the middle": {func(_ *testing.T, d *disk.Memory) {
			d.Edit(names.File, func(b []byte) []byte { b[len(titleOf(key, genesis).Bytes())+30] ^= 1; return b })
		}, key, genesis, ErrJournal},
		"a bit in the title": {func(_ *testing.T, d *disk.Memory) {
			d.Edit(names.File, func(b []byte) []byte { b[9] ^= 1; return b })
		}, key, genesis, ErrJournal},
		"another runner's": {func(*testing.T, *disk.Memory) {}, account.Address{1}, genesis, ErrJournal},
		"another chain's":  {func(*testing.T, *disk.Memory) {}, key, digest.Hash{1}, ErrJournal},
		"missing": {func(t *testing.T, d *disk.Memory) {
			if err := d.Remove(names.File); err != nil {
				t.Fatal(err)
			}
		}, key, genesis, ErrNoJournal},
		"in use": {func(t *testing.T, d *disk.Memory) {
			if _, err := d.Lock(names.Lock); err != nil {
				t.Fatal(err)
			}
		}, key, genesis, disk.ErrLocked},
	} {
		t.Run(name, func(t *testing.T) {
			d := written(t)
			c.change(t, d)
			if _, _, err := openJournal(d, c.runner, c.chain); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	if err := MakeJournal(written(t), key, genesis); !errors.Is(err, ErrPresent) {
		t.Error(err)
	}
}

// A disk that fails is the end: nothing is sent that is not synced, and nothing is written again.
func TestFailingDisk(t *testing.T) {
	d := disk.NewMemory()
	journalOf(t, d)
	j, _, err := openJournal(d, newKey(t).Address(), genesis)
	if err != nil {
		t.Fatal(err)
	}
	d.FailSync = func(string) bool { return true }
	for range 2 {
		if err := j.add([]record{{what: wasAssigned, id: digest.Hash{1}, body: []byte("x")}}); !errors.Is(err, disk.ErrInjected) {
			t.Error(err)
		}
		d.FailSync = nil
	}
}

// begin gives a state that was told of one job.
func begin(t *testing.T) (*state, *world, digest.Hash) {
	w := newWorld()
	d := &state{book: newBook(), key: newKey(t), fleet: []string{"http"}, maxOpen: 2}
	id := w.submit(t, job.HTTP, 100)
	v, _ := w.Poll(t.Context(), nil)
	d.polled(v)
	return d, w, id
}

// again is the next poll.
func again(t *testing.T, d *state, w *world) {
	d.acts = nil
	v, _ := w.Poll(t.Context(), nil)
	d.polled(v)
}

// count names what is to be done.
func count(d *state) (text string) {
	for _, act := range d.acts {
		text += strings.TrimPrefix(fmt.Sprintf("%T ", act), "runner.")
	}
	return strings.TrimSpace(text)
}

// What the state says to results and to the chain, one situation at a time.
// Spec: runner-marketplace §5, §5.2, §9 (accepting_new).
func TestDesk(t *testing.T) {
	t.Run("a first poll", func(t *testing.T) {
		if d, _, _ := begin(t); count(d) != "putting beating" {
			t.Error(count(d))
		}
	})
	for kind, want := range map[work.ErrorKind]verify.Outcome{work.Permanent: verify.External, work.TooLarge: verify.Impossible} {
		t.Run(kind.String(), func(t *testing.T) {
			d, _, id := begin(t)
			d.finished(&done{id: id, failed: true, kind: kind}, 7)
			o, err := verify.DecodeOutput(d.open[id].result.Output)
			if err != nil || o.Outcome != want || o.Done != 0 || o.Total != 0 || o.Timestamp != 7 {
				t.Errorf("%+v, %v", o, err)
			}
		})
	}
	t.Run("tries", func(t *testing.T) {
		d, _, id := begin(t)
		for try := range uint64(MaxTries) {
			if d.open[id].result != nil {
				t.Fatalf("it gave up before try %d", try)
			}
			d.finished(&done{id: id, try: try, failed: true}, 1)
			d.finished(&done{id: id, try: 0, failed: true}, 1) // late, and counts for nothing unless it is the first
			if try == 0 && d.open[id].try != 1 {
				t.Errorf("try %d", d.open[id].try)
			}
		}
		if d.open[id].result == nil {
			t.Error("it tries for ever")
		}
	})
	t.Run("sent again", func(t *testing.T) {
		d, w, id := begin(t)
		w.drop = func() bool { return true }
		d.finished(made(id, 0, rand.New(rand.NewPCG(1, 1))), 1)
		first := d.acts[len(d.acts)-2].(committing) // and the reveal behind it
		for blocks := 1; blocks <= resendAfter; blocks++ {
			again(t, d, w)
			if sent := len(d.acts) > 0; sent != (blocks == resendAfter) {
				t.Errorf("%d blocks later: %s", blocks, count(d))
			}
		}
		if d.acts[0].(committing) != first {
			t.Error("another commitment")
		}
	})
	t.Run("another's commitment", func(t *testing.T) {
		d, w, id := begin(t)
		d.finished(made(id, 0, rand.New(rand.NewPCG(1, 1))), 1)
		_ = w.Commit(t.Context(), id, digest.Hash{1})
		if again(t, d, w); len(d.open) != 1 || len(d.acts) != 0 {
			t.Errorf("%d open, %s", len(d.open), count(d))
		}
	})
	t.Run("bounds and drain", func(t *testing.T) {
		d, w, _ := begin(t)
		w.submit(t, job.HTTP, 100)
		w.submit(t, job.HTTP, 100)
		if again(t, d, w); len(d.open) != 2 {
			t.Errorf("%d open", len(d.open))
		}
		d.draining, d.maxOpen = true, 3
		if again(t, d, w); len(d.open) != 2 || count(d) != "beating" || d.acts[0].(beating).accepting {
			t.Errorf("%d open, %s", len(d.open), count(d))
		}
	})
	t.Run("a node that is behind", func(t *testing.T) {
		d, _, id := begin(t)
		d.polled(View{Height: d.height - 1, Jobs: []Assignment{{ID: id}}})
		if d.polled(View{Height: d.height}); d.open[id] == nil {
			t.Error("the job is gone")
		}
		if d.polled(View{Height: d.height, Jobs: []Assignment{{ID: id}}}); len(d.open)+len(d.ended) != 0 {
			t.Error("the job stays")
		}
	})
	t.Run("nobody for it", func(t *testing.T) {
		w := newWorld()
		d := &state{book: newBook(), key: newKey(t), fleet: []string{"llm"}, maxOpen: 2}
		w.submit(t, job.HTTP, 100)
		if again(t, d, w); len(d.endings) != 1 || count(d) != "beating" {
			t.Errorf("%v %s", d.endings, count(d))
		}
	})
}

// Where others were silent the chain asks for a job once more, of those too who revealed: they commit themselves to the same result.
// Spec: runner-marketplace §5.1.
func TestAnotherAttempt(t *testing.T) {
	d, w, _ := begin(t)
	id := w.submit(t, job.HTTP, 100) // of a committee
	again(t, d, w)
	d.finished(made(id, 0, rand.New(rand.NewPCG(1, 1))), 1)
	first := d.acts[len(d.acts)-1].(committing)
	said := func(a Assignment) string {
		d.acts = nil
		a.ID, a.Deadline = id, d.height+100
		d.polled(View{Height: d.height + resendAfter, Jobs: []Assignment{a}})
		return count(d)
	}
	if got := said(Assignment{Stage: Revealing, Committed: true}); got != "revealing" {
		t.Errorf("when it may reveal: %q", got)
	}
	if got := said(Assignment{Stage: Revealing, Committed: true, Revealed: true}); got != "" {
		t.Errorf("when it has revealed: %q", got)
	}
	if got := said(Assignment{Stage: Working}); got != "committing" || d.acts[0].(committing) != first {
		t.Errorf("in another attempt: %q, %v", got, d.acts)
	}
	if got := said(Assignment{Stage: Revealing, Committed: true}); got != "revealing" {
		t.Errorf("when it may reveal again: %q", got)
	}
}
