package proposer

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/executor"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// builds is a proposer with a build under way, whose executor answers when the test says so.
func builds(t *testing.T, offers ...tx.Verified) *Subsystem {
	t.Helper()
	s := &Subsystem{Handle: NewHandle(), Lanes: lanes.NewHandle(), Executor: executor.NewHandle()}
	s.work = offering(t, &s.experience, 0, offers...)
	s.build()
	return s
}

// fails answers the build with an error, and gives what the subsystem panicked with.
func (s *Subsystem) fails(err error) (halt *supervision.Fatal) {
	defer func() {
		if r := recover(); r != nil {
			halt = r.(*supervision.Fatal)
		}
	}()
	s.built(built{round: s.work.round(), token: s.work.token, executed: executor.Executed{Err: err}})
	return nil
}

func broke(kind block.Kind, id digest.Hash) *executor.Evidence {
	return &executor.Evidence{Turn: &executor.Broken{Kind: kind, ID: id}}
}

// A transaction that breaks the machine is dropped, whatever else its sender executes put aside, and the round gets a block without it. The third in a round
// is dropped too, and the block holds nothing: if that breaks the machine as well, the node stops with what is known.
func TestBrokenTransactionIsLeftOut(t *testing.T) {
	var offers []tx.Verified
	for sender := byte(1); sender <= 5; sender++ {
		offers = append(offers, execution(t, sender, 5))
	}
	next, coins := execution(t, 1, 6), transfer(t, 1, 6, 10_000)
	s := builds(t, append(slices.Clone(offers), next)...)
	for n := 1; n <= brokenMost; n++ {
		before := s.work.token
		if halt := s.fails(broke(block.Transaction, offers[n-1].Hash())); halt != nil {
			t.Fatalf("after %d: %v", n, halt)
		}
		if s.work == nil || s.work.token == before || s.work.empty != (n == brokenMost) || s.Lanes.Router().Tally().Depth != n ||
			s.Executor.Inbox().Tally().Depth != n+1 {
			t.Fatalf("after %d: %+v, %d dropped, %d builds", n, s.work, s.Lanes.Router().Tally().Depth, s.Executor.Inbox().Tally().Depth)
		}
		if got, want := chosen(t, &s.experience, s.work), labels(offers[n:]); !slices.Equal(got, want) {
			t.Errorf("after %d: %v are chosen, not %v", n, got, want)
		}
	}
	if take := s.experience.takes(common, 1); take(next) || !take(coins) || !take(offers[4]) {
		t.Errorf("its sender's next %v, a transfer of the sender %v, another's %v", take(next), take(coins), take(offers[4]))
	}
	e := broke(block.Timer, digest.Hash{1})
	if halt := s.fails(e); halt == nil || halt.Err != e {
		t.Errorf("the empty block breaks the machine: %v", halt)
	}
}

// Where no transaction broke the machine, the round gets a block without any, and nothing is dropped.
func TestBrokenOtherwise(t *testing.T) {
	v := execution(t, 1, 5)
	for i, err := range []error{
		broke(block.Timer, v.Hash()), broke(block.Message, digest.Hash{1}), broke(block.Transaction, digest.Hash{1}), &executor.Evidence{}, errors.New("x"),
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			s := builds(t, v)
			if halt := s.fails(err); halt != nil || !s.work.empty || len(s.work.offers) != 1 || s.Lanes.Router().Tally().Depth != 0 {
				t.Errorf("%v: %v, %+v", err, halt, s.work)
			}
		})
	}
}

// One that was tried alone is no exception: the block is built for the others.
func TestBrokenTrial(t *testing.T) {
	slow, other := execution(t, 1, 5), execution(t, 2, 5)
	s := &Subsystem{Handle: NewHandle(), Lanes: lanes.NewHandle(), Executor: executor.NewHandle()}
	s.experience.putAside(slow.Hash(), 1)
	s.experience.since = aloneEvery
	s.work = offering(t, &s.experience, 0, slow, other)
	if s.build(); s.work.trial == nil {
		t.Fatal("it is not tried")
	}
	if halt := s.fails(broke(block.Transaction, slow.Hash())); halt != nil || s.work.trial != nil || s.work.empty {
		t.Fatalf("%v, %+v", halt, s.work)
	}
	if got := chosen(t, &s.experience, s.work); !slices.Equal(got, []string{"2/5"}) {
		t.Errorf("%v are chosen", got)
	}
}
