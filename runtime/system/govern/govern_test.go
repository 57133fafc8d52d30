package govern_test

import (
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/testkit"
)

var (
	nine       = account.System(account.Governance)
	dispatcher = account.System(account.JobDispatcher)
	title      = digest.Hash{7}
)

// chain is a development network of one validator, whose hour of governance is a block, with its validator and somebody rich.
type chain struct {
	*testkit.Chain
	t               *testing.T
	validator, rich *testkit.Account
}

func newChain(t *testing.T) *chain {
	set, _, err := genesis.DevValidators(1)
	if err != nil {
		t.Fatal(err)
	}
	c := testkit.NewChain(t)
	return &chain{c, t, c.Impersonate(set[0].Account.Address()), c.Impersonate(genesis.DevFaucet().Address())}
}

func (c *chain) do(by *testkit.Account, in tx.Instruction) *block.Receipt {
	c.t.Helper()
	return by.Do(in, 500_000, 100_000)
}

func (c *chain) must(by *testkit.Account, in tx.Instruction) *block.Receipt {
	c.t.Helper()
	x := c.do(by, in)
	if x.Status != block.Success {
		c.t.Fatalf("block %d: %+v", c.Height(), x.Fault)
	}
	return x
}

// refused fails unless an instruction ends with a code.
func (c *chain) refused(by *testkit.Account, in tx.Instruction, code uint16) {
	c.t.Helper()
	if x := c.do(by, in); x.Status == block.Success || x.Fault.Code != code {
		c.t.Errorf("block %d: %+v, want code %d", c.Height(), x.Fault, code)
	}
}

func (c *chain) motion(tier uint64, p govern.Payload) *tx.SubmitProposal {
	return &tx.SubmitProposal{Tier: tier, Title: title, Payload: govern.EncodePayload(p), Deposit: params.Genesis().Governance.Tiers[tier].Deposit}
}

