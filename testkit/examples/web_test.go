package examples

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

// answer is status and body of an HTTP response.
func answer(t *testing.T, data []byte) string {
	t.Helper()
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		t.Fatalf("no response: %x", data)
	}
	status, _ := fields.Lookup("status")
	body, _ := fields.Lookup("body")
	return fmt.Sprintf("%v %s", status, body)
}

func envelope(method, path, body string, query cbor.Map) cbor.Map {
	return cbor.Map{
		{Key: "method", Value: method}, {Key: "path", Value: path}, {Key: "query", Value: query}, {Key: "headers", Value: cbor.Map{}},
		{Key: "body", Value: body}, {Key: "host", Value: "guests.cowboy.network"}, {Key: "request_id", Value: "r" + path + body},
	}
}

func browse(t *testing.T, c *testkit.Chain, a account.Address, path string, query cbor.Map) string {
	t.Helper()
	data, err := cbor.Append(nil, envelope("GET", path, "", query))
	if err != nil {
		t.Fatal(err)
	}
	out := c.Query(a, "http.request", data, nil)
	if out.Fault != nil {
		t.Fatal(out.Fault)
	}
	return answer(t, out.Return)
}

// TestGuestbook is read by queries, signed through the gateway, closed and opened by its owner. Spec: sdk §19.2, §19.3.
func TestGuestbook(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob := c.Account("alice"), c.Account("bob")
	book := alice.Deploy(source(t, "guestbook.py"), []byte{})
	alice.Fund(book, 50*unit.CBY)
	sign := func(body string) string {
		x := c.Dispatch(book, "http.request", envelope("POST", "/api/entries", body, cbor.Map{}))
		if x.Status != block.Success {
			t.Fatal(testkit.Describe(x))
		}
		return answer(t, x.ReturnData)
	}
	expect(t, "empty", browse(t, c, book, "/api/entries", cbor.Map{}), `200 {"count":0,"entries":[]}`)
	expect(t, "signing", sign(`{"name":"Ann","text":" hello "}`), `201 {"number":0}`)
	at := c.Height()
	expect(t, "nonsense", sign(`hello`), `400 name and text, please`)
	expect(t, "empty text", sign(`{"name":"Ann","text":" "}`), `422 1 to 280 characters`)
	for i := range 12 {
		sign(fmt.Sprintf(`{"name":"Bob","text":"%d"}`, i))
	}
	expect(t, "one", browse(t, c, book, "/api/entries/0", cbor.Map{}), fmt.Sprintf(`200 {"at":%d,"name":"Ann","text":"hello"}`, at))
	expect(t, "none", browse(t, c, book, "/api/entries/99", cbor.Map{}), `404 no such entry`)
	byName, _ := cbor.Append(nil, append(envelope("GET", "/api/entries/0", "", nil),
		cbor.Pair{Key: "path_params", Value: cbor.Map{{Key: "number", Value: "0"}}}))
	if out := c.Query(book, "entry", byName, nil); out.Fault != nil || answer(t, out.Return) != browse(t, c, book, "/api/entries/0", cbor.Map{}) {
		t.Errorf("by its name: %v", out)
	}
	expect(t, "the pages", browse(t, c, book, "/style.css", cbor.Map{}), `404 the gateway serves this path`)
	page := browse(t, c, book, "/api/entries", cbor.Map{{Key: "from", Value: []any{"1"}}})
	if want := fmt.Sprintf(`200 {"count":13,"entries":[{"at":%d,"name":"Bob","text":"0"},{"at":%d,"name":"Ann","text":"hello"}]}`, at+6, at); page != want {
		t.Errorf("page %s, want %s", page, want)
	}
	refused(t, bob.Try(book, "sign", `{"method":"POST","path":"/api/entries"}`), "through the gateway")
	refused(t, bob.Try(book, "close", ""), "may not call")
	expect(t, "closing", alice.Call(book, "close", ""), "1")
	expect(t, "signing a closed book", sign(`{"name":"Eve","text":"late"}`), `404 the gateway serves this path`)
	expect(t, "opening", alice.Call(book, "open", ""), "1")
	expect(t, "signing again", sign(`{"name":"Eve","text":"early"}`), `201 {"number":13}`)
}

// TestStream pays by the block, to the unit. Spec: sdk §13 (transfer).
func TestStream(t *testing.T) {
	c := testkit.NewChain(t)
	alice, bob, eve := c.Account("alice"), c.Account("bob"), c.Account("eve")
	stream := alice.Deploy(source(t, "stream.py"), []byte{})
	terms := fmt.Sprintf(`{"to":"%s","rate":100,"blocks":20}`, bob.Hex())
	refused(t, alice.Try(stream, "open", terms), "fund the actor with 2000")
	refused(t, alice.Try(stream, "open", fmt.Sprintf(`{"to":"%s","rate":0,"blocks":20}`, bob.Hex())), "a stream flows")
	alice.Fund(stream, 2_000)
	expect(t, "number", alice.Call(stream, "open", terms), "0")
	refused(t, eve.Try(stream, "open", terms), "fund the actor") // what is locked is nobody else's
	opened := c.Height() - 1
	expect(t, "nothing yet taken", eve.Call(stream, "show", "0"), fmt.Sprintf(`{"flowed":%d,"rate":100,"taken":0}`, 100*(c.Height()-opened)))
	before := c.Balance(stream)
	taken := eve.Call(stream, "take", "0") // anybody may push
	if want := fmt.Sprint(100 * (c.Height() - opened)); taken != want {
		t.Errorf("took %s, want %s", taken, want)
	}
	if got := before - c.Balance(stream); fmt.Sprint(uint64(got)) != taken {
		t.Errorf("%d left the actor", got)
	}
	refused(t, eve.Try(stream, "stop", "0"), "only payer or payee")
	flowed := 100 * uint64(c.Height()+1-opened)
	expect(t, "the rest", bob.Call(stream, "stop", "0"), fmt.Sprint(2_000-flowed))
	if got := c.Balance(stream); got != 0 {
		t.Errorf("the actor kept %d", got)
	}
	refused(t, bob.Try(stream, "take", "0"), "no such stream")

	// A stream that is over pays its whole and nothing more.
	alice.Fund(stream, 2_000)
	alice.Call(stream, "open", terms)
	c.AdvanceTo(c.Height() + 50)
	expect(t, "all of it", bob.Call(stream, "take", "1"), "2000")
	expect(t, "no more", bob.Call(stream, "take", "1"), "0")
	expect(t, "nothing returns", alice.Call(stream, "stop", "1"), "0")
}
