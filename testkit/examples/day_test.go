package examples

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// dayBlocks is how long the day of TestAgentDay is: `go test ./testkit/examples -run AgentDay -args -day 86400` is a whole one.
var dayBlocks = flag.Int("day", 2_000, "blocks of the agent's day")

// Sources of the day's other actors. One is woken by the clock, and its default card pays; one counts what it is told of.
const (
	heart = `from cowboy_sdk import actor, deferred, public, set_interval

@actor
class Heart:
    @deferred
    @public
    def init(self, payload):
        self.storage["beats"] = 0

    @deferred
    @public
    def start(self, payload):
        set_interval(int(payload), "beat")

    @public
    def beat(self, payload):
        self.storage["beats"] += 1
`
	reader = `from pvm_host import *

def init(p):
    pass

def follow(p):
    emitter, topic, gas, bid = p.decode().split(" ")
    set_state("sub", subscribe_event(bytes.fromhex(emitter), topic, "told", int(gas), int(bid)))

def leave(p):
    unsubscribe_event(get_state("sub"))

def told(emitter, topic, payload):
    set_state("told", (int.from_bytes(get_state("told") or b"", "big") + 1).to_bytes(4, "big"))
`
)

// What things cost in the day, in base units. Blocks stay below their targets, so a cycle and a cell cost the least all day.
const (
	dayRate      = 10_000 // of a cycle, and of a cell
	dayToken     = 730    // of a token of the model's answer
	dayEpoch     = 1_000_003
	dayBPS       = 437
	dayEpochs    = 500 // blocks of a key epoch
	dayFollowers = 600
	dayAtOnce    = 20 // of them in a block
	dayPrepaid   = 8_000_000
	dayCoins     = 90 * unit.CBY
)

// day is an agent's day, and beside the chain what the accounts have to come to: sums over what was agreed, and over the cycles and cells of receipts.
type day struct {
	*testkit.Chain
	t                                    *testing.T
	random                               *rand.Rand
	owner, agent, taker, buyer           *testkit.Account
	card, feed, heart                    account.Address
	readers                              []account.Address
	publisher                            *publisher
	session                              digest.Hash
	payer, payee                         voucher.Running
	have                                 map[account.Address]unit.Amount // by the model
	escrow                               unit.Amount                     // of the session
	settled, published, tokens, vouchers uint64
	covered                              uint64 // first key epoch that the buyer has not
	announced, epochs                    uint64 // the key epoch after the newest that was announced, and how many were
	heartCard                            account.Address
	beats                                int
}

// used is what an execution costs at the least prices.
func used(r *block.Receipt) unit.Amount {
	return dayRate * unit.Amount(uint64(r.CyclesUsed)+uint64(r.CellsUsed))
}

// do sends an instruction; by is whose account the fee is taken from.
func (d *day) do(from *testkit.Account, by account.Address, in tx.Instruction, cycles unit.Cycles) *block.Receipt {
	d.t.Helper()
	r := from.Do(in, cycles, 50_000)
	if r.Status != block.Success {
		d.t.Fatalf("block %d: %T: %s", d.Height(), in, testkit.Describe(r))
	}
	d.have[by] -= used(r)
	return r
}

func (d *day) call(from *testkit.Account, by, to account.Address, handler, payload string, value unit.Amount) *block.Receipt {
	d.t.Helper()
	return d.do(from, by, &tx.Execute{To: to, Handler: []byte(handler), Payload: []byte(payload), Amount: value}, 2_000_000)
}

