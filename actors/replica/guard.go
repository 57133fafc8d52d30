package replica

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// guard stands between agreement and the keys. It knows what was decided in each view, from the journal, and refuses to sign anything that excludes
// it: two blocks in a view, nullify and commit of a view, notarize after nullify. Agreement never asks for such a thing; the guard is there
// for the day it does.
//
// Spec: commonware §3.3 (invariants), §3.5.
type guard struct {
	epoch uint64
	floor uint64 // nothing is signed for views below
	views map[uint64]*decided
}

// decided is what was signed, or decided to be, in one view.
type decided struct {
	notarize, commit *sig.Subject
	nullify          bool
}

// DoubleSignError is a refusal of the guard.
type DoubleSignError struct {
	Round sig.Round
	What  string
}

// Error implements error.
func (e *DoubleSignError) Error() string {
	return fmt.Sprintf("replica: refused to sign in epoch %d, view %d: %s", e.Round.Epoch, e.Round.View, e.What)
}

// newGuard is a guard that remembers a journal.
func newGuard(epoch uint64, journal []simplex.Record) (*guard, error) {
	g := &guard{epoch: epoch, views: map[uint64]*decided{}}
	for _, r := range journal {
		var err error
		switch r := r.(type) {
		case *simplex.OwnVote:
			err = g.vote(&simplex.Vote{Kind: r.Kind, Subject: r.Subject, Half: halfOf(r.Parent)})
		case *simplex.OwnNullify:
			err = g.nullify(r.Round)
		}
		if err != nil {
			return nil, err
		}
	}
	return g, nil
}

func halfOf(parent *sig.Subject) *simplex.Half {
	if parent == nil {
		return nil
	}
	return &simplex.Half{Parent: *parent}
}

func (g *guard) at(r sig.Round) (*decided, error) {
	if r.Epoch != g.epoch || r.View < g.floor {
		return nil, &DoubleSignError{r, "the view is forgotten"}
	}
	v := g.views[r.View]
	if v == nil {
		v = &decided{}
		g.views[r.View] = v
	}
	return v, nil
}

// vote allows a vote or gives a *DoubleSignError.
func (g *guard) vote(v *simplex.Vote) error {
	at, err := g.at(v.Subject.Round)
	if err != nil {
		return err
	}
	if v.Kind == sig.Finalization {
		return g.commit(v.Subject)
	}
	switch {
	case at.notarize != nil && *at.notarize != v.Subject:
		return &DoubleSignError{v.Subject.Round, "it notarized another block"}
	case at.notarize == nil && at.nullify:
		return &DoubleSignError{v.Subject.Round, "it gave the view up"}
	}
	subject := v.Subject
	at.notarize = &subject
	if v.Half != nil {
		return g.commit(v.Half.Parent)
	}
	return nil
}

func (g *guard) commit(s sig.Subject) error {
	at, err := g.at(s.Round)
	switch {
	case err != nil:
		return err
	case at.nullify:
		return &DoubleSignError{s.Round, "it gave the view up"}
	case at.commit != nil && *at.commit != s:
		return &DoubleSignError{s.Round, "it committed another block"}
	}
	at.commit = &s
	return nil
}

// nullify allows to give a view up or gives a *DoubleSignError.
func (g *guard) nullify(r sig.Round) error {
	at, err := g.at(r)
	if err != nil {
		return err
	}
	if at.commit != nil {
		return &DoubleSignError{r, "it committed a block of the view"}
	}
	at.nullify = true
	return nil
}

// forget drops what is below a view: nothing is signed there any more.
func (g *guard) forget(view uint64) {
	if view <= g.floor {
		return
	}
	g.floor = view
	for v := range g.views { // order-free: only removes
		if v < view {
			delete(g.views, v)
		}
	}
}
