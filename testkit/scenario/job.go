package scenario

import (
	"errors"
	"fmt"
	"strconv"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// allTypes stands for jobs of every type that has no answer of its own.
const allTypes = "all"

// answerTo is what the runners answer to a job.
func (w *world) answerTo(j *testkit.Job) testkit.Answer {
	for _, kind := range [...]string{j.Type, allTypes} {
		if a, ok := w.answers[kind]; ok {
			return a
		}
	}
	return testkit.Answer{Error: true, Result: "no runner answers jobs of type " + j.Type}
}

// job says what the runners answer to jobs of a type from now on.
func job(w *world, args []string, payload string) error {
	payload, err := w.fill(payload)
	if err != nil {
		return err
	}
	ending := args[1]
	var late, copies int
	for ending == "late" || ending == "copies" {
		into, most := &late, dispatcher.MaxLate
		if ending == "copies" {
			into, most = &copies, dispatcher.MaxCopies
		}
		list, rest := words(payload, 2)
		if len(list) < 2 {
			return fmt.Errorf("%s is followed by a number and how the job ends", ending)
		}
		if *into, err = strconv.Atoi(list[0]); err != nil || *into < 1 || *into > most {
			return fmt.Errorf("%s is from 1 to %d, not %s", ending, most, list[0])
		}
		ending, payload = list[1], rest
	}
	a, err := answer(ending, payload)
	a.Delay, a.Copies = unit.Height(late), copies
	if err == nil {
		w.answers[args[0]] = a
	}
	return err
}

// answer reads how a job ends.
func answer(ending, payload string) (a testkit.Answer, err error) {
	if payload != "" {
		if a.Result, err = wire.Plain(payload); err != nil {
			return a, err
		}
	}
	e, err := dispatcher.ParseEnding(ending)
	switch e {
	case dispatcher.Error:
		a.Error = true
	case dispatcher.Lost:
		a.Lost = true
	case dispatcher.Vote:
		results, ok := a.Result.([]any)
		if !ok || len(results) == 0 {
			return a, errors.New("votes are a list, one result for each runner; null is a runner that failed")
		}
		for i, r := range results {
			if r == nil {
				results[i] = errors.New("the runner failed")
			}
		}
		a = testkit.Votes(results...)
	}
	return a, err
}
