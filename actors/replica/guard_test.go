package replica

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

func at(view uint64, name byte) sig.Subject {
	return sig.Subject{BlockHash: digest.Hash{name}, Height: view, Round: sig.Round{Epoch: 3, View: view}}
}

func toNotarize(s sig.Subject, parent *sig.Subject) func(*guard) error {
	return func(g *guard) error {
		return g.vote(&simplex.Vote{Kind: sig.Notarization, Subject: s, Half: halfOf(parent)})
	}
}

func toCommit(s sig.Subject) func(*guard) error {
	return func(g *guard) error { return g.vote(&simplex.Vote{Kind: sig.Finalization, Subject: s}) }
}

func toNullify(view uint64) func(*guard) error {
	return func(g *guard) error { return g.nullify(sig.Round{Epoch: 3, View: view}) }
}

// The guard signs again what was signed, and nothing that excludes it.
//
// Spec: commonware §3.3 (invariants), §3.8 (2).
func TestGuard(t *testing.T) {
	a, b := at(5, 'a'), at(5, 'b')
	child, other := at(6, 'c'), at(6, 'd')
	for name, c := range map[string]struct {
		before []func(*guard) error
		last   func(*guard) error
		ok     bool
	}{
		"once":                        {nil, toNotarize(a, nil), true},
		"the same again":              {[]func(*guard) error{toNotarize(a, nil)}, toNotarize(a, nil), true},
		"two blocks":                  {[]func(*guard) error{toNotarize(a, nil)}, toNotarize(b, nil), false},
		"nullify after notarize":      {[]func(*guard) error{toNotarize(a, nil)}, toNullify(5), true},
		"again after both":            {[]func(*guard) error{toNotarize(a, nil), toNullify(5)}, toNotarize(a, nil), true},
		"notarize after nullify":      {[]func(*guard) error{toNullify(5)}, toNotarize(a, nil), false},
		"commit":                      {[]func(*guard) error{toNotarize(a, nil)}, toCommit(a), true},
		"commit after nullify":        {[]func(*guard) error{toNotarize(a, nil), toNullify(5)}, toCommit(a), false},
		"nullify after commit":        {[]func(*guard) error{toCommit(a)}, toNullify(5), false},
		"two commits":                 {[]func(*guard) error{toCommit(a)}, toCommit(b), false},
		"commit of another":           {[]func(*guard) error{toNotarize(b, nil)}, toCommit(a), true}, // a quorum may certify what was not voted for
		"half":                        {[]func(*guard) error{toCommit(a)}, toNotarize(child, &a), true},
		"half after nullify":          {[]func(*guard) error{toNullify(5)}, toNotarize(child, &a), false},
		"half for another":            {[]func(*guard) error{toCommit(b)}, toNotarize(child, &a), false},
		"nullify after half":          {[]func(*guard) error{toNotarize(child, &a)}, toNullify(5), false},
		"commit of another than half": {[]func(*guard) error{toNotarize(child, &a)}, toCommit(b), false},
		"another view":                {[]func(*guard) error{toNotarize(a, nil), toNullify(5)}, toNotarize(other, nil), true},
		"another epoch":               {nil, toCommit(sig.Subject{Round: sig.Round{Epoch: 2, View: 5}}), false},
	} {
		t.Run(name, func(t *testing.T) {
			g, err := newGuard(3, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range c.before {
				if err := f(g); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			err = c.last(g)
			var refused *DoubleSignError
			if (err == nil) != c.ok || err != nil && !errors.As(err, &refused) {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
}

// The guard remembers a journal, and signs nothing for views that are forgotten.
//
// Spec: commonware §3.5.
func TestGuardRemembers(t *testing.T) {
	a, child := at(5, 'a'), at(6, 'c')
	g, err := newGuard(3, []simplex.Record{
		&simplex.OwnVote{Kind: sig.Notarization, Subject: child, Parent: &a}, &simplex.OwnNullify{Round: sig.Round{Epoch: 3, View: 6}},
		&simplex.Verdict{Subject: a, Valid: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	if toNullify(5)(g) == nil || toNotarize(at(6, 'x'), nil)(g) == nil || toCommit(child)(g) == nil {
		t.Error("the guard forgot what is in its journal")
	}
	g.forget(6)
	if toNotarize(a, nil)(g) == nil || toNullify(5)(g) == nil || len(g.views) != 1 {
		t.Error("a forgotten view is signed in")
	}
	if _, err := newGuard(3, []simplex.Record{
		&simplex.OwnNullify{Round: a.Round}, &simplex.OwnVote{Kind: sig.Finalization, Subject: a},
	}); err == nil {
		t.Error("a journal that contradicts itself is taken")
	}
}
