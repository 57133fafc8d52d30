package market

import (
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// The kinds of result maps: of a job an actor submitted, and of one somebody else names it as the callback of. Only the first resumes a continuation.
const (
	KindRunner = "runner_result"
	KindJob    = "job_result"
)

// resumes is what the names of handlers end with that the SDK makes for continuations. They take results of their own actor's jobs alone.
const resumes = "__resume"

// CallerOf is whom a specification that an account submits names as its callback: nil for nobody, or for no actor. The answer is of KindJob and tells the
// submitter; it has the correlation_id as octets and as cid, in hexadecimal digits. A reject: ErrMarket, of a handler that is a continuation's.
//
// Spec: runner-marketplace §2.1 (CallbackInfo); node-rpc-cli §4.1 (a zero or plain-wallet callback).
func CallerOf(r state.Reader, c *job.Callback, by account.Address, origin digest.Hash) (*Caller, error) {
	if strings.HasSuffix(c.Handler, resumes) {
		return nil, ErrMarket
	}
	if a, err := account.Load(r, c.Actor); err != nil || a.Kind != account.Actor {
		return nil, err
	}
	fields, err := cbor.Append(nil, cbor.Map{
		{Key: "kind", Value: KindJob}, {Key: "submitter", Value: by[:]},
		{Key: "cid", Value: c.Correlation.Hex()}, {Key: "reply_handler", Value: c.Handler}, {Key: "correlation_id", Value: c.Correlation[:]},
		{Key: "context", Value: c.Context},
	})
	return &Caller{Actor: c.Actor, Origin: origin, Fields: fields}, err
}

// succeeds tells whoever awaits a job its result.
//
// Spec: CIP-2 §8; sdk §9.6 (runner result); runner-marketplace §5 (callback).
func (m *Market) succeeds(t *Task, result *Result) error {
	if result.Outcome != verify.Success {
		return m.fails(t, "failed", result.Outcome.String())
	}
	return m.answer(t, "ok", Value(t.Spec, result.Data))
}

// fails tells whoever awaits a job that it has no result. kind is timeout, failed or cancelled.
//
// Spec: sdk §9.6, §10.4.
func (m *Market) fails(t *Task, kind, text string) error {
	return m.answer(t, "error", cbor.Map{{Key: "error", Value: kind}, {Key: "message", Value: text}})
}

// answer leaves an answer to be sent at the end of this block.
func (m *Market) answer(t *Task, status string, result any) error {
	c, err := LoadCaller(m.State, t.ID)
	if err != nil || c == nil {
		return err
	}
	v, err := cbor.Parse(c.Fields)
	if err != nil {
		return err
	}
	asked, _ := v.(cbor.Map)
	payload, err := cbor.Append(nil, append(cbor.Map{
		{Key: "status", Value: status}, {Key: "result", Value: result}, {Key: "proof", Value: nil},
	}, asked...))
	if status == "ok" && (err != nil || len(payload) > mailbox.PayloadMax) { // a result is a runner's word
		return m.fails(t, "failed", "the result is larger, or deeper, than a message may be")
	}
	if err != nil {
		return err
	}
	m.State.Set(heightKey(underAnswer, m.Height, t.ID), (&Answer{Actor: c.Actor, Origin: c.Origin, Payload: payload}).Encode())
	return nil
}

// Value is a result as an actor gets it: of a model a text, unless a structure was asked for; else what JSON says, or a text, or octets.
//
// Spec: sdk §9.2, §9.6.
func Value(s *job.Spec, data []byte) any {
	if s.Kind != job.LLM || s.LLM.ResponseModel != nil {
		if v, ok := job.Structure(data); ok {
			return v
		}
	}
	if utf8.Valid(data) {
		return string(data)
	}
	return data
}

// maxTries is how often an actor's full mailbox is tried, after 1, 2, 4 and more blocks.
const maxTries = 8

// Waiting is an answer that is due, and where it lies.
type Waiting struct {
	ID  digest.Hash
	At  unit.Height
	One *Answer
}

// Answers lists the answers that are due at a height, at most limit, the oldest first.
func Answers(r state.Reader, by unit.Height, limit int) ([]Waiting, error) {
	ids, at, err := before(r, underAnswer, by, limit)
	if err != nil {
		return nil, err
	}
	list := make([]Waiting, len(ids))
	for i, id := range ids {
		list[i] = Waiting{ID: id, At: at[i]}
		if list[i].One, err = state.Find(r, heightKey(underAnswer, at[i], id), DecodeAnswer); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Drop deletes an answer.
func (w *Waiting) Drop(s state.Store) { s.Delete(heightKey(underAnswer, w.At, w.ID)) }

// PutOff has an answer tried again later, because the mailbox of its actor is full; it reports false, and the answer is deleted, after eight tries.
//
// Spec: runner-marketplace §5 (callback failure does not affect payment).
func (w *Waiting) PutOff(s state.Store, now unit.Height) bool {
	w.Drop(s)
	if w.One.Tries++; w.One.Tries >= maxTries {
		return false
	}
	s.Set(heightKey(underAnswer, now+1<<(w.One.Tries-1), w.ID), w.One.Encode())
	return true
}
