package dispatcher

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// model is the dispatcher once more, in lists and loops.
type model struct {
	scripts []Script
	waiting []modelJob
	late    []modelAnswer
	taken   uint64 // jobs and answers ever kept
	sent    []string
}

type modelJob struct {
	number    uint64
	kind, cid string
}

type modelAnswer struct {
	number uint64
	due    unit.Height
	copies uint32
	text   string
}

// text is what an actor hears of a job that ends so. Votes of the model are one result, three times or with two others.
func (m *model) text(cid string, r *Reply) string {
	result := func(i int) string {
		v, _ := cbor.Parse(r.Results[i])
		return fmt.Sprint(v)
	}
	switch {
	case r.Ending == Vote && len(r.Results) == 3 && result(0) == result(1) && result(1) == result(2):
		return cid + " ok " + result(0)
	case r.Ending == Vote:
		return cid + " error runners disagree: 1 of 3 gave one result, 3 must"
	case r.Ending == Error:
		return cid + " error " + result(0)
	}
	return cid + " ok " + result(0)
}

func (m *model) take(actor account.Address, height unit.Height, kind, cid string) {
	for i := len(m.scripts) - 1; i >= 0; i-- {
		s := &m.scripts[i]
		if s.Actor != nil && *s.Actor != actor || s.Type != "" && s.Type != kind {
			continue
		}
		r := s.Reply
		if s.Jobs == 1 {
			m.scripts = slices.Delete(m.scripts, i, i+1)
		} else if s.Jobs > 1 {
			s.Jobs--
		}
		m.finish(cid, height, &r, false)
		return
	}
	m.waiting = append(m.waiting, modelJob{m.taken, kind, cid})
	m.taken++
}

// finish ends a job. By hand, everything is sent by the block's own step.
func (m *model) finish(cid string, height unit.Height, r *Reply, hand bool) {
	switch {
	case r.Ending == Lost && !hand:
	case r.Ending == Lost:
		m.late = append(m.late, modelAnswer{m.taken, height, 0, ""})
		m.taken++
	case r.Late > 0 || hand:
		m.late = append(m.late, modelAnswer{m.taken, height + r.Late, r.Copies, m.text(cid, r)})
		m.taken++
	default:
		for range r.Copies {
			m.sent = append(m.sent, m.text(cid, r))
		}
	}
}

func (m *model) answer(name string, height unit.Height, r *Reply) bool {
	for i, w := range m.waiting {
		if w.cid == name || fmt.Sprintf("job-%d", w.number) == name {
			m.waiting = slices.Delete(m.waiting, i, i+1)
			m.finish(w.cid, height, r, true)
			return true
		}
	}
	return false
}

func (m *model) end(height unit.Height) {
	slices.SortStableFunc(m.late, func(a, b modelAnswer) int {
		if a.due != b.due {
			return int(a.due) - int(b.due)
		}
		return int(a.number) - int(b.number)
	})
	for len(m.late) > 0 && m.late[0].due <= height {
		for range m.late[0].copies {
			m.sent = append(m.sent, m.late[0].text)
		}
		m.late = m.late[1:]
	}
}

// TestModel plays drawn stories on the dispatcher and on the model: the same answers in the same order, the same number of scripts, jobs and answers kept,
// and bytes that add up.
//
// Spec: sdk §9.6; runner-marketplace §5.
func TestModel(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		d, m := newFixture(t, 1), &model{}
		draw := func() Reply {
			r := Reply{Ending: Ending(random.IntN(int(endings)))}
			if r.Ending == Lost {
				return r
			}
			r.Copies, r.Late = 1+uint32(random.IntN(3)), unit.Height(random.IntN(4))
			v := random.IntN(100)
			r.Results = plain(t, v)
			if r.Ending == Vote {
				r.Results = plain(t, v, v+random.IntN(2), v)
				if string(r.Results[1]) != string(r.Results[0]) {
					r.Results = plain(t, v, v+1, v+2)
				}
			}
			return r
		}
		scope := func() (s Scope) {
			s.Type = []string{"", "llm", "http"}[random.IntN(3)]
			switch random.IntN(4) {
			case 0:
				s.Actor = &d.actor
			case 1:
				s.Actor = &account.Address{1}
			}
			return s
		}
		for step := range 150 {
			height := d.block.Height
			switch random.IntN(10) {
			case 0:
				s := Script{Scope: scope(), Jobs: uint64(random.IntN(4)), Reply: draw()}
				d.set(s)
				if s.Jobs == 0 {
					m.scripts = slices.DeleteFunc(m.scripts, func(x Script) bool { return s.covers(&x.Scope) })
				}
				m.scripts = append(m.scripts, s)
			case 1:
				s := scope()
				if _, err := Clear(d.overlay, &s); err != nil {
					t.Fatal(err)
				}
				m.scripts = slices.DeleteFunc(m.scripts, func(x Script) bool { return s.covers(&x.Scope) })
			case 2, 3:
				name, r := fmt.Sprintf("c%d", random.IntN(8)), draw()
				if random.IntN(3) == 0 {
					name = fmt.Sprintf("job-%d", random.IntN(int(m.taken)+1))
				}
				err := (&ByHand{Job: name, Reply: r}).Answer(d.overlay, d.block)
				if was := m.answer(name, height, &r); was != (err == nil) {
					t.Fatalf("seed %d step %d: %s: %v", seed, step, name, err)
				}
			case 4:
				d.end()
				m.end(height)
			default:
				kind, cid := []string{"llm", "http", "mcp"}[random.IntN(3)], fmt.Sprintf("c%d", random.IntN(8))
				if out := d.take(ask(kind, cid)); out.Fault != nil {
					t.Fatal(out.Fault)
				}
				m.take(d.actor, height, kind, cid)
			}
			if got := strings.Join(d.answers(), "; "); got != strings.Join(m.sent, "; ") {
				t.Fatalf("seed %d step %d: %s, the model %s", seed, step, got, strings.Join(m.sent, "; "))
			}
			m.sent = nil
			d.counts(uint64(len(m.scripts)), uint64(len(m.waiting)), uint64(len(m.late)))
			d.adds()
			if t.Failed() {
				t.Fatalf("seed %d step %d", seed, step)
			}
		}
	}
}

// adds holds the counted bytes against what is kept.
func (d *fixture) adds() {
	d.t.Helper()
	c, err := load(d.overlay)
	if err != nil {
		d.t.Fatal(err)
	}
	sum := uint64(0)
	for _, name := range []string{nameWaiting, nameLate} {
		if err := d.overlay.Scan(entryKey(name), nil, 0, func(_, value []byte) bool { sum += uint64(len(value)); return true }); err != nil {
			d.t.Fatal(err)
		}
	}
	if sum != c.Bytes {
		d.t.Errorf("%d bytes are kept, %d counted", sum, c.Bytes)
	}
}
