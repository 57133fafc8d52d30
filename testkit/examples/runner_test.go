package examples

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// TestOracle keeps a price that runners agree on, tries again sooner after a failure, and refreshes by itself. Spec: sdk §9.3, §9.4, §9.5, §11.
func TestOracle(t *testing.T) {
	c := testkit.NewChain(t)
	price, failing := 700, false
	var asked []*testkit.Job
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		asked = append(asked, j)
		if failing {
			return testkit.Answer{Error: true, Result: cbor.Map{{Key: "error", Value: "timeout"}, {Key: "message", Value: "nobody agreed"}}}
		}
		return testkit.Answer{Result: cbor.Map{{Key: "price", Value: price}, {Key: "source", Value: "test"}}}
	})
	owner, bob := c.Account("owner"), c.Account("bob")
	oracle := owner.Deploy(source(t, "oracle.py"), []byte(`{"url":"https://prices.org/hay","every":20}`))
	owner.Fund(oracle, 200*unit.CBY)
	refused(t, bob.Try(oracle, "price", ""), "no price yet")
	refused(t, bob.Try(oracle, "refresh", ""), "may not call")
	owner.Call(oracle, "refresh", "")
	c.AdvanceTo(c.Height() + 2)
	if got := bob.Call(oracle, "price", ""); !strings.HasPrefix(got, `{"at":`) || !strings.HasSuffix(got, `"price":700,"source":"test"}`) {
		t.Errorf("price %s", got)
	}
	job := asked[0]
	if job.Type != "http" || job.Args()[0] != "https://prices.org/hay" {
		t.Errorf("job %s %v", job.Type, job.Args())
	}
	checks, _ := job.Fields.Lookup("verification")
	mode, _ := checks.(cbor.Map).Lookup("mode")
	retry, _ := job.Fields.Lookup("retry_policy")
	attempts, _ := retry.(cbor.Map).Lookup("max_attempts")
	if mode != "majority_vote" || attempts != int64(3) {
		t.Errorf("mode %v, attempts %v", mode, attempts)
	}

	// The timer refreshes it; a failed round is tried again after two blocks, then four.
	price = 710
	at := c.Height()
	c.AdvanceTo(at + 22)
	if prices := c.Events(oracle, "oracle.price"); len(prices) != 2 || prices[1] != `{"price":710}` {
		t.Errorf("prices %v", prices)
	}
	failing = true
	c.AdvanceTo(c.Height() + 32)
	failures := c.Events(oracle, "oracle.failed")
	if len(failures) < 2 || failures[0] != `{"failures":1,"reason":"RunnerTimeoutError"}` || !strings.HasPrefix(failures[1], `{"failures":2,`) {
		t.Errorf("failures %v", failures)
	}
	failing = false
	refused(t, bob.Try(oracle, "configure", `{"every":5}`), "may not call")
	expect(t, "configure", owner.Call(oracle, "configure", `{"every":5}`), "ok")
	before := len(c.Events(oracle, "oracle.price"))
	c.AdvanceTo(c.Height() + 40)
	if got := len(c.Events(oracle, "oracle.price")) - before; got < 3 {
		t.Errorf("%d prices in 40 blocks", got)
	}
}

// TestQuotes asks several places at once and takes the middle of those that answered. Spec: sdk §9.5.
func TestQuotes(t *testing.T) {
	c := testkit.NewChain(t)
	answers := map[string]any{"https://a/HAY": 9, "https://b/HAY": 5, "https://c/HAY": 7, "https://a/OAT": 3}
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		price, ok := answers[j.Args()[0].(string)]
		if !ok {
			return testkit.Answer{Error: true, Result: "no such symbol"}
		}
		return testkit.Answer{Result: cbor.Map{{Key: "price", Value: price}}}
	})
	alice := c.Account("alice")
	code := source(t, "quotes.py")
	refused(t, alice.TryDeploy(code, []byte(`[]`)), "1 to 8 sources")
	quotes := alice.Deploy(code, []byte(`["https://a","https://b","https://c"]`))
	alice.Fund(quotes, 20*unit.CBY)
	expect(t, "before", alice.Call(quotes, "get", "HAY"), "none")
	alice.Call(quotes, "ask", "HAY")
	alice.Call(quotes, "ask", "OAT")
	c.AdvanceTo(c.Height() + 3)
	expect(t, "middle", alice.Call(quotes, "get", "HAY"), "7")
	expect(t, "too few", alice.Call(quotes, "get", "OAT"), "none")
	if left := c.Events(quotes, "quotes.left_out"); len(left) != 2 {
		t.Errorf("left out: %v", left)
	}
	if none := c.Events(quotes, "quotes.none"); len(none) != 1 || none[0] != `{"answers":1,"symbol":"OAT"}` {
		t.Errorf("none: %v", none)
	}
}

// TestReminder is reminded by a model's sentence, or by its own words when the model is silent. Spec: sdk §10, §11.
func TestReminder(t *testing.T) {
	c := testkit.NewChain(t)
	c.Jobs(func(j *testkit.Job) testkit.Answer {
		if strings.HasSuffix(j.Args()[0].(string), "silence") {
			return testkit.Answer{Lost: true}
		}
		return testkit.Answer{Result: "Do not forget the hay."}
	})
	alice, bob := c.Account("alice"), c.Account("bob")
	reminder := alice.Deploy(source(t, "reminder.py"), []byte{})
	alice.Fund(reminder, 100*unit.CBY)
	expect(t, "first", alice.Call(reminder, "remind", `{"of":"hay","in":3}`), "0")
	expect(t, "second", bob.Call(reminder, "remind", `{"of":"silence","in":3}`), "1")
	expect(t, "third", bob.Call(reminder, "remind", `{"of":"nothing","in":3}`), "2")
	refused(t, alice.Try(reminder, "remind", `{"of":"","in":3}`), "1 to 200")
	refused(t, alice.Try(reminder, "forget", "2"), "no such reminder of yours")
	expect(t, "forget", bob.Call(reminder, "forget", "2"), "ok")
	refused(t, alice.Try(reminder, "due", "0"), "")
	refused(t, alice.Try(reminder, "overdue", "0"), "")
	c.AdvanceTo(c.Height() + 25)
	a, b := alice.Address(), bob.Address()
	want := []string{
		fmt.Sprintf(`{"for":"%x","number":0,"text":"Do not forget the hay."}`, a[:]),
		fmt.Sprintf(`{"for":"%x","number":1,"text":"silence"}`, b[:]),
	}
	if got := c.Events(reminder, "reminder"); strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("reminders %v, want %v", got, want)
	}
}
