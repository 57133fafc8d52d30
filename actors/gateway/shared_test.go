package gateway

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// counting is a handler that says what it was asked, and how often.
func counting(w *world) *int {
	asked := new(int)
	w.query = func(e cbor.Map, _ *Question) (cbor.Map, error) {
		*asked++
		id, _ := e.Lookup("request_id")
		return cbor.Map{{Key: "status", Value: 200}, {Key: "headers", Value: cbor.Map{{Key: "x-asked", Value: []any{id}}}}}, nil
	}
	return asked
}

// Of requests after one block that differ in their identity alone the handler is run for the first, and the others are given its answer with its identity. What
// differs in anything that reaches the handler, or is asked after another block, is asked for itself; so is everything where the newest block is not known.
//
// Spec: gateway-payments-streams §B (queries).
func TestSharedAnswers(t *testing.T) {
	header := func(name, value string) func(r *http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	at := func(number uint64) func() (uint64, bool) { return func() (uint64, bool) { return number, true } }
	same := func(*http.Request) {}
	for name, c := range map[string]struct {
		change func(r *http.Request) // of the second request
		newest func() (uint64, bool) // as the second request finds it
		asked  int
	}{
		"the same":                 {same, at(41), 1},
		"another path":             {func(r *http.Request) { r.URL.Path = "/b" }, at(41), 2},
		"another query":            {func(r *http.Request) { r.URL.RawQuery = "x=2" }, at(41), 2},
		"another method":           {func(r *http.Request) { r.Method = http.MethodHead }, at(41), 2},
		"another host":             {func(r *http.Request) { r.Host = "shop.example" }, at(41), 2},
		"another header":           {header("Accept-Language", "de"), at(41), 2},
		"another visitor":          {header("Cookie", "a=1"), at(41), 2},
		"a header nobody is told":  {header("Prefer", "wait=3"), at(41), 1},
		"a block that is there":    {header(minHeader, "41"), at(41), 1},
		"a block that is to come":  {header(minHeader, "42"), at(41), 2},
		"another block":            {same, at(42), 2},
		"a block before":           {same, at(40), 2},
		"nobody knows the newest":  {same, nil, 2},
		"it is not known any more": {same, func() (uint64, bool) { return 41, false }, 2},
		"another body of the same": {func(r *http.Request) { r.Body = http.NoBody }, at(41), 1},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			asked := counting(w)
			d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
			d.Newest = c.newest
			ids := map[string]bool{}
			for _, change := range []func(r *http.Request){same, c.change} {
				r := httptest.NewRequest(http.MethodGet, "http://"+host+"/a?x=1", nil)
				change(r)
				out := httptest.NewRecorder()
				d.ServeHTTP(out, r)
				h := out.Header()
				if out.Code != http.StatusOK || h.Get(blockHeader) != "41" || h.Get(rootHeader) != "0x2a" || h.Get("X-Asked") != h.Get(requestHeader) {
					t.Fatalf("%d %v", out.Code, h)
				}
				ids[h.Get(requestHeader)] = true
			}
			if *asked != c.asked || len(ids) != c.asked {
				t.Errorf("asked %d times, %d identities; want %d", *asked, len(ids), c.asked)
			}
		})
	}
}

// Of a crowd that asks the same when a block has come no more reach the node than one actor may have there at a time: who waits for a turn is given what has
// been answered meanwhile.
//
// Spec: gateway-payments-streams §B (queries).
func TestACrowdIsAnsweredTogether(t *testing.T) {
	const crowd = 50
	w := newWorld()
	var asked atomic.Int64
	came, answer := make(chan struct{}, crowd), make(chan struct{})
	w.hold = func(context.Context, cbor.Map) {
		asked.Add(1)
		came <- struct{}{}
		<-answer
	}
	w.query = answered(cbor.Pair{Key: "status", Value: 200})
	d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
	d.Newest = func() (uint64, bool) { return 41, true }
	var all sync.WaitGroup
	for range crowd {
		all.Go(func() {
			out := httptest.NewRecorder()
			d.ServeHTTP(out, httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil))
			if out.Code != http.StatusOK || out.Header().Get(blockHeader) != "41" {
				t.Errorf("%d %v", out.Code, out.Header())
			}
		})
	}
	for range actorQueries {
		<-came
	}
	close(answer)
	all.Wait()
	if n := asked.Load(); n != actorQueries {
		t.Errorf("the node was asked %d times, want %d", n, actorQueries)
	}
}

// What fails is not kept: an error may be the node's alone.
func TestFailuresAreNotShared(t *testing.T) {
	for name, fails := range map[string]func() (cbor.Map, error){
		"a handler that traps": func() (cbor.Map, error) {
			return nil, &Refused{Status: http.StatusInternalServerError, Name: "HANDLER_PANIC"}
		},
		"no response": func() (cbor.Map, error) { return cbor.Map{}, nil },
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := newWorld(), 0
			w.query = func(cbor.Map, *Question) (cbor.Map, error) {
				asked++
				return fails()
			}
			d := NewDoor(Door{Node: w, Handle: NewHandle(), Address: self, Clock: supervision.RealClock{}})
			d.Newest = func() (uint64, bool) { return 41, true }
			for range 2 {
				d.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "http://"+host+"/", nil))
			}
			if asked != 2 {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}

// Answers have 16 MiB with their requests; beyond it nothing is kept until the next block, when all room is free again. What an older block said does not
// drive out what a newer one did.
func TestRoomForSharedAnswers(t *testing.T) {
	s := new(shared)
	large := func(i int) sharedKey { return sharedKey{envelope: fmt.Sprint(i, strings.Repeat("x", 1<<20))} }
	put := func(i int, at uint64) { s.put(large(i), &said{at: at, response: &receipt.Response{Status: 200}}) }
	for i := range 40 {
		put(i, 7)
	}
	if s.size > 16<<20 || len(s.list) != 15 { // each is a mebibyte and a little more
		t.Errorf("%d bytes of %d answers", s.size, len(s.list))
	}
	put(39, 8)
	if s.find(8, large(39)) == nil || s.find(7, large(0)) != nil || len(s.list) != 1 {
		t.Errorf("after another block: %d answers", len(s.list))
	}
	put(1, 7)
	if s.find(8, large(39)) == nil || s.find(7, large(1)) != nil {
		t.Error("an older block's answer came in")
	}
}

// An answer takes the bytes of its handler and its request, twice its own, and 256: one that takes 16 MiB is kept, one that takes a byte more is not.
func TestRoomForOneAnswer(t *testing.T) {
	for left, kept := range map[int]bool{1: true, 0: true, -1: false} {
		t.Run(fmt.Sprint(left), func(t *testing.T) {
			s, response := new(shared), &receipt.Response{Envelope: make([]byte, 1_000)}
			key := sharedKey{handler: "item", envelope: strings.Repeat("x", 16<<20-len("item")-2*1_000-256-left)}
			s.put(key, &said{at: 7, response: response})
			if got := s.find(7, key) != nil; got != kept {
				t.Errorf("kept: %v, want %v", got, kept)
			}
		})
	}
}
