package job

import (
	"encoding/hex"
	"errors"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// What a job of the SDK has that does not say otherwise: no call of the SDK has a price, or bounds.
//
// Spec: sdk §9.1, §9.6.
const (
	defaultPrice   = unit.CBY // max_price; what the runner does not earn goes back
	defaultTokens  = 1_024    // of an answer (max_tokens)
	defaultSeconds = 60       // of wall time
	defaultMemory  = 512      // megabytes
)

// ask hands a job an actor sent, in the form of the SDK, to the market. An error is a reject, or a failing state source.
//
// Spec: sdk §9.1, §9.6, §15; runner-marketplace §2.1, §2.3.
func ask(e *chapter.Env, j *dispatcher.Job) error {
	spec, err := specOf(j)
	if err != nil {
		return err
	}
	c, err := callerOf(e, j)
	if err != nil {
		return err
	}
	_, err = submit(e, spec, c, j.Until)
	return err
}

// specOf reads a job in the form of the SDK: {job_type, payload: {args, kwargs}, …}, the older {job_type, prompt, …}, or a whole specification.
//
// Spec: sdk §9.1, §9.3, §9.6, §15.
func specOf(j *dispatcher.Job) (*job.Spec, error) {
	if given, _ := j.Fields.Lookup("job_type"); j.Type == "" && given != nil {
		raw, err := cbor.Append(nil, whole(j.Fields))
		if err != nil {
			return nil, err
		}
		return job.FromCBOR(raw)
	}
	kind, err := kindOf(j)
	if err != nil {
		return nil, err
	}
	bounds := cbor.Map{
		{Key: "max_input_tokens", Value: int64(len(j.Prompt()) + len(j.SystemPrompt()))}, // a token has a byte at least
		{Key: "max_output_tokens", Value: or(j.Option("max_tokens"), int64(defaultTokens))},
		{Key: "max_wall_time_seconds", Value: int64(defaultSeconds)}, {Key: "max_memory_mb", Value: int64(defaultMemory)},
	}
	fields := cbor.Map{
		{Key: "job_type", Value: kind}, {Key: "bounds", Value: bounds}, {Key: "verification", Value: trust(j)},
		{Key: "max_price", Value: or(given(j, "max_price"), int64(defaultPrice))}, {Key: "tip", Value: or(given(j, "tip"), int64(0))},
		{Key: "timeout_blocks", Value: attempt(j)},
	}
	if secrets := j.Option("secrets"); secrets != nil {
		fields = append(fields, cbor.Pair{Key: "secrets", Value: secrets})
	}
	raw, err := cbor.Append(nil, fields)
	if err != nil {
		return nil, err
	}
	s, err := job.FromCBOR(raw)
	if err == nil {
		verify.Fit(s)
	}
	return s, err
}

// whole is a specification without what of the map is the message's.
func whole(fields cbor.Map) cbor.Map {
	var list cbor.Map
	for _, p := range fields {
		switch p.Key {
		case "kind", "cid", "reply_to", "reply_handler", "correlation_id", "context", "timeout_block":
			continue
		}
		list = append(list, p)
	}
	return list
}

// attempt is how many blocks an attempt has: 100, or what is left until whoever awaits the job takes no answer any more.
func attempt(j *dispatcher.Job) int64 {
	blocks := int64(params.JobTimeoutBlocks)
	if j.Until > j.Height {
		blocks = min(blocks, int64(j.Until-j.Height))
	}
	return blocks
}

// kindOf is the job_type of a specification.
//
// Spec: sdk §9.1; runner-marketplace §2.2.
func kindOf(j *dispatcher.Job) (cbor.Map, error) {
	args := j.Args()
	var inner cbor.Map
	name := ""
	switch j.Type {
	case "llm":
		name, inner = "Llm", cbor.Map{
			{Key: "prompt", Value: or(first(args), given(j, "prompt"))}, {Key: "max_tokens", Value: or(j.Option("max_tokens"), int64(defaultTokens))},
		}
		model, err := modelOf(j.Model())
		if err != nil {
			return nil, err
		}
		inner = some(inner, "model_id", model)
		inner = some(inner, "system_prompt", j.Option("system_prompt"))
		inner = some(inner, "temperature", j.Option("temperature"))
		inner = some(inner, "response_model", j.Option("response_model"))
	case "http":
		name, inner = "Http", cbor.Map{
			{Key: "url", Value: or(first(args), given(j, "url"))}, {Key: "method", Value: or(j.Option("method"), "GET")},
		}
		inner = some(inner, "headers", j.Option("headers"))
		body := j.Option("body")
		if text, ok := body.(string); ok {
			body = []byte(text)
		}
		inner = some(inner, "body", body)
		for _, name := range [...]string{"extraction", "freshness", "snapshot"} {
			inner = some(inner, name, j.Option(name))
		}
	case "mcp":
		if len(args) < 3 {
			return nil, job.ErrSpec
		}
		name, inner = "Mcp", cbor.Map{{Key: "server", Value: args[0]}, {Key: "tool_name", Value: args[1]}, {Key: "arguments", Value: args[2]}}
	default:
		return nil, job.ErrSpec
	}
	return cbor.Map{{Key: name, Value: inner}}, nil
}

// modelOf is the model_id of a model that was named: nil for any. Other names than a model_id are nobody's: no registry has them.
//
// Spec: WP §5.1.
func modelOf(name string) (any, error) {
	if name == "" {
		return nil, nil
	}
	raw, err := hex.DecodeString(strings.TrimPrefix(name, "0x"))
	if err != nil || len(raw) != digest.Size {
		return nil, job.ErrSpec
	}
	return raw, nil
}

// trust is the verification of a job, with what the map says of trusted environments beside it.
//
// Spec: sdk §9.3.
func trust(j *dispatcher.Job) cbor.Map {
	v, _ := j.Fields.Lookup("verification")
	m, _ := v.(cbor.Map)
	m = protocol(m)
	if _, ok := m.Lookup("mode"); !ok {
		m = append(m, cbor.Pair{Key: "mode", Value: "none"})
	}
	if required, _ := j.Fields.Lookup("tee_required"); required == true {
		if _, ok := m.Lookup("tee_required"); !ok {
			m = append(m, cbor.Pair{Key: "tee_required", Value: true})
		}
	}
	return m
}

// given is a field of the map, nil where it is none.
func given(j *dispatcher.Job, name string) any {
	v, _ := j.Fields.Lookup(name)
	return v
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

func or(v, otherwise any) any {
	if v == nil {
		return otherwise
	}
	return v
}

func some(m cbor.Map, name string, v any) cbor.Map {
	if v == nil {
		return m
	}
	return append(m, cbor.Pair{Key: name, Value: v})
}

// callerOf is the actor that sent a job, which is told what the job's own map says of its end.
//
// Spec: sdk §9.1, §9.6.
func callerOf(e *chapter.Env, j *dispatcher.Job) (*market.Caller, error) {
	fields := cbor.Map{
		{Key: "kind", Value: market.KindRunner}, {Key: "cid", Value: j.CID}, {Key: "reply_handler", Value: j.Handler},
	}
	for _, name := range [...]string{"correlation_id", "context"} {
		if v, ok := j.Fields.Lookup(name); ok {
			fields = append(fields, cbor.Pair{Key: name, Value: v})
		}
	}
	raw, err := cbor.Append(nil, fields)
	return &market.Caller{Actor: j.Actor, Origin: e.Turn.Origin, Fields: raw}, err
}

// offer hands a job to the market, and gives why the market does not take it: a reject, or that its origin cannot pay for looking at all runners. One that is
// refused has left nothing behind.
func offer(e *chapter.Env, j *dispatcher.Job) (refusal, err error) {
	mark, point := e.State.Mark(), e.Effects.Mark()
	if err = ask(e, j); err == nil {
		return nil, nil
	}
	poor := errors.Is(err, chapter.ErrCycles) || errors.Is(err, chapter.ErrCells)
	if _, rejected := e.Chapter.FaultOf(err); !rejected && !poor {
		return nil, err
	}
	e.State.Revert(mark)
	e.Effects.Revert(point)
	return err, nil
}