// begin gives everybody what the day needs: a card, a session, a stream, and 600 who are told of it.
func begin(t *testing.T, seed uint64) *day {
	c := testkit.NewChain(t)
	d := &day{
		Chain: c, t: t, random: rand.New(rand.NewPCG(seed, 19)), owner: c.Account("owner"), agent: c.Account("agent"), taker: c.Account("taker"),
		buyer: c.Account("buyer"), publisher: newPublisher(t, 9), have: map[account.Address]unit.Amount{},
	}
	for _, who := range []*testkit.Account{d.owner, d.agent, d.taker, d.buyer} {
		c.SetBalance(who.Address(), 900_000*unit.CBY)
	}
	d.feed = d.owner.Deploy(source(t, "feed.py"), fmt.Appendf(nil, `{"publisher_key":"%s","paid":{"fee_per_key_epoch_cby":%d,"protocol_fee_bps":%d,`+
		`"key_epoch_blocks":%d}}`, d.publisher.hex(), dayEpoch, dayBPS, dayEpochs))
	d.publisher.stream = stream.ID(d.feed, []byte("prices"))
	d.heart = d.owner.Deploy(heart, []byte{})
	register := &tx.RunnerRegister{
		PublicKey: d.taker.PublicKey(), Stake: 20_000 * unit.CBY, RateCard: runner.RateCard{LLMOutputToken: dayToken, MaxJobValue: 100 * unit.CBY},
		Capabilities: runner.Capabilities{JobTypes: []runner.Name{{Name: "llm"}}, MaxConcurrentJobs: 2},
	}
	if r := d.taker.Do(register, 100_000, 5_000); r.Status != block.Success {
		t.Fatal(testkit.Describe(r))
	}
	for _, who := range []account.Address{
		d.owner.Address(), d.agent.Address(), d.taker.Address(), d.buyer.Address(), d.feed, account.System(account.Treasury),
	} {
		d.have[who] = c.Balance(who)
	}
	d.openCards()
	r := d.do(d.agent, d.card, &tx.SessionOpen{
		Runner: d.taker.Address(), MaxAmount: unit.Wide(1 << 50), Deposit: 10 * unit.CBY, ExpiresAt: 1 << 40,
	}, 100_000)
	d.have[d.agent.Address()] -= 10 * unit.CBY
	d.escrow, d.session = 10*unit.CBY, digest.Hash(r.ReturnData)
	d.payer = voucher.Running{ChainID: testkit.ChainID, Session: d.session, Payer: d.agent.Address(), Paid: voucher.Paid{Deposit: d.escrow}}
	d.payee = d.payer
	d.gather()
	return d
}

// openCards issues the agent's card, and the one that pays the heart's timers. Both are the owner's.
func (d *day) openCards() {
	issue := func(agent account.Address) account.Address {
		card := account.Address(d.do(d.owner, d.owner.Address(), &tx.IssueCard{BankID: 1, Agent: agent}, 100_000).ReturnData)
		d.do(d.owner, d.owner.Address(), &tx.Deposit{Card: card, Amount: unit.Wide(uint64(20_000 * unit.CBY))}, 100_000)
		d.have[d.owner.Address()] -= 20_000 * unit.CBY
		d.have[card] = 20_000 * unit.CBY
		return card
	}
	d.card = issue(d.agent.Address())
	d.agent.Payer(d.card)
	d.heartCard = issue(d.heart)
	d.do(d.owner, d.owner.Address(), &tx.SetDefaultCard{Agent: d.heart, Card: &d.heartCard}, 100_000)
	d.call(d.owner, d.owner.Address(), d.heart, "start", "97", 0)
}

// gather has 600 actors subscribe to what the stream announces: 512 to messages, as many as a topic takes, and the others to new key epochs. Each brings
// coins, and bids what its number is.
func (d *day) gather() {
	owner := d.owner.Address()
	for n := 0; n < dayFollowers; n += dayAtOnce {
		var ids [dayAtOnce]digest.Hash
		for i := range ids {
			code := []byte(reader)
			ids[i] = d.owner.Send(&tx.Deploy{Code: code, Salt: fmt.Appendf(nil, "reader %d", n+i), InitHandler: []byte("init")}, 500_000, 10_000)
		}
		d.Mine()
		for _, id := range ids {
			r := d.Receipt(id)
			if r.Created == nil {
				d.t.Fatal(testkit.Describe(r))
			}
			d.have[owner] -= used(r)
			d.readers = append(d.readers, *r.Created)
		}
		for i := range ids {
			payload := fmt.Appendf(nil, "%x %s %d %d", [20]byte(d.feed), topicOf(n+i), dayPrepaid, n+i)
			ids[i] = d.owner.Send(&tx.Execute{To: d.readers[n+i], Handler: []byte("follow"), Payload: payload, Amount: dayCoins}, 500_000, 10_000)
		}
		d.Mine()
		for _, id := range ids {
			r := d.Receipt(id)
			if r.Status != block.Success {
				d.t.Fatal(testkit.Describe(r))
			}
			d.have[owner] -= used(r) + dayCoins
		}
	}
	r := d.owner.Try(d.readers[dayFollowers-1], "follow", fmt.Sprintf("%x %s %d 1", [20]byte(d.feed), topicOf(0), dayPrepaid))
	d.have[owner] -= used(r)
	refused(d.t, r, "as many subscriptions as it may")
}

