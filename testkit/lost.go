package testkit

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

var errLostTwice = errors.New("the worker was lost twice in one block; a node drops the transaction, or halts with the evidence")

// lostTurn is what ends a turn whose worker panicked.
type lostTurn struct{ number int }

// losing is a runner whose worker panics in one turn of a block.
type losing struct {
	drain.Runner
	left int // turns before that one
	turn int
}

// Run implements drain.Runner.
func (l *losing) Run(t *drain.Turn) (drain.Outcome, error) {
	if l.left--; l.left < 0 {
		panic(lostTurn{l.turn})
	}
	return l.Runner.Run(t)
}

// Lose has the worker panic in a turn of the next block, counted from 1, so many times. As a node does, the chain then drops the block's overlay and
// executes the block again from the parent state; the second loss in one block fails the test: a proposer drops the transaction, and over
// anything else a node halts.
//
// Spec: ARCHITECTURE "One block, from bytes to root".
func (c *Chain) Lose(turn, times int) {
	c.t.Helper()
	if turn < 1 || times < 1 {
		c.t.Fatalf("a block has turns from 1 on")
	}
	c.lose, c.losses = turn, times
}

// Lost tells how many turns were lost so far.
func (c *Chain) Lost() int { return c.lost }

// execute runs a job on the tip with whatever losses were asked for.
func (c *Chain) execute(job transition.Job) (*transition.Result, error) {
	for failures := 0; c.losses > 0; {
		c.losses--
		result, lost, err := c.attempt(job)
		if !lost {
			c.losses = 0
			return result, err
		}
		c.lost++
		if failures++; failures == 2 {
			return nil, errLostTwice
		}
	}
	return transition.Apply(c.tip, job, &attentive{c.runner, c})
}

// attempt runs a job with a worker that will panic; lost says that it did.
func (c *Chain) attempt(job transition.Job) (result *transition.Result, lost bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, lost = p.(lostTurn); !lost {
				panic(p)
			}
		}
	}()
	result, err = transition.Apply(c.tip, job, &losing{Runner: &attentive{c.runner, c}, left: c.lose - 1, turn: c.lose})
	return result, false, err
}
