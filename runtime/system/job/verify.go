package job

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/market"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tee"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
	"github.com/cowboyinc/cowboy-go/chain/verify"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// Topics of the events of 0x09 that announce a change of the verifier's parameters. Spec: governance-staking B9.
const (
	TopicAggregator = "aggregator_config.updated"
	TopicNonReveal  = "non_reveal_config.updated"
	TopicSimilarity = "similarity_model.updated"
)

// The codes of faults about results; 1604 is that of public clients for results that are not valid.
//
// Spec: sdk §18; runner-marketplace §12.
const (
	FaultOutput    uint16 = 1604
	FaultSignature uint16 = 1634
	FaultCrashed   uint16 = 1635
	FaultConfig    uint16 = 1636
	FaultClaim     uint16 = 1637
	FaultBond      uint16 = 1638
	FaultWindow    uint16 = 1639
	FaultUpheld    uint16 = 1640
	FaultRerun     uint16 = 1641
)

// verdicts are the rejects of packages verify and verifier.
func verdicts() []chapter.Fault {
	return []chapter.Fault{
		{Err: verify.ErrOutput, Code: FaultOutput},
		{Err: verify.ErrSignature, Code: FaultSignature},
		{Err: verify.ErrMismatch, Code: FaultMismatch},
		{Err: verify.ErrConfig, Code: FaultConfig},
		{Err: market.ErrCrashed, Code: FaultCrashed},
		{Err: verifier.ErrClaim, Code: FaultClaim},
		{Err: verifier.ErrBond, Code: FaultBond},
		{Err: verifier.ErrWindow, Code: FaultWindow},
		{Err: verifier.ErrUpheld, Code: FaultUpheld},
		{Err: market.ErrRerun, Code: FaultRerun},
	}
}

// judge is the Result Verifier in a block, whose events go where emit puts them.
func judge(b *drain.Block, emit func(block.Event)) *verifier.Verifier {
	return &verifier.Verifier{Recover: sig.Default(), CycleFee: b.Basefees.Cycle, Emit: func(topic string, data []byte) {
		emit(block.Event{Actor: verifier.Home(), Topic: []byte(topic), Data: data})
	}}
}

// verifierOf is the Result Verifier as a turn sees it.
func verifierOf(e *chapter.Env) *verifier.Verifier {
	return judge(e.Block, func(one block.Event) { e.Effects.Events = append(e.Effects.Events, one) })
}

// results are the instructions of 0x03, and those that replace its parameters.
//
// Spec: runner-marketplace §3 (7, 9, 95, 97, 98, 100); WP §13.1.
func results() []chapter.Instruction {
	return []chapter.Instruction{
		on(func(e *chapter.Env, in *tx.JobResultCommit) error {
			_, err := open(e).Commit(in.JobID, e.Sender, in.Commitment)
			return err
		}),
		on(func(e *chapter.Env, in *tx.JobResultSubmit) error {
			r := &verify.Reveal{Runner: in.Runner, Output: in.Output, Salt: in.Salt, Proof: in.Proof}
			v := verifierOf(e)
			v.Charge = func(cycles unit.Cycles) error { return e.Charge(cycles, 0) }
			return v.Reveal(open(e), in.JobID, r)
		}),
		on(func(e *chapter.Env, in *tx.SubmitCrashAttestation) error {
			return verifierOf(e).Crash(open(e), in.JobID, e.Sender, verify.Crash(in.Signal))
		}),
		on(func(e *chapter.Env, in *tx.UpdateAggregatorConfig) error {
			return e.Configure(params.KeyAggregator, in.Config.Append(nil), TopicAggregator)
		}),
		on(func(e *chapter.Env, in *tx.UpdateNonRevealConfig) error {
			return e.Configure(params.KeyNonReveal, in.Config.Append(nil), TopicNonReveal)
		}),
		on(func(e *chapter.Env, in *tx.UpdateSimilarityModel) error {
			return e.Configure(params.KeySimilarityModel, codec.AppendBytes(nil, in.Model), TopicSimilarity)
		}),
	}
}

// verifiable refuses a job whose results nobody could verify, and takes the price of matching the patterns of its schemas, of the first attempt.
//
// Spec: runner-marketplace §2.3, §2.4, §6.1, §14 (12).
func verifiable(e *chapter.Env, spec *job.Spec) error {
	if err := verifier.Supports(e.Block.Params, spec); err != nil {
		return err
	}
	return e.Charge(unit.Cycles(verify.PatternSteps(spec))*params.CostPatternStep, 0)
}

// challenges is how a result is challenged: a message to 0x03, or an Execute transaction, with the handler "challenge", 100 CBY and the map {job_id, runner,
// claim}. The bond goes back, or is burned, in the same turn, and it answers whether the challenge was right, 01 or 00. The claim not_reproduced comes with the
// job's max_price and tip beside the bond; it answers the identity of the second run, whose end decides. The claim wrong_model comes with evidence, octets of
// tee.ModelEvidence.
//
// Spec: WP §5.3, §13; runner-marketplace §7.
func challenges() chapter.Handler {
	run := func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if e.Self != verifier.Home() {
			return nil, chapter.ErrNoHandler
		}
		c, ok := readChallenge(r.Data)
		if !ok {
			return nil, verifier.ErrClaim
		}
		if c.Model != nil {
			if err := e.Charge(c.Model.Type.Cost(), 0); err != nil {
				return nil, err
			}
		}
		c.From, c.Bond = e.Sender, e.Value
		m := open(e)
		defer closed(e, m)
		d, err := verifierOf(e).Decide(m, c)
		if err != nil {
			return nil, err
		}
		if d.Rerun != nil {
			return d.Rerun.ID[:], kept(e, m, d.Rerun)
		}
		e.Effects.Burn(flow.Deposits, d.Burned)
		e.Effects.Burn(flow.Slashed, m.Burned)
		return codec.AppendBool(nil, d.Right), nil
	}
	return chapter.Handler{Name: "challenge", Ways: chapter.ByMessage | chapter.ByExecute, Coins: true, Run: run}
}