// topicOf is what the nth of the readers is told of.
func topicOf(n int) string {
	if n < event.PerTopic {
		return "StreamMessagePublished"
	}
	return "KeyEpochRotated"
}

// answer has the agent ask the model: a voucher for each token of the answer passes to the runner, who settles the last one.
func (d *day) answer() {
	key, n := dayKey(d.t, "agent"), 20+d.random.Uint64N(80)
	if d.payer.Paid.Spent+unit.Amount(n)*dayToken > d.payer.Paid.Deposit {
		d.do(d.agent, d.card, &tx.SessionDeposit{SessionID: d.session, Amount: unit.CBY}, 100_000)
		d.have[d.agent.Address()] -= unit.CBY
		d.escrow += unit.CBY
		d.payer.Paid.Deposit += unit.CBY
		d.payee.Paid.Deposit += unit.CBY
	}
	for range n {
		v, s, err := d.payer.Raise(key, dayToken, d.Height()+3_600, digest.Hash{})
		if err == nil {
			err = d.payee.Accept(v, s, dayToken, d.Height())
		}
		if err != nil {
			d.t.Fatal(err)
		}
		d.vouchers++
	}
	last := d.payee.Newest
	d.do(d.taker, d.taker.Address(), &tx.SessionSettle{
		SessionID: d.session, CumulativeAmount: last.Cumulative, Nonce: last.Nonce, ExpiresAt: uint64(last.Expires), Signature: d.payee.Signature,
	}, 100_000)
	owed := unit.Amount(n) * dayToken // a tenth is burned and a hundredth the Treasury's, both rounded down; the rest is the runner's
	d.have[d.taker.Address()] += owed - owed/10 - owed/100
	d.have[account.System(account.Treasury)] += owed / 100
	d.escrow -= owed
	d.tokens += n
	d.settled++
}

