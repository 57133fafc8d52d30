package testkit

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/cbor"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// Job is what an actor submitted, or sent to the job dispatcher itself.
type Job struct {
	Actor   account.Address // who sent it
	Height  unit.Height     // of the block in which the dispatcher has it
	Type    string          // job_type
	CID     string          // cid, or correlation_id
	Handler string          // reply_handler
	Fields  cbor.Map        // the whole map
}

// Args are the positional arguments of a job.
func (j *Job) Args() []any {
	payload, _ := j.Fields.Lookup("payload")
	fields, _ := payload.(cbor.Map)
	args, _ := fields.Lookup("args")
	list, _ := args.([]any)
	return list
}

// Option is one of a job's keyword arguments, nil if it was not given.
func (j *Job) Option(name string) any {
	v, _ := j.Options().Lookup(name)
	return v
}

// Answer is what becomes of a job.
type Answer struct {
	Result any         // a plain value for package cbor; with Error, what the actor is told
	Error  bool        // the job failed
	Delay  unit.Height // blocks the dispatcher keeps the answer back
	Copies int         // how often it is delivered; 0 is once
	Lost   bool        // never
	Proof  any
}

// kindHeld marks a message the dispatcher keeps for itself until the answer in it is due.
const kindHeld = "held_answer"

// market is the runner with a scripted job dispatcher at 0x02. All it keeps is in the chain's own state: an answer that waits is a message
// from the dispatcher to itself.
type market struct {
	host   *host.Host
	answer func(*Job) Answer
}

// Jobs gives the chain a job dispatcher whose runners are a function. It is asked once for each job, in the block after the one that
// submitted it; the actor has the answer one block later, or Delay blocks after that.
func (c *Chain) Jobs(answer func(*Job) Answer) {
	c.runner = &market{host: host.NewWithJobs(c.programs), answer: answer}
}

// Run implements drain.Runner.
func (k *market) Run(t *drain.Turn) (drain.Outcome, error) {
	if !t.Native || t.Kind != block.Message || t.Target != account.System(account.JobDispatcher) || !t.Payload.Structured {
		return k.host.Run(t)
	}
	v, err := cbor.Parse(t.Payload.Data)
	if err != nil {
		return drain.Outcome{}, err
	}
	fields, ok := v.(cbor.Map)
	if !ok {
		return t.Failed(t.Limit, drain.FaultInput, "a job is a map"), nil
	}
	out := drain.Outcome{Turn: t.Number}
	if kind, _ := fields.Lookup("kind"); kind == kindHeld {
		return out, k.held(t, fields, &out)
	}
	job := &Job{Actor: t.Sender, Height: t.Block.Height, Fields: fields}
	job.Type, job.Handler, job.CID = word(fields, "job_type"), word(fields, "reply_handler"), word(fields, "cid")
	if job.CID == "" {
		job.CID = word(fields, "correlation_id")
	}
	a := k.answer(job)
	if a.Lost {
		return out, nil
	}
	reply, err := cbor.Append(nil, replyTo(job, a))
	if err != nil {
		return out, err
	}
	for range max(a.Copies, 1) {
		if a.Delay == 0 {
			err = k.send(t, &out, t.Sender, reply)
		} else {
			err = k.hold(t, &out, uint64(t.Block.Height+a.Delay), uint64(out.Enqueued), t.Sender[:], reply)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func word(fields cbor.Map, name string) string {
	v, _ := fields.Lookup(name)
	s, _ := v.(string)
	return s
}

// replyTo is the result map. Spec: sdk §9.6, §9.1 (correlation_id, context).
func replyTo(j *Job, a Answer) cbor.Map {
	status := "ok"
	if a.Error {
		status = "error"
	}
	reply := cbor.Map{
		{Key: "kind", Value: "runner_result"}, {Key: "cid", Value: j.CID}, {Key: "status", Value: status},
		{Key: "result", Value: a.Result}, {Key: "proof", Value: a.Proof}, {Key: "reply_handler", Value: j.Handler},
	}
	for _, name := range [...]string{"correlation_id", "context"} {
		if v, ok := j.Fields.Lookup(name); ok {
			reply = append(reply, cbor.Pair{Key: name, Value: v})
		}
	}
	return reply
}

// hold keeps an answer for one more block. number keeps copies apart.
func (k *market) hold(t *drain.Turn, out *drain.Outcome, due, number uint64, to, reply []byte) error {
	data, err := cbor.Append(nil, cbor.Map{
		{Key: "kind", Value: kindHeld}, {Key: "due", Value: due}, {Key: "number", Value: number}, {Key: "to", Value: to},
		{Key: "reply", Value: reply},
	})
	if err != nil {
		return err
	}
	return k.send(t, out, account.System(account.JobDispatcher), data)
}

func (k *market) held(t *drain.Turn, fields cbor.Map, out *drain.Outcome) error {
	number := func(name string) uint64 {
		v, _ := fields.Lookup(name)
		n, _ := v.(int64)
		return uint64(n)
	}
	octets := func(name string) []byte {
		v, _ := fields.Lookup(name)
		b, _ := v.([]byte)
		return b
	}
	if uint64(t.Block.Height) < number("due") {
		return k.hold(t, out, number("due"), number("number"), octets("to"), octets("reply"))
	}
	return k.send(t, out, account.Address(octets("to")), octets("reply"))
}

func (k *market) send(t *drain.Turn, out *drain.Outcome, to account.Address, data []byte) error {
	_, err := mailbox.Enqueue(t.Overlay, t.Block.Limits, t.Block.Height, mailbox.Message{
		Sender: account.System(account.JobDispatcher), Target: to, Payload: data, Structured: true, Origin: t.Origin,
	})
	out.Enqueued++
	out.Fanout++
	return err
}

// Options are a job's keyword arguments.
func (j *Job) Options() cbor.Map {
	payload, _ := j.Fields.Lookup("payload")
	fields, _ := payload.(cbor.Map)
	kwargs, _ := fields.Lookup("kwargs")
	options, _ := kwargs.(cbor.Map)
	return options
}
