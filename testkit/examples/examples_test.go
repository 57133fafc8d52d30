package examples

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

func source(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// refused checks that a call fails with a fault that mentions text, and leaves no event.
func refused(t *testing.T, x *block.Receipt, text string) {
	t.Helper()
	if x.Status != block.Faulted || !strings.Contains(x.Fault.Text, text) || len(x.Events) != 0 {
		t.Errorf("want a fault that says %q, got %s", text, testkit.Describe(x))
	}
}

func expect(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// TestCounter counts and refuses what nobody declared. Spec: sdk §3.
func TestCounter(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	counter := alice.Deploy(source(t, "../../cmd/cowboy/project/starter/counter.py"), []byte("{}"))
	for want := range 3 {
		expect(t, "increment", alice.Call(counter, "increment", ""), fmt.Sprint(want+1))
	}
	expect(t, "value", c.Account("bob").Call(counter, "value", ""), "3")
	refused(t, alice.Try(counter, "reset", ""), "reset")
}

// TestAgent lets the autonomous agent live: it wakes itself every second block, tells the journal in the block after, pays
// from its own balance, and sleeps when that is used up. Spec: WP §5.1a; scheduler-timers §6; sdk §7.
func TestAgent(t *testing.T) {
	c := testkit.NewChain(t)
	alice := c.Account("alice")
	journal := alice.Deploy(source(t, "journal.py"), []byte("{}"))
	agent := alice.Deploy(source(t, "agent.py"), nil)
	alice.Fund(agent, 20*unit.CBY)
	alice.Call(agent, "init", fmt.Sprintf(`{"journal":"%s","every":2}`, journal))
	started := c.Height()
	c.AdvanceTo(started + 9)
	ticks := c.Events(agent, "agent.tick")
	if len(ticks) != 4 {
		t.Fatalf("%d ticks in 9 blocks: %v", len(ticks), ticks)
	}
	for i, tick := range ticks {
		expect(t, "tick", tick, fmt.Sprintf(`{"height":%d,"wakes":%d}`, int(started)+2*(i+1), i+1))
	}
	entries := c.Events(journal, "journal.entry")
	if len(entries) != 4 || !strings.Contains(entries[3], `"n":4`) || !strings.Contains(entries[3], `"wakes":4`) {
		t.Errorf("journal entries: %v", entries)
	}
	expect(t, "journal total", alice.Call(journal, "total", ""), "4")
	refused(t, alice.Try(journal, "record", "no map"), "")
	if got := c.Balance(agent); got >= 20*unit.CBY {
		t.Errorf("the agent paid nothing: %s CBY", got.CBY())
	}

	// A poor agent's timer is dropped, and says so; funding and waking it brings it back.
	poor := alice.Deploy(source(t, "agent.py"), nil)
	alice.Fund(poor, unit.CBY)
	alice.Call(poor, "init", fmt.Sprintf(`{"journal":"%s","every":1}`, journal))
	c.AdvanceTo(c.Height() + 3)
	if got := len(c.Events(poor, "agent.tick")); got != 0 {
		t.Errorf("an agent without money woke %d times", got)
	}
	alice.Fund(poor, 20*unit.CBY)
	c.Account("bob").Call(poor, "wake", "")
	c.AdvanceTo(c.Height() + 2)
	if len(c.Events(poor, "agent.tick")) == 0 {
		t.Error("a funded agent did not wake")
	}
	refused(t, alice.Try(agent, "tick", "{}"), "")
}

// TestPoll counts votes once per account and closes by its own timer. Spec: scheduler-timers §2; sdk §5.
func TestPoll(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	code := source(t, "poll.py")
	if x := alice.TryDeploy(code, []byte(`{"question":"?","choices":["one"],"blocks":5}`)); x.Status != block.Faulted || x.Created != nil {
		t.Errorf("a poll with one choice: %s", testkit.Describe(x))
	}
	poll := alice.Deploy(code, []byte(`{"question":"tea or coffee","choices":["tea","coffee"],"blocks":6}`))
	opened := c.Height()
	alice.Fund(poll, 20*unit.CBY)
	alice.Call(poll, "vote", `{"choice":"tea"}`)
	bob.Call(poll, "vote", `{"choice":"tea"}`)
	refused(t, bob.Try(poll, "vote", `{"choice":"coffee"}`), "has voted")
	refused(t, bob.Try(poll, "close", ""), "")
	c.AdvanceTo(opened + 6)
	closed := c.Events(poll, "poll.closed")
	if len(closed) != 1 || closed[0] != `{"votes":{"coffee":0,"tea":2},"winners":["tea"]}` {
		t.Errorf("closed: %v", closed)
	}
	refused(t, c.Account("carol").Try(poll, "vote", `{"choice":"tea"}`), "closed")
	expect(t, "result", bob.Call(poll, "result", ""), `{"open":false,"question":"tea or coffee","votes":{"coffee":0,"tea":2}}`)
}

// TestEscrow pays the seller on release and the buyer when the deadline passes. Spec: sdk §13.
func TestEscrow(t *testing.T) {
	c := testkit.NewChain(t)
	buyer, seller, arbiter := c.Account("buyer"), c.Account("seller"), c.Account("arbiter")
	terms := []byte(fmt.Sprintf(`{"seller":"%s","arbiter":"%s","price":%d,"blocks":4}`, seller.Hex(), arbiter.Hex(), 30*unit.CBY))
	deal := buyer.Deploy(source(t, "escrow.py"), terms)
	refused(t, buyer.Try(deal, "open", ""), "fund the escrow")
	buyer.Fund(deal, 30*unit.CBY)
	buyer.Call(deal, "open", "")
	refused(t, seller.Try(deal, "release", ""), "only buyer or arbiter")
	before := c.Balance(seller.Address())
	buyer.Call(deal, "release", "")
	// the seller paid for the refused call above before `before` was read
	if got := c.Balance(seller.Address()); got != before+30*unit.CBY {
		t.Errorf("seller has %s CBY, had %s", got.CBY(), before.CBY())
	}
	refused(t, arbiter.Try(deal, "refund", ""), "the escrow is paid")

	late := buyer.Deploy(source(t, "escrow.py"), terms)
	buyer.Fund(late, 30*unit.CBY)
	buyer.Call(late, "open", "")
	refused(t, buyer.Try(late, "expire", ""), "may not call")
	c.AdvanceTo(c.Height() + 5)
	expect(t, "state after the deadline", arbiter.Call(late, "state", ""), "refunded")
	if got := c.Balance(late); got != 0 {
		t.Errorf("the escrow kept %s CBY", got.CBY())
	}
}

// TestToken moves, allows, wraps and unwraps; the sum of balances stays the supply. Spec: sdk §4.
func TestToken(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob, carol := c.Account("alice"), c.Account("bob"), c.Account("carol")
	token := alice.Deploy(source(t, "token.py"), []byte(`{"name":"Hay","symbol":"HAY","supply":1000}`))
	balance := func(who *testkit.Account) string {
		return alice.Call(token, "balance", fmt.Sprintf(`{"of":"%s"}`, who.Hex()))
	}
	alice.Call(token, "transfer", fmt.Sprintf(`{"to":"%s","amount":300}`, bob.Hex()))
	bob.Call(token, "approve", fmt.Sprintf(`{"spender":"%s","amount":100}`, carol.Hex()))
	carol.Call(token, "transfer_from", fmt.Sprintf(`{"owner":"%s","to":"%s","amount":60}`, bob.Hex(), carol.Hex()))
	refused(t, carol.Try(token, "transfer_from", fmt.Sprintf(`{"owner":"%s","to":"%s","amount":60}`, bob.Hex(), carol.Hex())), "allowance")
	refused(t, bob.Try(token, "transfer", fmt.Sprintf(`{"to":"%s","amount":5000}`, alice.Hex())), "too small")
	refused(t, bob.Try(token, "transfer", fmt.Sprintf(`{"to":"%s","amount":-5}`, alice.Hex())), "positive")
	refused(t, bob.Try(token, "transfer", `{"to":"0x12","amount":5}`), "address")
	for who, want := range map[*testkit.Account]string{alice: "700", bob: "240", carol: "60"} {
		expect(t, "balance", balance(who), want)
	}
	refused(t, bob.Try(token, "wrap", ""), "fund the token")
	bob.Fund(token, 7)
	expect(t, "wrapped", bob.Call(token, "wrap", ""), "7")
	expect(t, "after wrapping", balance(bob), "247")
	bob.Call(token, "unwrap", `{"amount":7}`)
	expect(t, "after unwrapping", balance(bob), "240")
	if got := c.Balance(token); got != 0 {
		t.Errorf("the token kept %d base units", got)
	}
}

// TestOrderBook matches by price, then time, and returns what is left. Spec: sdk §12.
func TestOrderBook(t *testing.T) {
	c := testkit.NewChain(t)
	owner, alice, bob := c.Account("owner"), c.Account("alice"), c.Account("bob")
	book := owner.Deploy(source(t, "orderbook.py"), []byte("{}"))
	for who, unit := range map[*testkit.Account]string{alice: "base", bob: "quote"} {
		owner.Call(book, "credit", fmt.Sprintf(`{"account":"%s","unit":"%s","amount":1000}`, who.Hex(), unit))
	}
	refused(t, alice.Try(book, "credit", fmt.Sprintf(`{"account":"%s","unit":"base","amount":1}`, alice.Hex())), "")
	expect(t, "first ask", alice.Call(book, "place", `{"side":"sell","price":11,"amount":10}`), "1")
	expect(t, "second ask", alice.Call(book, "place", `{"side":"sell","price":10,"amount":10}`), "2")
	refused(t, alice.Try(book, "place", `{"side":"sell","price":10,"amount":5000}`), "not enough base")
	expect(t, "the book", bob.Call(book, "book", ""), `{"asks":[{"amount":10,"price":10},{"amount":10,"price":11}],"bids":[]}`)
	expect(t, "bid", bob.Call(book, "place", `{"side":"buy","price":12,"amount":15}`), "3")
	trades := c.Events(book, "book.trade")
	want := []string{`{"amount":10,"maker":2,"price":10}`, `{"amount":5,"maker":1,"price":11}`}
	if strings.Join(trades, " ") != strings.Join(want, " ") {
		t.Errorf("trades %v, want %v", trades, want)
	}
	expect(t, "bob", bob.Call(book, "balances", fmt.Sprintf(`{"account":"%s"}`, bob.Hex())), `{"base":15,"quote":845}`)
	expect(t, "alice", bob.Call(book, "balances", fmt.Sprintf(`{"account":"%s"}`, alice.Hex())), `{"base":980,"quote":155}`)
	refused(t, bob.Try(book, "cancel", `{"id":1}`), "no such order")
	alice.Call(book, "cancel", `{"id":1}`)
	expect(t, "alice after cancelling", bob.Call(book, "balances", fmt.Sprintf(`{"account":"%s"}`, alice.Hex())), `{"base":985,"quote":155}`)
}

// TestChat asks a model, keeps its answers, and gives up on a question nobody answers. Where there are no runners asking faults and leaves nothing.
// Spec: sdk §9, §10.
func TestChat(t *testing.T) {
	spec, err := genesis.Devnet(testkit.ChainID, 2)
	if err != nil {
		t.Fatal(err)
	}
	c := testkit.NewChainFrom(t, spec)
	alice := c.Account("alice")
	chat := alice.Deploy(source(t, "chat.py"), []byte("{}"))
	alice.Fund(chat, 20*unit.CBY)
	expect(t, "history", alice.Call(chat, "history", ""), "[]")
	x := alice.Try(chat, "say", `{"text":"hello"}`)
	if x.Status != block.Faulted || x.Fault.Code != 1299 {
		t.Errorf("say: %s", testkit.Describe(x))
	}
	expect(t, "history after a fault", alice.Call(chat, "history", ""), "[]")

	c.Jobs(func(j *testkit.Job) testkit.Answer {
		prompt, _ := j.Args()[0].(string)
		switch {
		case strings.HasSuffix(prompt, "silence?"):
			return testkit.Answer{Lost: true}
		case strings.HasSuffix(prompt, "broken?"):
			return testkit.Answer{Error: true, Result: "no"}
		}
		return testkit.Answer{Result: fmt.Sprintf("%d lines, %v tokens", 1+strings.Count(prompt, "\n"), j.Option("max_tokens"))}
	})
	for _, text := range []string{"hello", "again", "silence?", "broken?"} {
		alice.Call(chat, "say", `{"text":"`+text+`"}`)
		c.AdvanceTo(c.Height() + 2)
	}
	c.AdvanceTo(c.Height() + 120)
	expect(t, "history", alice.Call(chat, "history", ""), `[{"a":"1 lines, 500 tokens","q":"hello"},{"a":"3 lines, 500 tokens","q":"again"},`+
		`{"a":"(no answer)","q":"silence?"},{"a":"(no answer)","q":"broken?"}]`)
	refused(t, alice.Try(chat, "say", `{"text":" "}`), "1 to 2000")
	refused(t, alice.Try(chat, "give_up", `{"number":1}`), "")
}

// TestAuction opens at the middle of three appraisals, holds the highest bid, and pays the seller when it is closed.
// Spec: sdk §9.5, §10.6, §12.
func TestAuction(t *testing.T) {
	c := testkit.NewChain(t)
	delay := unit.Height(0)
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		price := map[any]int{"appraiser-0": 900, "appraiser-1": 100, "appraiser-2": 500}[j.Option("model")]
		return testkit.Answer{Result: fmt.Sprintf(`{"price": %d}`, price), Delay: delay}
	})
	seller, alice, bob := c.Account("seller"), c.Account("alice"), c.Account("bob")
	house := seller.Deploy(source(t, "auction.py"), []byte(`{"item":"a saddle","blocks":12}`))
	refused(t, alice.Try(house, "appraise", ""), "may not call")
	refused(t, alice.Try(house, "bid", "600"), "the auction is new")

	// The description changes while the appraisers think: what they say no longer counts.
	delay = 3
	seller.Call(house, "appraise", "")
	seller.Call(house, "describe", "a fine saddle")
	c.AdvanceTo(c.Height() + 6)
	expect(t, "status", alice.Call(house, "status", ""), `{"bid":null,"deposits":0,"reserve":null,"state":"new"}`)

	delay = 0
	seller.Call(house, "appraise", "")
	c.AdvanceTo(c.Height() + 2)
	if opened := c.Events(house, "auction.open"); len(opened) != 1 || !strings.HasPrefix(opened[0], `{"reserve":500,`) {
		t.Fatalf("opened: %v", opened)
	}
	refused(t, seller.Try(house, "appraise", ""), "the auction is open")
	refused(t, alice.Try(house, "bid", "600"), "deposit more")
	for who, amount := range map[*testkit.Account]unit.Amount{alice: 1_000, bob: 2_000} {
		t.Run(fmt.Sprint(who), func(t *testing.T) {
			who.Fund(house, amount)
			if got := who.Call(house, "deposit", ""); got != fmt.Sprint(uint64(amount)) {
				t.Errorf("deposited %s of %d", got, amount)
			}
		})
	}
	refused(t, alice.Try(house, "bid", "499"), "bid more")
	alice.Call(house, "bid", "600")
	refused(t, bob.Try(house, "bid", "600"), "bid more")
	bob.Call(house, "bid", "700")
	refused(t, alice.Try(house, "close", ""), "until block")
	c.AdvanceTo(c.Height() + 12)
	refused(t, alice.Try(house, "bid", "800"), "closed")
	before := c.Balance(seller.Address())
	alice.Call(house, "close", "")
	if sold := c.Events(house, "auction.sold"); len(sold) != 1 || !strings.Contains(sold[0], `"amount":700`) {
		t.Errorf("sold: %v", sold)
	}
	if got := c.Balance(seller.Address()); got != before+700 {
		t.Errorf("the seller has %d more", got-before)
	}
	expect(t, "alice takes back", alice.Call(house, "withdraw", ""), "1000")
	expect(t, "bob takes back", bob.Call(house, "withdraw", ""), "1300")
	winner := bob.Address()
	expect(t, "status", alice.Call(house, "status", ""), fmt.Sprintf(`{"bid":{"amount":700,"by":"%x"},"deposits":0,"reserve":500,"state":"sold"}`, winner[:]))
}