func dayKey(t *testing.T, name string) *sig.PrivateKey {
	secret := digest.Keccak256([]byte("testkit account " + name))
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// publish has the agent sign the next message, of the key epoch of the block that takes it, and bring it; its card pays.
func (d *day) publish() {
	d.published++
	message := d.publisher.message(d.published, string(make([]byte, 40+d.random.IntN(200))), func(signed, _ map[string]any) {
		signed["payload_format"], signed["key_epoch"] = "CIPHERTEXT", uint64(d.Height()+1)/dayEpochs
	})
	d.call(d.agent, d.card, d.feed, "publish", message, 0)
	if next := uint64(d.Height())/dayEpochs + 1; next != d.announced {
		d.announced = next
		d.epochs++
	}
}

// buy has the buyer buy access to this key epoch and the two after it, as far as it has not got them.
func (d *day) buy() {
	now := uint64(d.Height()+1) / dayEpochs
	d.do(d.buyer, d.buyer.Address(), &tx.Execute{
		To: account.System(account.StreamKeys), Handler: []byte("acquire_epoch_access"),
		Payload: d.publisher.encode([]any{d.publisher.stream[:], bytesOf(d.buyer.Address()), bytesOf(d.buyer.Address()), now + 2}),
	}, 100_000)
	first := now
	if d.covered > 0 {
		first = d.covered // epochs that passed are charged with the new ones
	}
	if first > now+2 {
		return
	}
	n := unit.Amount(now + 3 - first)
	protocol := n * dayEpoch * dayBPS / 10_000
	d.have[d.buyer.Address()] -= n*dayEpoch + protocol
	d.have[d.owner.Address()] += n * dayEpoch
	d.have[account.System(account.Treasury)] += protocol
	d.covered = now + 3
}

func bytesOf(a account.Address) []byte { return a[:] }

// end closes the session, and has every reader leave.
func (d *day) end() {
	owner := d.owner.Address()
	d.do(d.agent, d.card, &tx.SessionClose{SessionID: d.session}, 100_000)
	d.AdvanceTo(d.Height() + session.ClosingBlocks)
	d.do(d.taker, d.taker.Address(), &tx.SessionFinalize{SessionID: d.session}, 100_000)
	d.have[d.agent.Address()] += d.escrow
	for n, a := range d.readers {
		told := d.published
		if n >= event.PerTopic {
			told = d.epochs
		}
		if got := d.Storage(a, "told"); told > 0 && fmt.Sprintf("%x", got) != fmt.Sprintf("%08x", told) {
			d.t.Fatalf("reader %d was told %x times, %d are right", n, got, told)
		}
		s, err := event.Load(d.State(), digest.Hash(d.Storage(a, "sub")))
		if err != nil || s.Fires != told {
			d.t.Fatalf("reader %d: %+v %v", n, s, err)
		}
		gas := unit.Amount(dayPrepaid - s.Gas)
		d.have[owner] -= used(d.must(d.owner.Try(a, "leave", "")))
		// the fee is 10,000 cycles, burned as the bid is; a unit of gas was bought for what a cycle costs
		d.have[a] = dayCoins - 10_000*dayRate - unit.Amount(n) - gas*dayRate
	}
}

func (d *day) must(r *block.Receipt) *block.Receipt {
	d.t.Helper()
	if r.Status != block.Success {
		d.t.Fatal(testkit.Describe(r))
	}
	return r
}

// TestAgentDay lives an agent's day. Its card pays for what it sends and another for what wakes its heart; it buys the tokens of a model by vouchers of a
// session, one for each, and publishes a stream whose key epochs a buyer buys and whose announcements run hooks of 600 subscribers. The kit holds every block
// against the supply; in the end each account has what a sum over the agreed prices and the receipts' cycles and cells gives, to the unit.
//
// Spec: gateway-payments-streams §D, §E.2, §G.3, §H.2.
func TestAgentDay(t *testing.T) {
	d := begin(t, 1)
	for d.Height() < unit.Height(*dayBlocks) {
		switch d.random.IntN(8) {
		case 0, 1, 2:
			d.answer()
		case 3, 4:
			d.publish()
		case 5:
			d.buy()
		}
		d.AdvanceTo(d.Height() + 1 + unit.Height(d.random.Uint64N(240)))
	}
	d.end()
	var batches, tokens uint64
	for _, b := range d.Blocks() {
		if b.Header.CycleBasefee != dayRate || b.Header.CellBasefee != dayRate {
			t.Fatalf("block %d: the basefees are %d and %d", b.Header.Height, b.Header.CycleBasefee, b.Header.CellBasefee)
		}
		for _, r := range b.Receipts {
			switch {
			case r.Kind == block.Hooks:
				batches++
			case r.Kind == block.Timer && r.Target == d.heart:
				d.have[d.heartCard] -= used(r)
				d.beats++
			}
		}
	}
	d.have[d.heartCard] -= (550_000 + 550_000) * dayRate // the next beat is paid already, at the most a fire may use
	// of 512 hooks 448 wait, 7 times 64, and of 88 there wait 24
	if want := 7*d.published + d.epochs; batches != want || d.published == 0 || d.settled == 0 || d.beats == 0 || d.covered == 0 || d.epochs == 0 {
		t.Errorf("%d batches of hooks, want %d; %d messages, %d settled, %d beats", batches, want, d.published, d.settled, d.beats)
	}
	for who, want := range d.have {
		if got := d.Balance(who); got != want {
			t.Errorf("%v has %d, the model says %d: %d more", who, got, want, int64(got-want))
		}
	}
	s, err := session.Load(d.State(), d.session)
	if tokens = d.tokens; err != nil || s.Status != session.Settled || uint64(s.Spent) != tokens*dayToken || s.Nonce != d.vouchers {
		t.Errorf("%+v %v: want %d tokens", s, err, tokens)
	}
	t.Logf("%d blocks: %d tokens by as many vouchers, %d messages, %d fires, %d key epochs, %d beats", d.Height(), d.tokens, d.published,
		d.published*event.PerTopic+d.epochs*(dayFollowers-event.PerTopic), d.covered, d.beats)
}
