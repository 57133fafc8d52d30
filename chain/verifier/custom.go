package verifier

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// asks gives what actors of checks have ruled, and has the next one asked.
//
// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3.
func asks(m *market.Market, t *market.Task) (func(place int, results []verify.Result) (verify.Ruling, error), error) {
	q, err := market.LoadInquiry(m.State, t.ID)
	if err != nil {
		return nil, err
	}
	if q == nil {
		q = new(market.Inquiry)
	}
	ruled := 0
	return func(place int, results []verify.Result) (verify.Ruling, error) {
		if ruled == len(q.Rulings) {
			q.Place, q.Runners = uint32(place), nil
			for _, r := range results {
				q.Runners = append(q.Runners, r.Runner)
			}
			if err := m.Inquire(t, q); err != nil {
				return verify.Ruling{}, err
			}
		}
		ruled++
		return q.Rulings[ruled-1], nil
	}, nil
}

// Question is what the actor of a check is asked.
type Question struct {
	Task    *market.Task
	Inquiry *market.Inquiry
	Check   *job.Check
	reveals []*market.Reveal
}

// Asked reads the question that is open about a job. Rejects: market.ErrUnknown, market.ErrStatus.
//
// Spec: WP-January "SDK Verifier Functions" (custom).
func Asked(m *market.Market, id digest.Hash) (*Question, error) {
	t, q, err := m.Questioned(id)
	if err != nil {
		return nil, err
	}
	a := &Question{Task: t, Inquiry: q, Check: &t.Spec.Verification.Checks[q.Place]}
	for _, who := range q.Runners {
		r, err := market.LoadReveal(m.State, id, who)
		if err != nil || r == nil {
			return nil, cmp.Or(err, market.ErrStatus)
		}
		a.reveals = append(a.reveals, r)
	}
	return a, nil
}

// Cost is what it costs to put the question together.
func (a *Question) Cost() unit.Cycles {
	n := len(a.Task.Spec.Append(nil))
	for _, r := range a.reveals {
		n += len(r.Output)
	}
	return unit.Cycles(n) * params.CostCheckBytes
}

// Args are the arguments of the actor's method, a canonical CBOR list: the job as a map, the outputs as actors get results, and a map {address, usage,
// timestamp, tee_attestation} for each of their runners.
//
// Spec: WP-January "SDK Verifier Functions" (custom: the job, all outputs, the runners' metadata).
func (a *Question) Args() ([]byte, error) {
	raw, err := a.Task.Spec.CBOR()
	if err != nil {
		return nil, err
	}
	asked, err := cbor.Parse(raw)
	if err != nil {
		return nil, err
	}
	outputs, runners := []any{}, []any{}
	for _, r := range a.reveals {
		o, err := verify.DecodeOutput(r.Output)
		if err != nil {
			return nil, err
		}
		outputs = append(outputs, shallow(a.Task.Spec, o.Data))
		var evidence any
		if o.TEE != nil {
			evidence = o.TEE
		}
		runners = append(runners, cbor.Map{
			{Key: "address", Value: r.Runner[:]}, {Key: "timestamp", Value: o.Timestamp}, {Key: "tee_attestation", Value: evidence},
			{Key: "usage", Value: cbor.Map{
				{Key: "input_tokens", Value: int64(o.Usage.InputTokens)}, {Key: "output_tokens", Value: int64(o.Usage.OutputTokens)},
				{Key: "wall_time_seconds", Value: o.Usage.WallTimeSeconds}, {Key: "memory_mb", Value: int64(o.Usage.MemoryMB)},
			}},
		})
	}
	return cbor.Append(nil, []any{asked, outputs, runners})
}

// shallow is a result as actors get it; one that is too deep for a list of results is octets.
func shallow(s *job.Spec, data []byte) any {
	v := market.Value(s, data)
	if _, err := cbor.Append(nil, []any{[]any{v}}); err != nil {
		return data
	}
	return v
}

// Read is what an actor's answer means: a map {valid: true, canonical_output?} or {valid: false, reason?}, and nothing else. The output is text or octets, no
// longer than the job's results.
//
// Spec: WP-January "SDK Verifier Functions" (custom).
func (a *Question) Read(answer []byte) verify.Ruling {
	v, err := cbor.Parse(answer)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return verify.Ruling{Word: verify.Faulted}
	}
	valid, _ := fields.Lookup("valid")
	switch valid {
	case false:
		return verify.Ruling{Word: verify.Rejected}
	case true:
	default:
		return verify.Ruling{Word: verify.Faulted}
	}
	r := verify.Ruling{Word: verify.Accepted}
	given, _ := fields.Lookup("canonical_output")
	switch given := given.(type) {
	case nil:
		return r
	case []byte:
		r.Canonical = given
	case string:
		r.Canonical = []byte(given)
	default:
		return verify.Ruling{Word: verify.Faulted}
	}
	if len(r.Canonical) > int(a.Task.Spec.Schema.MaxReturnBytes) {
		return verify.Ruling{Word: verify.Faulted}
	}
	return r
}

// Rule keeps what the actor said.
func (v *Verifier) Rule(m *market.Market, a *Question, r verify.Ruling) {
	v.emit(TopicRuled, a.Task.ID, a.Check.Actor, uint64(a.Inquiry.Place), uint64(r.Word))
	m.Rule(a.Task, a.Inquiry, r)
}
