package check

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// Oath remembers what one validator has signed, over all its lives.
type Oath struct{ views map[sig.Round]*word }

type word struct {
	notarize, commit *sig.Subject
	nullify          bool
}

// NewOath is that of a validator that has signed nothing.
func NewOath() *Oath { return &Oath{views: map[sig.Round]*word{}} }

func (o *Oath) at(r sig.Round) *word {
	w := o.views[r]
	if w == nil {
		w = &word{}
		o.views[r] = w
	}
	return w
}

// Vote takes a vote and gives an error if it excludes an earlier one. Spec: commonware §3.3 (invariants), §3.8.
func (o *Oath) Vote(v *simplex.Vote) error {
	if v.Half != nil {
		if err := o.commit(v.Half.Parent); err != nil {
			return err
		}
	}
	if v.Kind == sig.Finalization {
		return o.commit(v.Subject)
	}
	w := o.at(v.Subject.Round)
	if w.notarize != nil && *w.notarize != v.Subject {
		return fmt.Errorf("notarized %v and %v in %v", w.notarize.BlockHash, v.Subject.BlockHash, v.Subject.Round)
	}
	subject := v.Subject
	w.notarize = &subject
	return nil
}

func (o *Oath) commit(s sig.Subject) error {
	w := o.at(s.Round)
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
func (o *Oath) NewView(m *simplex.NewView) error {
	w := o.at(m.Round)
	if w.commit != nil {
		return fmt.Errorf("nullified %v and committed %v", m.Round, w.commit.BlockHash)
	}
	w.nullify = true
	return nil
}
