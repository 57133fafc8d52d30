package market

import (
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// A job for one is assigned in the block it was submitted in, drawn from the beacon of that block; its runner says nothing. Three other attempts follow, each
// with a runner that was not silent before, and then all that was held goes back.
//
// Spec: WP §5.3; CIP-2 §6; runner-marketplace §4.4, §5, §5.1, §5.2.
func TestSilentRunners(t *testing.T) {
	w := newWorld(t, 5)
	w.at(20_000)
	for n := range 5 {
		w.must(w.Registry.Heartbeat(person(n), true))
	}
	had := w.balance(submitter)
	id := w.submitted()
	if w.balance(submitter) != had-11*unit.CBY || w.Held != int64(11*unit.CBY) {
		t.Errorf("it has %d, had %d; held %d", w.balance(submitter), had, w.Held)
	}
	first := w.selection(id)
	if seed := job.Seed(&w.Beacon, id, 20_000); first.Seed != seed || first.Round != w.Beacon.Round || len(first.Selected) != 1 {
		t.Errorf("%+v", first)
	}
	silent := map[account.Address]bool{}
	for attempt := range uint32(4) {
		j := w.is(id, Assigned)
		s := w.selection(id)
		start := 20_000 + unit.Height(attempt)*100
		if j.Attempt != attempt || s.Attempt != attempt || j.Assigned != start || j.Deadline != start+100 || len(s.Excluded) != int(attempt) {
			t.Fatalf("attempt %d: %+v %+v", attempt, j, s)
		}
		if silent[s.Selected[0]] || s.Aggregator != s.Selected[0] || w.active(s.Selected[0]) != 1 || s.Seed != first.Seed {
			t.Errorf("attempt %d: %+v", attempt, s)
		}
		silent[s.Selected[0]] = true
		w.until(start + 100)
		w.is(id, Assigned)
		w.end()
		if w.active(s.Selected[0]) != 0 {
			t.Errorf("attempt %d: the runner is still busy", attempt)
		}
		if r, _, _ := runner.Load(w.overlay, s.Selected[0]); r.Scored != start+100 || r.Reputation >= runner.ReputationOf(50) {
			t.Errorf("attempt %d: the silent runner has %d since %d", attempt, r.Reputation.Milli(), r.Scored)
		}
	}
	if j := w.is(id, Failed); j.Reason != ReasonTimeout || j.Ended != 20_400 || j.Escrow != 0 || w.balance(submitter) != had {
		t.Errorf("%+v, it has %d, had %d", j, w.balance(submitter), had)
	}
}

// A committee is drawn in the first block that has the seed of the round two after the submission's, and not before.
//
// Spec: WP §5.3; runner-marketplace §4.2, §4.4.
func TestCommitteeAwaitsItsSeed(t *testing.T) {
	for _, c := range []struct {
		name   string
		rounds []sig.Round // of the beacons of the blocks after the submission, in round 1/100
		parent uint64      // view of the parent of the first block of a new epoch
		drawn  int         // in which of them
	}{
		{"every round has a block", []sig.Round{{Epoch: 1, View: 100}, {Epoch: 1, View: 101}, {Epoch: 1, View: 102}}, 0, 2},
		{"the round has no child", []sig.Round{{Epoch: 1, View: 101}, {Epoch: 1, View: 105}}, 0, 1},
		{"the epoch ends with the submission", []sig.Round{{Epoch: 1, View: 100}, {Epoch: 2, View: 1}, {Epoch: 2, View: 2}}, 100, 2},
		{"the epoch ends a view later", []sig.Round{{Epoch: 1, View: 100}, {Epoch: 1, View: 101}, {Epoch: 2, View: 1}}, 101, 2},
		{"the epoch ends with the awaited view", []sig.Round{{Epoch: 1, View: 101}, {Epoch: 1, View: 102}}, 102, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 7)
			w.Round, w.Beacon.Round = sig.Round{Epoch: 1, View: 100}, sig.Round{Epoch: 1, View: 99}
			id := w.submitted(voted)
			if j := w.is(id, AwaitingSeed); j.Round != (sig.Round{Epoch: 1, View: 102}) || j.Members != 5 || j.Threshold != 3 {
				t.Fatalf("%+v", j)
			}
			w.must(w.End())
			w.is(id, AwaitingSeed)
			for i, round := range c.rounds {
				w.Height++
				w.Registry.Height = w.Height
				w.Beacon = sig.Seed{Round: round, Signature: sig.BLSSignature{byte(i + 7)}}
				w.Round, w.ParentView = sig.Round{Epoch: round.Epoch, View: round.View + 1}, round.View
				if i > 0 && round.Epoch > c.rounds[i-1].Epoch { // the block before it was the first of the epoch, with the old seed
					e := &epochs{Epoch: round.Epoch, Ended: c.parent}
					w.overlay.Set(under(keyEpoch), e.Encode())
				}
				w.must(w.End())
				if i < c.drawn {
					w.is(id, AwaitingSeed)
				}
			}
			w.is(id, Assigned)
			s := w.selection(id)
			if s.Round != c.rounds[c.drawn] || s.Seed != job.Seed(&w.Beacon, id, began) || len(s.Selected) != 5 {
				t.Errorf("%+v", s)
			}
			if keys, err := BySubmitter(w.overlay, submitter, digest.Hash{}, 0); err != nil || len(keys) != 1 {
				t.Errorf("%d %v", len(keys), err)
			}
		})
	}
}

