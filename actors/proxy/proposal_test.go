package proxy

import (
	"bytes"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
)

// session is the one that a party has.
func (p *party) session() *session {
	for _, s := range p.sessions {
		return s
	}
	return nil
}

// proposals are all that are good, of as many dealers as the threshold or more: what the members show would fit each of them.
func (w *world) proposals(task *secret.Pending) (list []*proposal) {
	w.t.Helper()
	var logs []log
	for _, id := range task.Committee {
		raw, err := w.of(id).session().logged()
		w.must(err)
		r := codec.NewReader(raw)
		logs = append(logs, readLog(r))
		w.must(r.Finish())
	}
	for set := range 1 << len(logs) {
		p := new(proposal)
		for i := range logs {
			p.members = append(p.members, uint32(i+1))
			if set>>i&1 == 1 {
				p.logs = append(p.logs, logs[i])
			}
		}
		if len(p.logs) >= int(task.Quorum) {
			list = append(list, p)
		}
	}
	return list
}

// voteFor has another party ask for a vote.
func (p *party) voteFor(from *party, one *proposal) byte {
	s := p.session()
	status, _ := p.asked(from.key(), s.kind(), append(codec.AppendU8(slices.Clone(s.id[:]), stepVote), one.encode()...))
	return status
}

// TestManyProposals has a bad member ask the others to vote for every set of dealers that there is. The key is made all the same by who leads next.
//
// Spec: secrets-cbss §3 (making keys, complaints).
func TestManyProposals(t *testing.T) {
	w := newWorld(t, 8, 4)
	id := cbss.SecretID{Account: owner, KeyHash: digest.Hash{5}}
	_, err := w.service.Set(id, secret.Policy{}, nil, &secret.Override{Members: 7, Quorum: 4}, digest.Hash{})
	w.must(err)
	of := secret.Scope{Secret: id, Version: 1}
	w.block()
	w.block()
	task, err := secret.LoadPending(w.service.State, of)
	w.must(err)
	w.round()
	bad := w.of(task.Committee[0]) // who leads first
	bad.cut = true
	list := w.proposals(task)
	if len(list) != 64 {
		t.Fatalf("%d sets of dealers", len(list))
	}
	for _, member := range task.Committee[1:] {
		for _, p := range list {
			if w.of(member).voteFor(bad, p) != frame.Done {
				t.Fatal("a good proposal gets no vote")
			}
		}
	}
	if !w.until(of, 1, 3*leadAfter) {
		t.Error("no key is made")
	}
}

// TestStrangersAreRefused has a registered proxy that does not take part in a key ask its members everything. None of it is answered, or changes anything.
//
// Spec: secrets-cbss §3 (making keys), §4 (DkgRound, ReshareRound).
func TestStrangersAreRefused(t *testing.T) {
	w := newWorld(t, 6, 5)
	w.must(w.service.RequestKey(owner, owner))
	w.block()
	w.block()
	task, err := secret.LoadPending(w.service.State, secret.AccountScope(owner))
	w.must(err)
	w.round()
	for _, from := range w.parties {
		member := w.of(task.Committee[0])
		s := member.session()
		want := frame.Refused
		if slices.Contains(task.Committee, from.self.ID) {
			want = frame.Done
		}
		for _, step := range []byte{stepDeal, stepHeard, stepLog, stepVote, stepOpen, stepSign} {
			body, before := append(slices.Clone(s.id[:]), step), member.encode()
			if step != stepLog && want == frame.Done {
				continue // of members a log is asked alone here
			}
			if status, answer := member.asked(from.key(), s.kind(), body); status != want || want == frame.Refused && string(answer) != errStranger.Error() {
				t.Errorf("step %d: status %d %s", step, status, answer)
			}
			if !bytes.Equal(member.encode(), before) {
				t.Errorf("step %d changes what is kept", step)
			}
		}
	}
}
