package job

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	systemrelay "github.com/cowboyinc/cowboy-go/runtime/system/relay"
	"github.com/cowboyinc/cowboy-go/runtime/system/secret"
)

// escrow is the sum of the block that what is held for jobs grows by.
const escrow = "escrow"

// answersPerBlock bounds how many answers the end of a block sends; the rest is the next one's.
const answersPerBlock = 256

// affinity is for how many blocks whoever did somebody's job is preferred for the next of its kind: none, until governance says so.
//
// Spec: runner-marketplace §4.5, §14 (8: MRU off at launch).
var affinity = chapter.Param{Key: market.KeyAffinity, Default: market.AffinityFor(0), Tier: 3, Check: market.CheckAffinity}

// open is the market as a turn sees it; closed ends its use.
func open(e *chapter.Env) *market.Market {
	return &market.Market{
		State: e.State, Params: e.Block.Params, Height: e.Block.Height, Time: e.Block.TimestampMs / 1_000, Round: e.Block.Round, ParentView: e.Block.ParentView,
		Beacon: e.Block.Seed, Registry: registry(e), Bill: e.Bill,
		Look: func(runners int) error { return e.Charge(unit.Cycles(runners)*params.CostCandidate, 0) },
		Emit: func(topic string, data []byte) {
			e.Effects.Events = append(e.Effects.Events, announced(topic, data))
		},
	}
}

// closed adds what a market did with coins to the block's sum.
func closed(e *chapter.Env, m *market.Market) { e.Sum(escrow, m.Held) }

// jobs are the instructions of 0x02.
//
// Spec: runner-marketplace §3 (6, 8).
func jobs() []chapter.Instruction {
	return []chapter.Instruction{
		chapter.On(func(e *chapter.Env, in *tx.JobSubmit) ([]byte, error) {
			spec, err := job.Decode(in.Spec)
			if err != nil {
				return nil, err
			}
			c, err := market.CallerOf(e.State, &spec.Callback, e.Sender, e.Turn.Origin)
			if err != nil {
				return nil, err
			}
			t, err := submit(e, spec, c, 0)
			if err != nil {
				return nil, err
			}
			return t.ID[:], nil
		}),
		on(func(e *chapter.Env, in *tx.JobCancel) error {
			m := open(e)
			defer closed(e, m)
			return m.Cancel(in.JobID, e.Sender)
		}),
	}
}

// Post hands a job that another chapter made for the sender to the market; jobs is this chapter. Whoever c names is told its end, on the account of the turn's
// origin. A reject is a *chapter.Error.
//
// Spec: gateway-payments-streams §A.3 (checks of domains); runner-marketplace §5 (callback).
func Post(e *chapter.Env, jobs *chapter.Chapter, spec *job.Spec, c *market.Caller) (*market.Task, error) {
	env := *e
	env.Chapter = jobs
	t, err := submit(&env, spec, c, 0)
	return t, jobs.Told(err)
}

// submit hands a job of the sender's to the market. Whoever it is told to counts it as pending. What is written for it is paid for: a cell for each byte.
//
// Spec: WP §5.3, §17.4; runner-marketplace §3 (6), §13.
func submit(e *chapter.Env, spec *job.Spec, c *market.Caller, until unit.Height) (*market.Task, error) {
	if err := verifiable(e, spec); err != nil {
		return nil, err
	}
	if c == nil && spec.Verification.Asks() { // nobody is told, and the pool that pays for the actors' checks is kept until the job ends
		c = &market.Caller{Origin: e.Turn.Origin, Fields: emptyMap()}
	}
	held, err := spec.MaxPrice.Add(spec.Tip)
	if err != nil {
		return nil, err
	}
	if err := e.Bill(e.Sender); err != nil {
		return nil, err
	}
	if err := secret.Settle(e, e.Sender); err != nil {
		return nil, err
	}
	a, err := account.Load(e.State, e.Sender)
	if err != nil {
		return nil, err
	}
	if free := e.Block.Rent.Spendable(e.Sender, &a); free < held {
		return nil, chapter.Refuse(drain.FaultValue, "a job takes max_price and tip, %d, and %d can be spent", held, free)
	}
	m := open(e)
	defer closed(e, m)
	if len(spec.Volumes) > 0 {
		v, err := volumesOf(e)
		if err != nil {
			return nil, err
		}
		defer systemrelay.Close(e, v.manager.Relays)
		m.Volumes = v
	}
	t, err := m.Submit(e.Turn.ID, spec, e.Sender, c, until)
	if err != nil {
		return nil, err
	}
	if err := kept(e, m, t); err != nil {
		return nil, err
	}
	if c != nil {
		e.Hold()
	}
	return t, nil
}

