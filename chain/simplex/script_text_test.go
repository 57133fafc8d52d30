package simplex_test

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// What scripts show of effects, messages, records and certificates.

func (s *script) name(x sig.Subject) string {
	name := s.names[x.BlockHash]
	if b, ok := s.blocks[name]; ok && b.round != x.Round {
		return fmt.Sprintf("%s@%d", name, x.Round.View)
	}
	return name
}

func (s *script) certificateName(c *sig.Certificate) string {
	if c == nil {
		return "genesis"
	}
	if c.Kind == sig.Nullification {
		return fmt.Sprintf("nullification %d %v", c.Subject.Round.View, c.Signers.Members())
	}
	return fmt.Sprintf("%s %s %v", c.Kind, s.name(c.Subject), c.Signers.Members())
}

func (s *script) voteName(v *simplex.Vote) string {
	text := "notarize " + s.name(v.Subject)
	if v.Kind == sig.Finalization {
		return "commit " + s.name(v.Subject)
	}
	if v.Half != nil {
		text += " half " + s.name(v.Half.Parent)
	}
	return text
}

func (s *script) message(m simplex.Message) string {
	switch m := m.(type) {
	case *simplex.Vote:
		return s.voteName(m)
	case *simplex.NewView:
		return fmt.Sprintf("nullify %d highest %s", m.Round.View, s.certificateName(m.Highest))
	case *simplex.Certificate:
		if m.Under != nil {
			return s.certificateName(m.Certificate) + " over " + s.certificateName(m.Under)
		}
		return s.certificateName(m.Certificate)
	case *simplex.Request:
		return fmt.Sprintf("request %d views %v", m.ID, m.Views)
	case *simplex.Response:
		text := fmt.Sprintf("response %d", m.ID)
		for _, c := range m.Certificates {
			text += ", " + s.certificateName(c)
		}
		return text
	case *simplex.Accusation:
		return fmt.Sprintf("accusation of %d for %s: %s", m.Accused, s.name(m.Subject), m.Flaw)
	}
	return "?"
}

func (s *script) record(r simplex.Record) string {
	switch r := r.(type) {
	case *simplex.OwnVote:
		v := &simplex.Vote{Kind: r.Kind, Subject: r.Subject}
		if r.Parent != nil {
			v.Half = &simplex.Half{Parent: *r.Parent}
		}
		return "own " + s.voteName(v)
	case *simplex.OwnNullify:
		return fmt.Sprintf("own nullify %d", r.Round.View)
	case *simplex.Verdict:
		return fmt.Sprintf("verdict %s %v", s.name(r.Subject), r.Valid)
	case *simplex.Certificate:
		return s.certificateName(r.Certificate)
	case *simplex.Accusation:
		return "own " + s.message(r)
	}
	return "?"
}

func (s *script) describe(e simplex.Effect) string {
	switch e := e.(type) {
	case simplex.Persist:
		return "persist " + s.record(e.Record)
	case simplex.Forget:
		return fmt.Sprintf("forget below %d", e.View)
	case simplex.SignVote:
		return "sign " + s.voteName(e.Vote)
	case simplex.SignNewView:
		return "sign " + s.message(e.NewView)
	case simplex.SignAccusation:
		return "sign " + s.message(e.Accusation)
	case simplex.Disputed:
		return "disputed " + s.message(e.Accusation)
	case simplex.Announce:
		text := "announce "
		if e.Again {
			text += "again "
		}
		text += s.voteName(e.Vote)
		if len(e.To) > 0 {
			text += fmt.Sprintf(" to %v", e.To)
		}
		return text
	case simplex.Broadcast:
		text := "broadcast " + s.message(e.Message)
		if len(e.Except) > 0 {
			text += fmt.Sprintf(" except %v", e.Except)
		}
		return text
	case simplex.Send:
		if e.To == simplex.Observer {
			return "reply " + s.message(e.Message)
		}
		return fmt.Sprintf("send %d %s", e.To, s.message(e.Message))
	case simplex.Build:
		text := fmt.Sprintf("build view %d on %s", e.Round.View, s.name(e.Parent))
		if e.Stalled > 0 {
			text += fmt.Sprintf(" after %d", e.Stalled)
		}
		return text
	case simplex.Check:
		return fmt.Sprintf("check %s on %s", s.name(e.Subject), s.name(e.Parent))
	case simplex.Certify:
		return fmt.Sprintf("certify %s %v", s.name(e.Subject), e.Signers.Members())
	case simplex.Arm:
		if s.quiet {
			return ""
		}
		return fmt.Sprintf("arm %s %d %d", e.Timer, e.View, e.Delay)
	case simplex.Entered:
		return fmt.Sprintf("enter %d leader %d", e.Round.View, e.Leader)
	case simplex.GaveUp:
		text := fmt.Sprintf("gave up %d of %d: %s, after %d", e.Round.View, e.Leader, e.Cause, e.Lost)
		if e.Again > 0 {
			text += fmt.Sprintf(", repeated %d", e.Again)
		}
		return text
	case simplex.Notarized:
		return "notarized " + s.name(e.Certificate.Subject)
	case simplex.Committed:
		return "committed " + s.name(e.Subject)
	case simplex.Finalized:
		return "final " + s.name(e.Certificate.Subject)
	case simplex.Accuse:
		text := fmt.Sprintf("accuse %d of %s", e.Evidence.Signer, e.Evidence.Offence)
		if f := e.Evidence.Found; f != nil {
			text += fmt.Sprintf(", found by %v: %s", f.Signers.Members(), f.Flaw)
		}
		return text
	case simplex.Blame:
		return fmt.Sprintf("blame %d for %s", e.Peer, e.Reason)
	case simplex.Halt:
		return fmt.Sprintf("halt %s, %s", s.certificateName(e.First), s.certificateName(e.Second))
	}
	return "?"
}