// handlerRule is how 0x03 asks itself, with a message, to call the actor of a check: in a turn, which the job's origin pays for. Its data are the job's
// identity.
const handlerRule = "rule"

// emptyMap is the CBOR of a map with nothing in it.
func emptyMap() []byte { return []byte{0xa0} }

// questionRoom is what the mailbox of 0x03 has for its own questions beside what it has for others, in bytes: a question has less than 256, and the end of a
// block asks about so many jobs at most; those of as many blocks as a question is asked again after. Without it, whoever fills the mailbox with messages of his
// own would have checks of others fault.
const questionRoom = 256 * market.StepsPerBlock * params.CheckAnswerBlocks

// questions sends what actors of checks are to be asked, on the account of the jobs' origins. One that is refused all the same is asked again.
//
// Spec: WP-January "SDK Verifier Functions" (custom: the cycles are the job's actor's to pay).
func questions(b *chapter.Boundary, asked []*market.Task) error {
	limits := b.Block.Limits
	limits.Capacity += questionRoom
	for _, t := range asked {
		c, err := market.LoadCaller(b.State, t.ID)
		if err != nil {
			return err
		}
		home := verifier.Home()
		_, err = mailbox.Enqueue(b.State, limits, b.Block.Height, mailbox.Message{
			Sender: home, Target: home, Handler: handlerRule, Payload: t.ID[:], Origin: c.Origin,
		})
		if _, rejected := drain.FaultOf(err); rejected {
			continue
		}
		if err != nil {
			return err
		}
		if err := b.Release(c.Origin, 1, false); err != nil {
			return err
		}
	}
	return nil
}

// rulings is how the actor of a check is called: it reads state, within a budget of its own, and changes nothing. One that faults has not ruled; one whose
// origin has too little left is asked again.
//
// Spec: WP-January "SDK Verifier Functions" (custom); runner-marketplace §2.3.
func rulings() chapter.Handler {
	run := func(e *chapter.Env, r chapter.Request) ([]byte, error) {
		if e.Self != verifier.Home() || e.Sender != verifier.Home() || len(r.Data) != digest.Size {
			return nil, chapter.ErrNoHandler
		}
		m := open(e)
		a, err := verifier.Asked(m, digest.Hash(r.Data))
		if err != nil {
			return nil, err
		}
		if err := e.Charge(a.Cost(), 0); err != nil {
			return nil, err
		}
		args, err := a.Args()
		if err != nil {
			return nil, err
		}
		answer, err := e.Call(chapter.Call{
			Target: a.Check.Actor, Handler: a.Check.Method, Args: args, Cycles: params.CheckCycles, Cells: params.CheckCells, Reads: true,
		})
		ruling, failed := verify.Ruling{Word: verify.Faulted}, (*chapter.CallError)(nil)
		if !errors.As(err, &failed) {
			if err != nil {
				return nil, err
			}
			ruling = a.Read(answer)
		}
		verifierOf(e).Rule(m, a, ruling)
		return []byte{byte(ruling.Word)}, nil
	}
	return chapter.Handler{Name: handlerRule, Ways: chapter.ByMessage, Run: run}
}

// maxChallenge bounds the map of a challenge, in bytes: its fields take at most 400.
const maxChallenge = 512

// readChallenge reads the map of a challenge: identity and address as octets or hexadecimal digits, the claim as its name or number.
//
// Spec: runner-marketplace §7.
func readChallenge(data []byte) (*verifier.Challenge, bool) {
	if len(data) > maxChallenge {
		return nil, false
	}
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, false
	}
	c := new(verifier.Challenge)
	given, _ := fields.Lookup("claim")
	switch claim := given.(type) {
	case int64:
		if claim < 0 || claim >= int64(len(verifier.Names())) {
			return nil, false
		}
		c.Claim = verifier.Claim(claim)
	case string:
		at := slices.Index(verifier.Names(), claim)
		if at < 0 {
			return nil, false
		}
		c.Claim = verifier.Claim(at)
	default:
		return nil, false
	}
	if c.Claim == verifier.WrongModel {
		raw, _ := fields.Lookup("evidence")
		bytes, _ := raw.([]byte)
		e, err := tee.DecodeModelEvidence(bytes)
		if err != nil {
			return nil, false
		}
		c.Model = &e
	}
	return c, octets(fields, "job_id", c.Job[:]) && octets(fields, "runner", c.Runner[:])
}

// octets reads a field into all of an array.
func octets(fields cbor.Map, name string, to []byte) bool {
	given, _ := fields.Lookup(name)
	raw, ok := given.([]byte)
	if text, is := given.(string); is {
		var err error
		raw, err = hex.DecodeString(strings.TrimPrefix(text, "0x"))
		ok = err == nil
	}
	return ok && copy(to, raw) == len(to) && len(raw) == len(to)
}
