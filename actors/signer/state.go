package signer

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// keptViews is how many views below the highest are remembered; nothing is signed for those below.
const keptViews = 4096

// Conflict is a refusal: what is asked for excludes what was signed, or may have been.
type Conflict struct {
	Round sig.Round
	Why   string
}

// Error implements error.
func (e *Conflict) Error() string {
	return fmt.Sprintf("signer: refused in epoch %d, view %d: %s", e.Round.Epoch, e.Round.View, e.Why)
}

// What a decision is.
const (
	notarized = iota
	committed
	gaveUp
	floored // nothing is signed below its round
	decisions
)

// decision is what was decided to be signed; of the subject of gaveUp and floored only the round counts.
type decision struct {
	what    uint8
	subject sig.Subject
}

func (d decision) append(dst []byte) []byte { return d.subject.Append(codec.AppendU8(dst, d.what)) }

func readDecision(r *codec.Reader) decision {
	return decision{r.Tag(decisions), sig.ReadSubject(r)}
}

// view is what was decided in one view.
type view struct {
	notarized, committed *sig.Subject
	gaveUp               bool
}

// guard knows what was decided, and allows nothing that excludes it.
// Spec: commonware §3.3 (invariants).
type guard struct {
	floor sig.Round // nothing is signed below
	top   uint64    // the highest view
	views map[uint64]*view
}

// allow gives a *Conflict for a decision that must not be signed, and nothing otherwise. It changes nothing.
func (g *guard) allow(d decision) error {
	at := d.subject.Round
	switch {
	case at.Epoch < g.floor.Epoch:
		return &Conflict{at, fmt.Sprintf("it signs from epoch %d on", g.floor.Epoch)}
	case at.Epoch > g.floor.Epoch:
		return nil
	case at.View < g.floor.View:
		return &Conflict{at, "the view is forgotten"}
	}
	v := g.views[at.View]
	if v == nil {
		return nil
	}
	switch d.what {
	case notarized:
		switch {
		case v.notarized != nil && *v.notarized != d.subject:
			return &Conflict{at, "it notarized block " + v.notarized.BlockHash.String()}
		case v.notarized == nil && v.gaveUp:
			return &Conflict{at, "it gave the view up"}
		}
	case committed:
		switch {
		case v.gaveUp:
			return &Conflict{at, "it gave the view up"}
		case v.committed != nil && *v.committed != d.subject:
			return &Conflict{at, "it committed block " + v.committed.BlockHash.String()}
		}
	case gaveUp:
		if v.committed != nil {
			return &Conflict{at, "it committed block " + v.committed.BlockHash.String()}
		}
	}
	return nil
}

// known reports whether a decision changes nothing.
func (g *guard) known(d decision) bool {
	v := g.views[d.subject.Round.View]
	if v == nil || d.subject.Round.Epoch != g.floor.Epoch {
		return false
	}
	switch d.what {
	case notarized:
		return v.notarized != nil
	case committed:
		return v.committed != nil
	}
	return v.gaveUp
}

// take remembers a decision that is allowed.
func (g *guard) take(d decision) {
	at, subject := d.subject.Round, d.subject
	if at.Epoch > g.floor.Epoch || g.views == nil {
		g.floor, g.top, g.views = sig.Round{Epoch: max(at.Epoch, g.floor.Epoch), View: 0}, 0, map[uint64]*view{}
	}
	if d.what == floored {
		g.forget(at.View)
		return
	}
	v := g.views[at.View]
	if v == nil {
		v = &view{}
		g.views[at.View] = v
	}
	switch d.what {
	case notarized:
		v.notarized = &subject
	case committed:
		v.committed = &subject
	case gaveUp:
		v.gaveUp = true
	}
	if g.top = max(g.top, at.View); g.top > keptViews {
		g.forget(g.top - keptViews)
	}
}

func (g *guard) forget(below uint64) {
	if below <= g.floor.View {
		return
	}
	g.floor.View = below
	for at := range g.views { // order-free: only removes
		if at < below {
			delete(g.views, at)
		}
	}
}

// decided are the decisions a journal has to hold: the floor, and what was decided above.
func (g *guard) decided() []decision {
	list := []decision{{floored, sig.Subject{Round: g.floor}}}
	for at, v := range g.views { // order-free: no decision here excludes another
		if v.notarized != nil {
			list = append(list, decision{notarized, *v.notarized})
		}
		if v.committed != nil {
			list = append(list, decision{committed, *v.committed})
		}
		if v.gaveUp {
			list = append(list, decision{gaveUp, sig.Subject{Round: sig.Round{Epoch: g.floor.Epoch, View: at}}})
		}
	}
	return list
}
