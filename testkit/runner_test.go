package testkit

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// conversation is a chain with the example that asks a language model.
type conversation struct {
	*Chain
	alice *Account
	chat  account.Address
}

func converse(t *testing.T) *conversation {
	t.Helper()
	source, err := os.ReadFile("examples/chat.py")
	if err != nil {
		t.Fatal(err)
	}
	return conversing(t, string(source))
}

// conversing is converse with another source.
func conversing(t *testing.T, source string) *conversation {
	t.Helper()
	c := NewChain(t)
	alice := c.Account("alice")
	x := &conversation{c, alice, alice.Deploy(source, []byte("{}"))}
	alice.Fund(x.chat, 20*unit.CBY)
	return x
}

// say asks and lets blocks pass.
func (c *conversation) say(text string, blocks int) {
	c.t.Helper()
	c.alice.Call(c.chat, "say", `{"text":"`+text+`"}`)
	for range blocks {
		c.Mine()
	}
}

// answers are what was answered so far, null for nothing.
func (c *conversation) answers() string {
	c.t.Helper()
	out := c.Query(c.chat, "history", nil, nil)
	var history []struct {
		A *string `json:"a"`
	}
	if err := json.Unmarshal(out.Return, &history); err != nil {
		c.t.Fatal(err)
	}
	list := make([]string, len(history))
	for i, h := range history {
		if list[i] = "null"; h.A != nil {
			list[i] = strconv.Quote(*h.A)
		}
	}
	return strings.Join(list, " ")
}

func (c *conversation) expect(what, want string) {
	c.t.Helper()
	if got := c.answers(); got != want {
		c.t.Errorf("%s: %s, want %s", what, got, want)
	}
}

// open counts the pools that are open.
func (c *conversation) open() (n int) {
	c.t.Helper()
	err := mailbox.EachPool(c.State(), func(mailbox.Pool) bool { n++; return true })
	if err != nil {
		c.t.Fatal(err)
	}
	return n
}

// TestScriptedRunners: without Jobs, the network's own scripts answer: a result, an error, votes, lateness, copies, a job that waits. What the origin
// did not use comes back when its job is done, and the blocks replay bit-equal.
//
// Spec: sdk §9.1, §9.6; runner-marketplace §5; WP §5.3, §13.1; governance-staking B10.
func TestScriptedRunners(t *testing.T) {
	c := converse(t)
	llm := dispatcher.Scope{Type: "llm"}
	set := func(r dispatcher.Reply, jobs uint64) {
		c.SetRunner(dispatcher.Script{Scope: llm, Jobs: jobs, Reply: r})
	}

	set(ReplyWith(dispatcher.OK, "hay"), 0)
	set(ReplyWith(dispatcher.Error, "no model"), 1)
	c.say("first", 2)
	c.say("second", 2)
	c.expect("the newest script, then the one before it", `"(no answer)" "hay"`)
	set(ReplyWith(dispatcher.Vote, "a", "b", "a", "a", nil), 1)
	c.say("third", 2)
	set(ReplyWith(dispatcher.Vote, "a", "b", "a", "b", nil), 1)
	c.say("fourth", 2)
	c.expect("votes", `"(no answer)" "hay" "a" "(no answer)"`)

	late := ReplyWith(dispatcher.OK, "late")
	late.Late, late.Copies = 3, 2
	set(late, 1)
	c.say("fifth", 4)
	if c.open() != 1 {
		t.Errorf("%d pools are open while an answer is late", c.open())
	}
	c.expect("before", `"(no answer)" "hay" "a" "(no answer)" null`)
	faults := 0
	for _, x := range c.Mine().Receipts {
		if x.Status == block.Faulted {
			faults++
		}
	}
	if c.expect("after", `"(no answer)" "hay" "a" "(no answer)" "late"`); faults != 1 || c.open() != 0 {
		t.Errorf("%d faults of the second copy, %d pools", faults, c.open())
	}

	// A job no script is for waits, in a snapshot too, and is answered by hand.
	c.ClearRunner(dispatcher.Scope{})
	c.say("sixth", 3)
	waits := c.WaitingJobs()
	if len(waits) != 1 || waits[0].Type != "llm" || waits[0].Actor != c.chat || c.open() != 1 {
		t.Fatalf("waiting: %+v, %d pools", waits, c.open())
	}
	snapshot := c.Snapshot()
	for _, answer := range []string{"one", "two"} {
		c.AnswerJob(waits[0].CID, ReplyWith(dispatcher.OK, answer))
		c.Mine()
		c.expect("by hand", `"(no answer)" "hay" "a" "(no answer)" "late" "`+answer+`"`)
		if len(c.WaitingJobs()) != 0 || c.open() != 0 {
			t.Errorf("%d jobs, %d pools", len(c.WaitingJobs()), c.open())
		}
		if answer == "one" {
			c.Revert(snapshot)
		}
	}

	again := NewChain(t)
	for _, b := range c.Blocks() {
		body := make([]*tx.Tx, len(b.Txs))
		for i := range b.Txs {
			body[i] = b.Txs[i].Tx()
		}
		again.Replay(&block.Block{Header: b.Header, Txs: body}, b.Receipts)
	}
	if again.Root() != c.Root() {
		t.Error("the replayed chain has another root")
	}
}

// TestJobsDecideFirst: a function of the kit answers whatever the scripts say, and its lateness goes the same way.
func TestJobsDecideFirst(t *testing.T) {
	c := converse(t)
	c.SetRunner(dispatcher.Script{Reply: ReplyWith(dispatcher.OK, "script")})
	c.Jobs(func(*Job) Answer { return Answer{Result: "function", Delay: 2} })
	c.say("one", 3)
	c.expect("late", "null")
	if c.open() != 1 {
		t.Errorf("%d pools", c.open())
	}
	c.Mine()
	c.expect("answered", `"function"`)
}

// TestJobsWaitAcrossEpochs: a job that names no block to be answered by is there after an epoch's boundary, and its answer comes too late for an
// actor that gave up by a timer of its own. One that names a block is gone by then.
//
// Spec: sdk §9.1 (time-outs), §9.6, §10.4.
func TestJobsWaitAcrossEpochs(t *testing.T) {
	source, err := os.ReadFile("examples/chat.py")
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.Replace(string(source), "(timeout_blocks=PATIENCE)", "", 1)
	t.Run("with a block", func(t *testing.T) { awaitAcrossEpochs(t, string(source), 0) })
	t.Run("without one", func(t *testing.T) { awaitAcrossEpochs(t, plain, 1) })
}

// awaitAcrossEpochs asks in one epoch, and finds so many jobs left in the next.
func awaitAcrossEpochs(t *testing.T, text string, left int) {
	t.Helper()
	c := conversing(t, text)
	c.say("one", 2)
	if len(c.WaitingJobs()) != 1 {
		t.Fatalf("%d jobs", len(c.WaitingJobs()))
	}
	cid := c.WaitingJobs()[0].CID
	c.AdvanceTo(params.EpochBlocks + 5)
	if len(c.WaitingJobs()) != left || c.open() != left {
		t.Fatalf("%d jobs, %d pools, want %d", len(c.WaitingJobs()), c.open(), left)
	}
	want := `"(no answer)"` // of the await, in the block that the actor's timer fires in
	if left == 1 {
		want = `"(nobody answered)"`
	}
	c.expect("given up", want)
	if left == 1 {
		c.AnswerJob(cid, ReplyWith(dispatcher.OK, "late"))
		c.Mine()
	}
	if c.expect("late", want); c.open() != 0 {
		t.Errorf("%d pools", c.open())
	}
}
