package replica

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// A block that is bad for what it stands on is nobody's fault here: only a verdict about the block itself is one its proposer answers for.
// Spec: WP "Slashing" (invalid proposal); governance-staking A3.
func TestFlawIsTheBlocksOwn(t *testing.T) {
	tr := newTree()
	parent := childOf(tr.root.header, 1)
	child := childOf(&parent.Header, 2)
	p, c := tr.ingest(parent.Encode()), tr.ingest(child.Encode())
	p.markInvalid("its roots are not those of its execution")
	if ready, missing := tr.next(c.hash); ready != nil || !missing.IsZero() || c.status != bad {
		t.Fatalf("a child of a bad block: %v", c.status)
	}
	if p.flaw != simplex.FlawedBlock || p.status != bad || p.reason == "" {
		t.Errorf("the bad one: %v %v", p.status, p.flaw)
	}
	if c.flaw != simplex.NoFlaw {
		t.Errorf("its child is accused of: %v", c.flaw)
	}
	stray := childOf(tr.root.header, 3)
	stray.Header.ParentHash[0]++
	n := tr.ingest(stray.Encode())
	if tr.next(n.hash); n.status != bad || n.flaw != simplex.NoFlaw {
		t.Errorf("beside the root: %v %v", n.status, n.flaw)
	}
}

// Which bytes a header commits to decides whose fault a refused transaction is: not its signatures, all else.
// Spec: WP §2.5.
func TestUnsigned(t *testing.T) {
	for i, x := range []struct {
		err  error
		want bool
	}{
		{tx.ErrSignature, true}, {fmt.Errorf("%w: another", tx.ErrMissingSigner), true}, {tx.ErrWrongChain, false}, {tx.ErrCycles, false},
		{errors.New("else"), false}, {supervision.ErrAbandoned, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := unsigned(x.err); got != x.want {
				t.Errorf("%v: %v", x.err, got)
			}
		})
	}
}
