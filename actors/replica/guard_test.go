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

func notarize(s sig.Subject, parent *sig.Subject) func(*guard) error {
	return func(g *guard) error {
		return g.vote(&simplex.Vote{Kind: sig.Notarization, Subject: s, Half: halfOf(parent)})
	}
}

func commit(s sig.Subject) func(*guard) error {
	return func(g *guard) error { return g.vote(&simplex.Vote{Kind: sig.Finalization, Subject: s}) }
}

func nullify(view uint64) func(*guard) error {
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
		"once":                        {nil, notarize(a, nil), true},
		"the same again":              {[]func(*guard) error{notarize(a, nil)}, notarize(a, nil), true},
		"two blocks":                  {[]func(*guard) error{notarize(a, nil)}, notarize(b, nil), false},
		"nullify after notarize":      {[]func(*guard) error{notarize(a, nil)}, nullify(5), true},
		"again after both":            {[]func(*guard) error{notarize(a, nil), nullify(5)}, notarize(a, nil), true},
		"notarize after nullify":      {[]func(*guard) error{nullify(5)}, notarize(a, nil), false},
		"commit":                      {[]func(*guard) error{notarize(a, nil)}, commit(a), true},
		"commit after nullify":        {[]func(*guard) error{notarize(a, nil), nullify(5)}, commit(a), false},
		"nullify after commit":        {[]func(*guard) error{commit(a)}, nullify(5), false},
		"two commits":                 {[]func(*guard) error{commit(a)}, commit(b), false},
		"commit of another":           {[]func(*guard) error{notarize(b, nil)}, commit(a), true}, // a quorum may certify what was not voted for
		"half":                        {[]func(*guard) error{commit(a)}, notarize(child, &a), true},
		"half after nullify":          {[]func(*guard) error{nullify(5)}, notarize(child, &a), false},
		"half for another":            {[]func(*guard) error{commit(b)}, notarize(child, &a), false},
		"nullify after half":          {[]func(*guard) error{notarize(child, &a)}, nullify(5), false},
		"commit of another than half": {[]func(*guard) error{notarize(child, &a)}, commit(b), false},
		"another view":                {[]func(*guard) error{notarize(a, nil), nullify(5)}, notarize(other, nil), true},
		"another epoch":               {nil, commit(sig.Subject{Round: sig.Round{Epoch: 2, View: 5}}), false},
	} {
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
	if nullify(5)(g) == nil || notarize(at(6, 'x'), nil)(g) == nil || commit(child)(g) == nil {
		t.Error("the guard forgot what is in its journal")
	}
	g.forget(6)
	if notarize(a, nil)(g) == nil || nullify(5)(g) == nil || len(g.views) != 1 {
		t.Error("a forgotten view is signed in")
	}
	if _, err := newGuard(3, []simplex.Record{
		&simplex.OwnNullify{Round: a.Round}, &simplex.OwnVote{Kind: sig.Finalization, Subject: a},
	}); err == nil {
		t.Error("a journal that contradicts itself is taken")
	}
}