// The first block of an epoch notes in which view the epoch before ended.
//
// Spec: runner-marketplace §4.4.
func TestEndOfAnEpochIsNoted(t *testing.T) {
	w := newWorld(t, 3)
	w.Round, w.ParentView = sig.Round{Epoch: 1, View: 3_601}, 3_600
	w.must(w.End())
	w.Round, w.ParentView = sig.Round{Epoch: 2, View: 2}, 3_604
	w.must(w.End())
	w.Round, w.ParentView = sig.Round{Epoch: 2, View: 3}, 2
	w.must(w.End())
	if e, err := state.Find(w.overlay, under(keyEpoch), decodeEpochs); err != nil || *e != (epochs{2, 3_604}) {
		t.Errorf("%+v %v", e, err)
	}
}

// Who may take a job back, and until when; what it had comes back to the base unit.
//
// Spec: runner-marketplace §3 (8), §5.
func TestCancel(t *testing.T) {
	w := newWorld(t, 5)
	had := w.balance(submitter)
	id := w.submitted(voted)
	w.refused(w.Cancel(id, person(1)), ErrSubmitter)
	w.refused(w.Cancel(digest.Hash{1}, submitter), ErrUnknown)
	w.must(w.Cancel(id, submitter))
	if j := w.is(id, Cancelled); j.Escrow != 0 || w.balance(submitter) != had || w.Held != 0 {
		t.Errorf("%+v", j)
	}
	w.refused(w.Cancel(id, submitter), ErrStatus)
	w.refused(w.Cancel(w.submitted(), submitter), ErrStatus) // for one runner, who is at it already
	assigned := w.submitted(voted)
	w.until(began + 4)
	w.is(id, Cancelled)
	w.is(assigned, Assigned)
	w.refused(w.Cancel(assigned, submitter), ErrStatus)
}