// kept takes a cell for each byte that is written for a job.
//
// Spec: WP §17.4.
func kept(e *chapter.Env, m *market.Market, t *market.Task) error {
	size, err := m.Kept(t)
	if err != nil {
		return err
	}
	return e.Charge(0, unit.Cells(size+len(t.Spec.Append(nil))))
}

// due does what is due of jobs at the end of a block, sends answers, and adds up what is held.
//
// Spec: WP §5.3; runner-marketplace §5, §5.2.
func due(b *chapter.Boundary) error {
	m := &market.Market{
		State: b.State, Params: b.Block.Params, Height: b.Block.Height, Time: b.Block.TimestampMs / 1_000, Round: b.Block.Round,
		ParentView: b.Block.ParentView, Beacon: b.Block.Seed, Bill: b.Bill,
		Verifier: judge(b.Block, func(one block.Event) { b.Events = append(b.Events, one) }),
		Emit:     func(topic string, data []byte) { b.Events = append(b.Events, announced(topic, data)) },
	}
	m.Registry = &runner.Registry{State: b.State, Params: b.Block.Params, Height: b.Block.Height, Emit: func(topic string, data []byte) {
		b.Events = append(b.Events, event(topic, data))
	}}
	v, err := volumesAt(b)
	if err != nil {
		return err
	}
	m.Volumes = v
	if err := m.End(); err != nil {
		return err
	}
	if err := questions(b, m.Asked); err != nil {
		return err
	}
	b.Burn(string(tx.ChapterJob), m.Burned)
	if err := market.AddEscrow(b.State, b.Sum(escrow)+m.Held); err != nil {
		return err
	}
	return answers(b)
}

// answers sends what is due to those who await jobs. Each runs on what is left of its job's origin, whose pool counted the job as pending until now.
//
// Spec: CIP-2 §8; sdk §9.6; runner-marketplace §5 (callback).
func answers(b *chapter.Boundary) error {
	list, err := market.Answers(b.State, b.Block.Height, answersPerBlock)
	if err != nil {
		return err
	}
	for i := range list {
		w := &list[i]
		if w.One.Actor.IsZero() {
			w.Drop(b.State)
			if err := b.Release(w.One.Origin, 0, true); err != nil {
				return err
			}
			continue
		}
		if err := b.Bill(w.One.Actor); err != nil {
			return err
		}
		_, err := mailbox.Enqueue(b.State, b.Block.Limits, b.Block.Height, mailbox.Message{
			Sender: account.System(account.ResultVerifier), Target: w.One.Actor, Payload: w.One.Payload, Structured: true, Origin: w.One.Origin,
		})
		var full *mailbox.Full
		if errors.As(err, &full) && w.PutOff(b.State, b.Block.Height) {
			continue
		}
		if _, rejected := drain.FaultOf(err); err != nil && !rejected {
			return err
		}
		sent := uint32(0)
		if err == nil {
			sent = 1
		}
		w.Drop(b.State)
		if err := b.Release(w.One.Origin, sent, true); err != nil {
			return err
		}
	}
	return nil
}

// announced is an event of 0x02.
func announced(topic string, data []byte) block.Event {
	return block.Event{Actor: market.Home(), Topic: []byte(topic), Data: data}
}
