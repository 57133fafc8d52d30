package check

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Signed remembers what one validator has signed, over all its lives.
type Signed struct{ views map[sig.Round]*votes }

type votes struct {
	notarize, commit *sig.Subject
	nullify          bool
}

// NewSigned is that of a validator that has signed nothing.
func NewSigned() *Signed { return &Signed{views: map[sig.Round]*votes{}} }

func (x *Signed) at(r sig.Round) *votes {
	w := x.views[r]
	if w == nil {
		w = &votes{}
		x.views[r] = w
	}
	return w
}

// Vote takes a vote and gives an error if it excludes an earlier one. Spec: commonware §3.3 (invariants), §3.8.
func (x *Signed) Vote(v *simplex.Vote) error {
	if v.Half != nil {
		if err := x.commit(v.Half.Parent); err != nil {
			return err
		}
	}
	if v.Kind == sig.Finalization {
		return x.commit(v.Subject)
	}
	w := x.at(v.Subject.Round)
	if w.notarize != nil && *w.notarize != v.Subject {
		return fmt.Errorf("notarized %v and %v in %v", w.notarize.BlockHash, v.Subject.BlockHash, v.Subject.Round)
	}
	subject := v.Subject
	w.notarize = &subject
	return nil
}

func (x *Signed) commit(s sig.Subject) error {
	w := x.at(s.Round)
	if w.nullify {
		return fmt.Errorf("committed %v and nullified %v", s.BlockHash, s.Round)
	}
	if w.commit != nil && *w.commit != s {
		return fmt.Errorf("committed %v and %v in %v", w.commit.BlockHash, s.BlockHash, s.Round)
	}
	w.commit = &s
	return nil
}

// NewView takes a NEW_VIEW and gives an error if it excludes an earlier vote.
func (x *Signed) NewView(m *simplex.NewView) error {
	w := x.at(m.Round)
	if w.commit != nil {
		return fmt.Errorf("nullified %v and committed %v", m.Round, w.commit.BlockHash)
	}
	w.nullify = true
	return nil
}