// From commitments to payment, block by block.
//
// Spec: WP §5.3; CIP-2 §8; runner-marketplace §2.7, §5, §5.2, §7.
func TestCommitRevealSettle(t *testing.T) {
	w := newWorld(t, 5)
	w.Verifier = new(bench)
	id := w.submitted(voted, func(s *job.Spec) { s.Verification.Runners = 3 })
	w.until(began + 4)
	j, s := w.is(id, Assigned), w.selection(id)
	if j.Assigned != began+3 || j.Deadline != began+103 || s.Members != 3 || s.Threshold != 2 {
		t.Fatalf("%+v %+v", j, s)
	}
	salt := digest.Hash{9}
	commit := func(who account.Address) error {
		_, err := w.Commit(id, who, CommitmentOf([]byte("blue"), salt))
		return err
	}
	reveal := func(who account.Address, output string) error {
		_, err := w.Reveal(id, &Reveal{Runner: who, Output: []byte(output), Salt: salt})
		return err
	}
	w.refused(commit(submitter), ErrSelected)
	w.refused(reveal(s.Selected[0], "blue"), ErrStatus)
	w.must(commit(s.Selected[0]))
	w.is(id, Executing)
	w.refused(commit(s.Selected[0]), ErrCommitted)
	w.must(commit(s.Selected[1]))
	w.end()
	w.must(commit(s.Selected[2]))
	if j = w.is(id, Revealing); j.Deadline != began+5+params.RevealWindowBlocks {
		t.Errorf("reveals until %d", j.Deadline)
	}
	w.refused(commit(s.Selected[2]), ErrLate)
	w.refused(reveal(submitter, "blue"), ErrSelected)
	w.refused(reveal(s.Selected[0], "red"), ErrMismatch)
	w.must(reveal(s.Selected[0], "blue"))
	w.refused(reveal(s.Selected[0], "blue"), ErrRevealed)
	w.must(reveal(s.Selected[1], "blue"))
	w.end()
	w.is(id, Revealing) // a threshold of two is reached; the third may still come
	w.must(reveal(s.Selected[2], "blue"))
	w.end()
	if j = w.is(id, Challengeable); j.Due != began+6+75 || w.active(s.Selected[0]) != 0 {
		t.Errorf("%+v", j)
	}
	if r, _, _ := runner.Load(w.overlay, s.Selected[1]); r.LockedUntil != began+6+900 {
		t.Errorf("its stake is locked until %d", r.LockedUntil)
	}
	had := w.balance(submitter)
	w.until(began + 81)
	w.is(id, Challengeable)
	w.end()
	v, err := LoadResult(w.overlay, id)
	w.must(err)
	// 4 CBY were earned, of which 89% go to the runner and 10% are burned; of 11 CBY the rest goes back.
	if j = w.is(id, Completed); w.balance(submitter)-had != 11*unit.CBY-3_560_000_000-400_000_000 || w.balance(v.Agreed[0]) != 3_560_000_000 ||
		w.Burned != 400_000_000 {
		t.Errorf("%+v, came back %d", j, w.balance(submitter)-had)
	}
	w.until(j.Ended + 900)
	if _, err := w.Open(id); err != nil {
		t.Error("it was trimmed too soon")
	}
	w.end()
	if n := w.keys(); n != 4 { // the record, and its places: by submitter, by alias, by height
		t.Errorf("%d keys are left", n)
	}
	w.at(j.Ended + 900 + RecordBlocks)
	w.end()
	if n := w.keys(); n != 0 {
		t.Errorf("%d keys are left in the end", n)
	}
}

// Commitments and reveals at the ends of their windows.
//
// Spec: runner-marketplace §5 (windows), §8.1.
func TestWindows(t *testing.T) {
	w := newWorld(t, 3)
	b := new(bench)
	w.Verifier = b
	hash := CommitmentOf(nil, digest.Hash{})
	id := w.submitted(voted, func(s *job.Spec) { s.Verification.Runners = 3 })
	w.until(began + 103)
	s := w.selection(id)
	for _, who := range s.Selected[:2] { // in the last block for it
		_, err := w.Commit(id, who, hash)
		w.must(err)
	}
	w.end()
	if j := w.is(id, Revealing); j.Deadline != began+163 || w.selection(id).Excluded[0] != s.Selected[2] {
		t.Errorf("%+v", j)
	}
	_, err := w.Commit(id, s.Selected[2], hash)
	w.refused(err, ErrLate)
	_, err = w.Reveal(id, &Reveal{Runner: s.Selected[2]})
	w.refused(err, ErrUncommitted)
	w.until(began + 163)
	_, err = w.Reveal(id, &Reveal{Runner: s.Selected[0]})
	w.must(err)
	w.end()
	// One reveal of two that are needed; nobody is left who was not silent.
	if j := w.is(id, Failed); j.Reason != ReasonNoRunners || len(b.unrevealed) != 1 || b.unrevealed[0] != s.Selected[1] {
		t.Errorf("%+v %v", j, b.unrevealed)
	}
	if c, err := LoadCommitment(w.overlay, id, s.Selected[0]); c != nil || err != nil {
		t.Errorf("a commitment is left: %v %v", c, err)
	}
}

