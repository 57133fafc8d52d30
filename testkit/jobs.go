package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Job is what an actor submitted, or sent to the job dispatcher itself.
type Job = dispatcher.Job

// Answer is what becomes of a job.
type Answer = dispatcher.Answer

// market is the runner whose job dispatcher asks a function what becomes of a job. All else is the node's rule.
type market struct {
	host   *host.Host
	answer func(*Job) Answer
}

// Jobs gives the chain a job dispatcher whose runners are a function. It is asked once for each job, in the block after the one that
// submitted it; the actor has the answer one block later, or Delay blocks after that. Without it the network's own scripts answer (SetRunner).
func (c *Chain) Jobs(answer func(*Job) Answer) {
	c.runner = &market{host: host.NewWithJobs(c.programs).Watch(c.watch), answer: answer}
}

// Run implements drain.Runner.
func (k *market) Run(t *drain.Turn) (drain.Outcome, error) {
	if !dispatcher.Takes(t) {
		return k.host.Run(t)
	}
	return dispatcher.Deliver(t, func(j *Job) (Answer, bool, error) { return k.answer(j), true, nil })
}

// Votes is what becomes of a job that several runners answered, under majority_vote with the genesis committee's threshold, or a strict majority of
// more runners than that: the result enough of them gave, or a failure that counts the votes. A runner whose result is an error failed.
//
// Spec: runner-marketplace §5 (majority_vote); WP §5.3, §13.1.
func Votes(results ...any) Answer {
	return dispatcher.Votes(int(params.Genesis().Committee.Threshold), results)
}
