package dispatcher

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// MaxCID is the longest cid of a job in bytes.
const MaxCID = 256

// Job is what an actor submitted, or sent to the job dispatcher itself.
type Job struct {
	Actor   account.Address // who sent it
	Height  unit.Height     // of the block in which the dispatcher has it
	Type    string          // job_type
	CID     string          // cid, or correlation_id
	Handler string          // reply_handler
	Until   unit.Height     // timeout_block: the last block in which the actor takes an answer; 0: any
	Fields  cbor.Map        // the whole map
}

// ErrJob is a message that is no job.
var ErrJob = errors.New("a job is a map, and its cid a text of at most 256 bytes")

// Read reads a job from the canonical CBOR an actor sent. It errs with ErrJob.
//
// Spec: sdk §9.1 (correlation_id), §9.6 (runner job).
func Read(actor account.Address, height unit.Height, payload []byte) (*Job, error) {
	v, err := cbor.Parse(payload)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, ErrJob
	}
	j := &Job{Actor: actor, Height: height, Fields: fields}
	j.Type, j.Handler, j.CID = word(fields, "job_type"), word(fields, "reply_handler"), word(fields, "cid")
	if j.CID == "" {
		j.CID = word(fields, "correlation_id")
	}
	if n, ok := fields.Lookup("timeout_block"); ok {
		if n, ok := n.(int64); ok && n > 0 {
			j.Until = unit.Height(n)
		}
	}
	if len(j.CID) > MaxCID {
		return nil, ErrJob
	}
	return j, nil
}

func word(fields cbor.Map, name string) string {
	v, _ := fields.Lookup(name)
	s, _ := v.(string)
	return s
}

// Args are the positional arguments of a job.
func (j *Job) Args() []any {
	payload, _ := j.Fields.Lookup("payload")
	fields, _ := payload.(cbor.Map)
	args, _ := fields.Lookup("args")
	list, _ := args.([]any)
	return list
}

// Options are a job's keyword arguments.
func (j *Job) Options() cbor.Map {
	payload, _ := j.Fields.Lookup("payload")
	fields, _ := payload.(cbor.Map)
	kwargs, _ := fields.Lookup("kwargs")
	options, _ := kwargs.(cbor.Map)
	return options
}

// Option is one of a job's keyword arguments, nil if it was not given.
func (j *Job) Option(name string) any {
	v, _ := j.Options().Lookup(name)
	return v
}

// Prompt is what a model is asked, or the address that is fetched: the first argument; empty if it is no text.
func (j *Job) Prompt() string {
	if args := j.Args(); len(args) > 0 {
		text, _ := args[0].(string)
		return text
	}
	return ""
}

// Model is the model that was named, empty for any.
func (j *Job) Model() string { return word(j.Options(), "model") }

// SystemPrompt is what the model is told before, empty for nothing.
func (j *Job) SystemPrompt() string { return word(j.Options(), "system_prompt") }

// Answer is what becomes of a job.
type Answer struct {
	Result any         // a plain value for package cbor; with Error, what the actor is told
	Error  bool        // the job failed
	Delay  unit.Height // blocks the dispatcher keeps the answer back
	Copies int         // how often it is delivered; 0 is once
	Lost   bool        // never
	Proof  any
}

// inTime tells whether an answer that is sent at the end of a block, or in it, arrives while the actor takes it.
func (j *Job) inTime(sent unit.Height) bool { return j.Until == 0 || sent < j.Until }

// last is the block at whose end a notice is sent that arrives in time, no earlier than a block.
func (j *Job) last(now unit.Height) unit.Height { return max(j.Until-1, now) }

// noAnswer is what the actor is told of a job that nobody answers in time.
//
// Spec: sdk §10.4, §10.5; runner-marketplace §2 (timeout_blocks).
func (j *Job) noAnswer() Answer {
	return failure("timeout", fmt.Sprintf("no result by block %d", j.Until))
}

// failure is an answer as the SDK reads it.
func failure(kind, text string) Answer {
	return Answer{Error: true, Result: cbor.Map{{Key: "error", Value: kind}, {Key: "message", Value: text}}}
}

// ErrReply is an answer that is too large to be sent.
var ErrReply = errors.New("the answer is larger than a message may be")

// reply is the result map, encoded. Errors: ErrReply, and those of package cbor for a Go value that is no plain one.
//
// Spec: sdk §9.6 (runner result), §9.1 (correlation_id, context).
func (j *Job) reply(a Answer) ([]byte, error) {
	status := "ok"
	if a.Error {
		status = "error"
	}
	fields := cbor.Map{
		{Key: "kind", Value: "runner_result"}, {Key: "cid", Value: j.CID}, {Key: "status", Value: status},
		{Key: "result", Value: a.Result}, {Key: "proof", Value: a.Proof}, {Key: "reply_handler", Value: j.Handler},
	}
	for _, name := range [...]string{"correlation_id", "context"} {
		if v, ok := j.Fields.Lookup(name); ok {
			fields = append(fields, cbor.Pair{Key: name, Value: v})
		}
	}
	raw, err := cbor.Append(nil, fields)
	if err == nil && len(raw) > mailbox.PayloadMax {
		err = ErrReply
	}
	return raw, err
}