// A result that is not accepted costs an attempt, and its reason is the job's in the end.
//
// Spec: runner-marketplace §5, §5.1.
func TestRejectedResults(t *testing.T) {
	w := newWorld(t, 3)
	w.Verifier = &bench{reject: "NoConsensus"}
	id := w.submitted(func(s *job.Spec) { s.Bounds.MaxRetries = 1 })
	for attempt := range uint32(2) {
		if j := w.is(id, Assigned); j.Attempt != attempt {
			t.Fatalf("%+v", j)
		}
		who := w.selection(id).Selected[0]
		_, err := w.Commit(id, who, CommitmentOf([]byte("x"), digest.Hash{}))
		w.must(err)
		_, err = w.Reveal(id, &Reveal{Runner: who, Output: []byte("x")})
		w.must(err)
		w.end()
	}
	if j := w.is(id, Failed); j.Reason != "NoConsensus" {
		t.Errorf("%+v", j)
	}
}

// Whoever awaits a job is told its end once, and in time.
//
// Spec: sdk §9.6, §10.4; runner-marketplace §5 (callback).
func TestAnswers(t *testing.T) {
	fields, err := cbor.Append(nil, cbor.Map{{Key: "kind", Value: KindRunner}, {Key: "cid", Value: "c7"}, {Key: "reply_handler", Value: "on_it"}})
	if err != nil {
		t.Fatal(err)
	}
	caller := &Caller{Actor: person(99), Origin: digest.Hash{5}, Fields: fields}
	told := func(w *world) cbor.Map {
		w.t.Helper()
		list, err := Answers(w.overlay, w.Height, 10)
		if err != nil || len(list) != 1 || list[0].One.Actor != caller.Actor || list[0].One.Origin != caller.Origin {
			w.t.Fatalf("%+v %v", list, err)
		}
		v, err := cbor.Parse(list[0].One.Payload)
		w.must(err)
		list[0].Drop(w.overlay)
		return v.(cbor.Map)
	}
	word := func(m cbor.Map, key string) any { v, _ := m.Lookup(key); return v }
	t.Run("result", func(t *testing.T) {
		w := newWorld(t, 3)
		w.Verifier = new(bench)
		id, err := w.submit(ask(), caller, began+50)
		w.must(err)
		who := w.selection(id).Selected[0]
		_, err = w.Commit(id, who, CommitmentOf([]byte("blue"), digest.Hash{}))
		w.must(err)
		_, err = w.Reveal(id, &Reveal{Runner: who, Output: []byte("blue")})
		w.must(err)
		w.end()
		if m := told(w); word(m, "kind") != KindRunner || word(m, "cid") != "c7" || word(m, "status") != "ok" || word(m, "result") != "blue" ||
			word(m, "reply_handler") != "on_it" {
			t.Errorf("%v", m)
		}
		w.until(began + 49)
		w.is(id, Challengeable) // it has a result: the actor's patience matters no more
		w.until(began + 76)
		w.is(id, Completed)
	})
	for _, c := range []struct {
		name  string
		until unit.Height
		end   unit.Height // of which the block tells
	}{
		{"before its deadline", began + 60, began + 59}, {"in its last block", began + 101, began + 100}, {"at once", began, began},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, 3)
			had := w.balance(submitter)
			id, err := w.submit(ask(), caller, c.until)
			w.must(err)
			w.until(c.end)
			w.is(id, Assigned)
			w.end()
			w.is(id, Failed)
			m := told(w)
			what, _ := word(m, "result").(cbor.Map)
			if word(m, "status") != "error" || word(what, "error") != "timeout" || w.balance(submitter) != had {
				t.Errorf("%v", m)
			}
		})
	}
	t.Run("a full mailbox", func(t *testing.T) {
		w := newWorld(t, 3)
		id, err := w.submit(ask(), caller, began+1)
		w.must(err)
		w.must(w.End())
		at := unit.Height(began)
		for _, later := range []unit.Height{1, 2, 4, 8, 16, 32, 64} {
			list, err := Answers(w.overlay, at, 10)
			if err != nil || len(list) != 1 || !list[0].PutOff(w.overlay, at) {
				t.Fatalf("at %d: %+v %v", at, list, err)
			}
			if early, err := Answers(w.overlay, at+later-1, 10); err != nil || len(early) != 0 {
				t.Errorf("%d blocks later it is due too soon", later-1)
			}
			at += later
		}
		list, err := Answers(w.overlay, at, 10)
		if err != nil || len(list) != 1 || list[0].ID != id || list[0].PutOff(w.overlay, at) {
			t.Errorf("the last: %+v %v", list, err)
		}
		if rest, err := Answers(w.overlay, at+1_000, 10); err != nil || len(rest) != 0 {
			t.Errorf("%+v %v", rest, err)
		}
	})
}

