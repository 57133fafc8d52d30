package explorer

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// How many characters of a job's texts stand on its page.
const (
	shownResult = 4_000
	shownSpec   = 6_000
	shownMember = 80
)

// jobPage answers first what became of a job, then how, then who did it and where they differ, then what was asked.
type jobPage struct {
	Job      wire.Job
	Kind     string
	Words    string
	Good     bool
	Bad      bool
	Verified *wire.JobVerified // nil: there is no verified result, or none any more
	Result   string
	Steps    []step
	Drawn    *wire.JobRunners // nil: nobody is selected, or it is forgotten
	Members  []member
	Answers  int // different ones
	Differ   []difference
	Others   int // answers whose differences are not shown
	Spec     string
}

// step is what happened to a job in a block. One that is still to come is Awaited.
type step struct {
	Height  uint64
	What    string
	Who     string // address, or ""
	Awaited bool
	Bad     bool
}

// member is a runner of the committee. Answer is the letter of what it revealed: the same letter, the same answer.
type member struct {
	wire.JobRunner
	Aggregator, Agreed, Challenged bool
	Answer, Brief                  string
	Work                           string // how far it says it is
	Differs                        bool   // from the answer that counts
}

func (s *site) job(r *http.Request) (view, error) {
	name, err := parseHash(r.PathValue("id"))
	if err != nil {
		return view{}, err
	}
	p := jobPage{}
	if p.Job, err = s.source.Job(name); err != nil {
		return view{}, err
	}
	p.Words = wordsOf(&p.Job)
	p.Good = p.Job.Status == market.Completed.String() || p.Job.Status == market.Challengeable.String()
	p.Bad = p.Job.Status == market.Failed.String() || p.Job.Status == market.Cancelled.String()
	if verified, err := s.source.JobVerified(name); err == nil {
		p.Verified, p.Result = &verified, cut(unitext.Plain(verified.Text), shownResult)
		if verified.Text == "" && len(verified.Data) > len("0x") {
			p.Result = cut(verified.Data, shownResult)
		}
	} else if !absent(err) {
		return view{}, err
	}
	if drawn, err := s.source.JobRunners(name); err == nil {
		p.Drawn = &drawn
	} else if !absent(err) {
		return view{}, err
	}
	results, err := s.source.JobResults(name)
	if err != nil && !absent(err) {
		return view{}, err
	}
	p.compare(results.Results)
	p.Steps = p.life()
	p.Kind, p.Spec = specOf(p.Job.Spec)
	return view{Page: "job", Title: "Job " + short(p.Job.JobID), Active: "runners", Live: !p.Good && !p.Bad || p.Job.EndedAt == 0, Data: &p}, nil
}

// specOf gives the kind of a job and its specification with a line for each field.
func specOf(raw json.RawMessage) (kind, text string) {
	var fields struct {
		Type map[string]json.RawMessage `json:"job_type"`
	}
	if json.Unmarshal(raw, &fields) == nil && len(fields.Type) == 1 {
		for name := range fields.Type {
			kind = cut(unitext.PlainLine(name), shownMember)
		}
	}
	var b bytes.Buffer
	if len(raw) <= job.MaxSpecBytes*2 && json.Indent(&b, raw, "", "  ") == nil {
		raw = b.Bytes()
	}
	return kind, cut(unitext.Plain(string(raw[:min(len(raw), 4*shownSpec)])), shownSpec)
}

// compare lists the committee with what each revealed, and where answers differ from the one that counts, or that most gave.
func (p *jobPage) compare(results []wire.JobResult) {
	answers := answersOf(results, p.Verified)
	p.Answers = len(answers)
	letter := map[string]int{}
	for i, a := range answers {
		for _, who := range a.Runners {
			letter[who] = i
		}
		if i > 0 && len(p.Differ) < maxDiffer {
			p.Differ = append(p.Differ, differ(&answers[0], &answers[i]))
		}
	}
	p.Others = max(len(answers)-1, 0) - len(p.Differ)
	if p.Drawn == nil {
		return
	}
	for _, one := range p.Drawn.Runners {
		m := member{JobRunner: one, Aggregator: one.Runner == p.Drawn.Aggregator}
		if v := p.Verified; v != nil {
			m.Agreed, m.Challenged = slices.Contains(v.Agreed, one.Runner), slices.Contains(v.Slash, one.Runner)
		}
		if w := one.Progress; w != nil {
			m.Work = fmt.Sprintf("at work, %d %%", w.Percent)
			if w.Detail != "" {
				m.Work += ": " + cut(unitext.PlainLine(w.Detail), shownMember)
			}
		}
		if one.Crashed && !one.Revealed {
			m.Work = "says it cannot reveal"
		}
		if i, ok := letter[one.Runner]; ok {
			m.Answer, m.Brief, m.Differs = answers[i].Letter, brief(&answers[i]), i > 0
		}
		p.Members = append(p.Members, m)
	}
}

// brief is an answer on one line.
func brief(a *answer) string {
	switch {
	case a.Outcome != "success":
		return a.Outcome
	case len(a.Data) == 0:
		return "nothing"
	case !utf8.Valid(a.Data):
		return fmt.Sprintf("%d bytes", len(a.Data))
	}
	return cut(unitext.PlainLine(string(a.Data[:min(len(a.Data), 8*shownMember)])), shownMember)
}

// life lists what happened to a job in the order of the blocks, and what it waits for.
func (p *jobPage) life() []step {
	j := &p.Job
	list := []step{{Height: j.SubmittedAt, What: "submitted by", Who: j.Submitter}}
	if j.AssignedAt > 0 {
		what := fmt.Sprintf("%d runners drawn, of which %d have to agree", j.Members, j.Threshold)
		if j.Attempt > 0 {
			what += fmt.Sprintf(" (attempt %d)", j.Attempt+1)
		}
		list = append(list, step{Height: j.AssignedAt, What: what})
	}
	if p.Drawn != nil {
		for _, m := range p.Drawn.Runners {
			if m.CommittedAt > 0 {
				list = append(list, step{Height: m.CommittedAt, What: "commitment of", Who: m.Runner})
			}
			if m.RevealedAt > 0 {
				list = append(list, step{Height: m.RevealedAt, What: "result revealed by", Who: m.Runner})
			}
		}
	}
	if v := p.Verified; v != nil {
		list = append(list, step{Height: v.VerifiedAt, What: fmt.Sprintf("verified: %d of %d agree (%s)", v.Count, v.Total, v.Mode)})
	}
	if j.EndedAt > 0 {
		last := step{Height: j.EndedAt, What: p.Words, Bad: p.Bad}
		if p.Verified != nil && p.Good {
			last.What = "paid"
		}
		list = append(list, last)
	}
	slices.SortStableFunc(list, func(a, b step) int { return cmp.Compare(a.Height, b.Height) })
	if j.EndedAt > 0 {
		return list
	}
	switch j.Status {
	case market.AwaitingSeed.String():
		return append(list, step{What: "its runners are drawn", Awaited: true})
	case market.Assigned.String(), market.Executing.String():
		return append(list, step{Height: j.Deadline, What: "commitments are taken until", Awaited: true})
	case market.Revealing.String():
		return append(list, step{Height: j.Deadline, What: "results are taken until", Awaited: true})
	case market.Challengeable.String():
		return append(list, step{What: "payment, when nobody can challenge the result any more", Awaited: true})
	}
	return list
}