func (c *chain) proposal(id uint64) *govern.Proposal {
	c.t.Helper()
	p, err := govern.Load(c.State(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return p
}

// queued takes the proposal to its queue by the validator's votes.
func (c *chain) queued(id uint64) {
	c.t.Helper()
	for c.proposal(id).Status < govern.Queued {
		c.must(c.validator, &tx.CastVote{Proposal: id})
		c.AdvanceTo(c.proposal(id).Deadline)
	}
}

// signed gives the signatures of seven members under an act.
func (c *chain) signed(act []byte) (nonce uint64, joined []byte) {
	c.t.Helper()
	council, _, err := govern.LoadCouncil(c.State())
	if err != nil {
		c.t.Fatal(err)
	}
	hash := govern.Digest(testkit.ChainID, council.Rotation, council.Nonce, act)
	for _, k := range genesis.DevCouncil()[:7] {
		s := k.Sign(hash)
		joined = append(joined, s[:]...)
	}
	return council.Nonce, joined
}

func (c *chain) pause(target account.Address) {
	c.t.Helper()
	nonce, joined := c.signed(govern.PauseAct(target))
	c.must(c.rich, &tx.CouncilAct{Act: tx.ActPause, Actor: target, Nonce: nonce, Signatures: joined})
}

// From submission to effect: a parameter that was proposed, checked, voted for and executed is read by the block after that, with its history and one more
// config_version. Coins are added up in every block.
//
// Spec: governance-staking B3, B5, B9, part E.
func TestParameterChanges(t *testing.T) {
	c := newChain(t)
	config := params.Genesis().Basefee
	config.CycleTarget = 10_000_000
	x := c.must(c.rich, c.motion(0, &govern.ParamUpdate{Key: params.KeyBasefee, Value: config.Append(nil)}))
	if string(x.ReturnData) != "\x00\x00\x00\x00\x00\x00\x00\x01" || x.Value != 1_000*unit.CBY {
		t.Errorf("%x, %d", x.ReturnData, x.Value)
	}
	before := c.Balance(c.rich.Address())
	c.queued(1)
	c.refused(c.rich, &tx.ExecuteProposal{Proposal: 1}, drain.FaultForbidden)
	c.AdvanceTo(c.proposal(1).ExecutableAt - 1)
	c.must(c.validator, &tx.ExecuteProposal{Proposal: 1})
	if now := c.Balance(c.rich.Address()); now <= before { // a fee and the deposit
		t.Errorf("%d, before %d", now, before)
	}
	made := c.Height()
	p, err := params.Load(c.State())
	if err != nil || p.Basefee.CycleTarget != 10_000_000 {
		t.Fatalf("%+v %v", p.Basefee, err)
	}
	if n, err := params.Version(c.State()); err != nil || n != 1 {
		t.Errorf("config_version %d, %v", n, err)
	}
	changes := 0
	err = params.History(c.State(), params.KeyBasefee, 0, 5, func(x params.Change) bool {
		changes++
		return x.Height == made && x.By == nine && string(x.Value) == string(config.Append(nil))
	})
	if err != nil || changes != 1 || len(c.Events(nine, params.TopicVersion)) != 1 {
		t.Errorf("%d changes, %v", changes, err)
	}
	if tip, _ := c.Tip(); tip.Known.Params != nil {
		t.Error("the next block would not read the parameters again")
	}
}

// What governance may not set is refused when it is proposed, and again when it is executed.
//
// Spec: governance-staking B9; WP §5.1b, §13.1; ENT §9.11.
func TestParameterRanges(t *testing.T) {
	c := newChain(t)
	for range 4 {
		c.Mine()
	}
	g := params.Genesis()
	low, limits := g.Basefee, g.Limits
	low.Alpha = 0
	hybrid := func(at unit.Height) *govern.ParamUpdate {
		h := g.Hybrid
		h.ActivationHeight = at
		return &govern.ParamUpdate{Key: params.KeyHybrid, Value: h.Append(nil)}
	}
	gone := g.Entitlements
	gone.Deprecated = []params.Deprecation{{ID: "net.none", From: 100, Until: 1_000_000}}
	for name, x := range map[string]struct {
		tier uint64
		p    govern.Payload
		code uint16
	}{
		"out of range":          {0, &govern.ParamUpdate{Key: params.KeyBasefee, Value: low.Append(nil)}, drain.FaultInput},
		"a byte too many":       {1, &govern.ParamUpdate{Key: params.KeyLimits, Value: append(limits.Append(nil), 0)}, drain.FaultInput},
		"limits are of tier 1":  {0, &govern.ParamUpdate{Key: params.KeyLimits, Value: limits.Append(nil)}, drain.FaultForbidden},
		"a key nobody has":      {0, &govern.ParamUpdate{Key: "system:gov:config_version", Value: []byte{1}}, drain.FaultInput},
		"a height that is over": {3, hybrid(3), drain.FaultTimer},
		"no such entitlement":   {1, &govern.ParamUpdate{Key: params.KeyEntitlements, Value: gone.Append(nil)}, drain.FaultInput},
	} {
		t.Run(name, func(t *testing.T) { c.refused(c.rich, c.motion(x.tier, x.p), x.code) })
	}
	c.must(c.rich, c.motion(3, hybrid(200))) // too early for its own timelock
	c.queued(1)
	c.AdvanceTo(c.proposal(1).ExecutableAt)
	x := c.must(c.rich, &tx.ExecuteProposal{Proposal: 1})
	if p := c.proposal(1); p.Status != govern.ExecutionFailed || p.Reason != govern.Refused || len(x.Events) != 1 ||
		string(x.Events[0].Topic) != govern.TopicFailed {
		t.Errorf("%+v %+v", p, x.Events)
	}
	c.AdvanceTo(c.proposal(1).RetryUntil)
	if p := c.proposal(1); p.Open() {
		t.Errorf("%+v", p)
	}
}

const asker = `from pvm_host import submit_job, send_message, call_actor

def ask(p):
    submit_job({"job_type": "llm", "cid": "c1", "payload": {"prompt": "x"}})

def send(p):
    send_message(b"\x00" * 19 + b"\x02", {"cid": "m1", "job_type": "llm"})

def call(p):
    try:
        call_actor(b"\x00" * 19 + b"\x02", "anything", b"")
    except Exception as e:
        return (type(e).__name__ + " " + str(e)).encode()
`

// Nothing reaches a paused system actor: Execute transactions, messages and calls end with ActorPaused, and the coins they carried stay where they were. When
// the pause is over it answers.
//
// Spec: governance-staking B7, part E.
func TestPausedActor(t *testing.T) {
	c := newChain(t)
	actor := c.rich.Deploy(asker, nil)
	c.pause(dispatcher)
	if said := c.rich.Call(actor, "call", ""); !strings.Contains(said, "ActorPaused: governance has paused 0x00000000000000000000000000000000000000") {
		t.Errorf("a call: %s", said)
	}
	before := c.Balance(dispatcher)
	x := c.rich.TryWith(dispatcher, "anything", "", 5)
	if x.Status == block.Success || x.Fault.Code != drain.FaultPaused || c.Balance(dispatcher) != before {
		t.Errorf("%+v, %d", x.Fault, c.Balance(dispatcher))
	}
	for _, handler := range []string{"send", "ask"} {
		c.rich.Call(actor, handler, "")
		found := false
		for _, r := range c.Mine().Receipts {
			if r.Kind == block.Message && r.Target == dispatcher {
				found = r.Fault.Code == drain.FaultPaused
			}
		}
		if !found {
			t.Errorf("%s: the message was not refused", handler)
		}
	}
	until, paused, err := govern.Paused(c.State(), dispatcher, c.Height())
	if err != nil || !paused {
		t.Fatal(until, paused, err)
	}
	c.AdvanceTo(until - 1) // the block after it is the first in which the actor answers
	if said := c.rich.Call(actor, "call", ""); strings.Contains(said, "ActorPaused") {
		t.Errorf("after the pause: %s", said)
	}
	if len(c.Events(nine, govern.TopicResumed)) != 1 {
		t.Error("the end is not announced")
	}
}

// 0x09 is never paused, six signatures pause nobody, and the instructions of others go on.
//
// Spec: governance-staking B7, part E.
func TestWhatIsNotPaused(t *testing.T) {
	c := newChain(t)
	nonce, joined := c.signed(govern.PauseAct(nine))
	c.refused(c.rich, &tx.CouncilAct{Act: tx.ActPause, Actor: nine, Nonce: nonce, Signatures: joined}, drain.FaultForbidden)
	c.refused(c.rich, &tx.CouncilAct{Act: tx.ActPause, Actor: dispatcher, Nonce: nonce, Signatures: joined[:6*65]}, drain.FaultPermission)
	c.pause(account.System(account.Treasury))
	c.must(c.validator, &tx.ValidatorAddStake{Amount: 1})
}

// The council cancels what is queued, and its proposer has the deposit again.
//
// Spec: governance-staking B2, B7, part E.
func TestCouncilCancels(t *testing.T) {
	c := newChain(t)
	c.must(c.rich, c.motion(0, &govern.ParamUpdate{Key: params.KeyLanes, Value: params.Genesis().Lanes.Append(nil)}))
	c.queued(1)
	before := c.Balance(c.rich.Address())
	nonce, joined := c.signed(govern.CancelAct(1))
	c.must(c.validator, &tx.CouncilAct{Proposal: 1, Nonce: nonce, Signatures: joined})
	if got := c.Balance(c.rich.Address()) - before; got != 1_000*unit.CBY || c.proposal(1).Status != govern.Cancelled {
		t.Errorf("%d came back, %+v", got, c.proposal(1))
	}
	c.must(c.rich, c.motion(0, &govern.ParamUpdate{Key: params.KeyLanes, Value: params.Genesis().Lanes.Append(nil)}))
	burned := c.Blocks()[len(c.Blocks())-1].Supply.Burned
	c.must(c.rich, &tx.WithdrawProposal{Proposal: 2})
	if got := c.Blocks()[len(c.Blocks())-1].Supply.Burned - burned; got < 1_000*unit.CBY {
		t.Errorf("%d burned", got)
	}
}
