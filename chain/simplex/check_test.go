package simplex_test

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// finalized checks that what an honest node takes for final continues its own final chain and is nowhere else decided differently.
func (n *node) finalized(c *sig.Certificate) {
	w := n.w
	if !n.honest() {
		return
	}
	if !w.plan.trusting && w.keys.VerifyCertificate(c) != nil {
		w.violation("node %d finalizes by a bad certificate", n.index)
	}
	type step struct {
		height uint64
		hash   digest.Hash
	}
	var chain []step
	at := step{c.Subject.Height, c.Subject.BlockHash}
	for at.hash != n.finalHash {
		raw, ok := w.blocks[at.hash]
		if !ok || at.height <= n.finalHeight {
			w.violation("node %d: final block at height %d is not on top of its final height %d", n.index, c.Subject.Height, n.finalHeight)
			return
		}
		b, err := decodeBlok(raw)
		if err != nil || b.height != at.height || b.broken || b.forged() {
			w.violation("node %d finalizes a bad block at height %d", n.index, at.height)
			return
		}
		chain = append(chain, at)
		at = step{at.height - 1, b.parentHash}
	}
	for _, s := range chain {
		if other, ok := w.final[s.height]; ok && other != s.hash {
			w.violation("two final blocks at height %d", s.height)
		}
		w.final[s.height] = s.hash
		w.finalAt[s.height] = w.now
	}
	n.finalHeight, n.finalHash = c.Subject.Height, c.Subject.BlockHash
}

// signsVote checks that an honest node never signs what excludes something it signed before, restarts included.
func (n *node) signsVote(v *simplex.Vote) {
	if !n.honest() {
		return
	}
	s := n.saidIn(v.Subject.Round.View)
	if v.Kind == sig.Finalization {
		n.signsCommit(v.Subject)
		return
	}
	if s.notarize != nil && *s.notarize != v.Subject {
		n.w.violation("node %d notarizes twice in view %d", n.index, v.Subject.Round.View)
	}
	if s.nullify && s.notarize == nil {
		n.w.violation("node %d notarizes after nullify in view %d", n.index, v.Subject.Round.View)
	}
	subject := v.Subject
	s.notarize = &subject
	if v.Half != nil {
		n.w.halves++
		n.signsCommit(v.Half.Parent)
	}
}

// signsCommit checks a commit half, which stands against a nullification and a commit of another block in its view.
func (n *node) signsCommit(subject sig.Subject) {
	s := n.saidIn(subject.Round.View)
	if s.nullify || s.commit != nil && *s.commit != subject {
		n.w.violation("node %d commits against its own word in view %d", n.index, subject.Round.View)
	}
	s.commit = &subject
}

// signsNewView checks that an honest node does not leave a view that it committed.
func (n *node) signsNewView(view uint64) {
	s := n.saidIn(view)
	if n.honest() && s.commit != nil {
		n.w.violation("node %d nullifies view %d which it committed", n.index, view)
	}
	s.nullify = true
}

func (n *node) saidIn(view uint64) *said {
	s := n.said[view]
	if s == nil {
		s = &said{}
		n.said[view] = s
	}
	return s
}

// charges checks that an honest node accuses nobody honest, and each leader once a view.
func (n *node) charges(a *simplex.Accusation) {
	w := n.w
	if !n.honest() {
		return
	}
	if w.plan.faulty[a.Accused] == "" {
		w.violation("node %d charges honest %d with: %s", n.index, a.Accused, a.Flaw)
	}
	if l := n.state.Leader(); a.Subject.Round == n.state.Round() && l != a.Accused {
		w.violation("node %d charges %d, which does not lead view %d", n.index, a.Accused, a.Subject.Round.View)
	}
	key := charged{n.index, n.life, a.Subject.Round.View}
	if w.charges[key] {
		w.violation("node %d charges twice in view %d", n.index, a.Subject.Round.View)
	}
	w.charges[key] = true
}

// charged is a node's life and a view in which it accused a leader.
type charged struct {
	node, life int
	view       uint64
}

// judge checks that evidence is genuine, survives its encoding, and is about a faulty validator.
func (w *world) judge(n *node, e *simplex.Evidence) {
	if !n.honest() {
		return
	}
	raw := e.Encode()
	again, err := simplex.DecodeEvidence(raw)
	if err != nil || !bytes.Equal(again.Encode(), raw) {
		w.violation("evidence does not survive its encoding: %v", err)
		return
	}
	if err := w.verifier().Verify(again); err != nil {
		w.violation("node %d accuses %d of %s: %v", n.index, e.Signer, e.Offence, err)
	}
	if w.plan.faulty[e.Signer] == "" {
		w.violation("node %d accuses honest %d of %s", n.index, e.Signer, e.Offence)
	}
	w.accused[e.Offence.String()]++
}

// lowest is the least final height of the honest nodes.
func (w *world) lowest() uint64 {
	low := ^uint64(0)
	for _, n := range w.nodes {
		if n.honest() {
			low = min(low, n.finalHeight)
		}
	}
	return low
}