// A result as an actor gets it: what JSON says where that is a structure, but for a model's text; numbers with a fraction are texts.
//
// Spec: sdk §9.2, §9.6; WP §2.5.
func TestValues(t *testing.T) {
	schema := "{}"
	model, shaped, page := &job.LLMJob{}, &job.LLMJob{ResponseModel: &schema}, &job.Spec{Kind: job.HTTP, HTTP: &job.HTTPJob{}}
	for _, c := range []struct {
		name string
		spec *job.Spec
		data string
		want any
	}{
		{"a text of a model", &job.Spec{Kind: job.LLM, LLM: model}, `{"a":1}`, `{"a":1}`},
		{"a structure of a model", &job.Spec{Kind: job.LLM, LLM: shaped}, `{"a":1}`, cbor.Map{{Key: "a", Value: int64(1)}}},
		{"a page", page, `{"status":200,"took":0.5}`, cbor.Map{{Key: "status", Value: int64(200)}, {Key: "took", Value: "0.5"}}},
		{"a list", page, `[1,[2.5]]`, []any{int64(1), []any{"2.5"}}},
		{"no structure", page, `"x"`, `"x"`},
		{"no JSON", page, `{"a":1,"a":2}`, `{"a":1,"a":2}`},
		{"no text", page, "\xff", []byte{0xff}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Value(c.spec, []byte(c.data)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%#v, want %#v", got, c.want)
			}
		})
	}
}

// A result that no message can hold is told as a failure, and paid for all the same.
//
// Spec: runner-marketplace §5 (callback failure does not affect payment).
func TestResultsTooDeepForAMessage(t *testing.T) {
	w := newWorld(t, 3)
	w.Verifier = new(bench)
	fields, err := cbor.Append(nil, cbor.Map{{Key: "cid", Value: "c"}})
	w.must(err)
	id, err := w.submit(ask(func(s *job.Spec) { s.LLM.ResponseModel = new(string) }), &Caller{Actor: person(99), Fields: fields}, 0)
	w.must(err)
	who := w.selection(id).Selected[0]
	output := []byte(strings.Repeat("[", 32) + strings.Repeat("]", 32))
	_, err = w.Commit(id, who, CommitmentOf(output, digest.Hash{}))
	w.must(err)
	_, err = w.Reveal(id, &Reveal{Runner: who, Output: output})
	w.must(err)
	w.end()
	w.is(id, Challengeable)
	list, err := Answers(w.overlay, w.Height, 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v %v", list, err)
	}
	if _, err := cbor.Parse(list[0].One.Payload); err != nil {
		t.Error(err)
	}
}
