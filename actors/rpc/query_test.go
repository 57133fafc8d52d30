package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// A query is a POST with a handler and hex digits; its answer names the block it was read after.
//
// Spec: gateway-payments-streams §B.
func TestReadHandler(t *testing.T) {
	handler := NewHandler(Config{Backend: newFake(7), Limits: Limits{Body: 1 << 10}})
	path := "/actor/" + strings.Repeat("ab", 20) + "/read_handler"
	for body, status := range map[string]int{
		`{"selector":"get","payload":"7b7d"}`:                                http.StatusOK,
		`{"selector":"get","payload":"0x7b7d","max_cycles":5,"min_block":3}`: http.StatusOK,
		`{"selector":"get","payload":"7b7"}`:                                 http.StatusBadRequest,
		`{"selector":"get","paylod":"7b7d"}`:                                 http.StatusBadRequest,
		`get`:                                                                http.StatusBadRequest,
		`{"selector":"get","payload":"` + strings.Repeat("00", 1<<10) + `"}`: http.StatusRequestEntityTooLarge,
	} {
		t.Run(body[:min(len(body), 60)], func(t *testing.T) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
			if w.Code != status {
				t.Errorf("%.60s: %d %s", body, w.Code, w.Body)
			}
			if status == http.StatusOK && w.Header().Get("X-Cowboy-Block") != "7" {
				t.Errorf("%.60s: header %v", body, w.Header())
			}
		})
	}
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/actor/nobody/read_handler", strings.NewReader("{}")))
	if w.Code != http.StatusBadRequest {
		t.Errorf("of nobody: %d", w.Code)
	}
}

// The errors of a query are those of the published table.
//
// Spec: gateway-payments-streams §B.
func TestQueryErrors(t *testing.T) {
	place := host.Place{Actor: account.Address{1}, Place: pvm.Place{File: "actor.py", Line: 3, Function: "f"}}
	failure := &host.Failure{Type: "ValueError", Text: "no", Places: []host.Place{place}}
	n := &Node{}
	for name, c := range map[string]struct {
		answer query.Answer
		status int
		header string
	}{
		"an exception":   {query.Answer{Outcome: fault(drain.FaultException, "ValueError: no"), Told: query.Told{Failure: failure}}, 500, "HANDLER_PANIC"},
		"a write":        {query.Answer{Outcome: fault(drain.FaultForbidden, "ReadOnlyError: not allowed in a query")}, 500, "READ_ONLY_VIOLATION"},
		"another purity": {query.Answer{Outcome: fault(drain.FaultForbidden, "PurityViolationError: send needs a @deferred handler")}, 500, "HANDLER_PANIC"},
		"a loop":         {query.Answer{Outcome: fault(drain.FaultCycles, "out of cycles")}, 422, "QUERY_CYCLE_LIMIT"},
		"nobody":         {query.Answer{Outcome: fault(drain.FaultActor, "no actor at …")}, 404, "HANDLER_PANIC"},
		"no handler": {query.Answer{Outcome: fault(drain.FaultCall, "ActorCallError: …"),
			Told: query.Told{Missing: &host.Missing{Has: []string{"f"}}, Failure: &host.Failure{}}}, 404, "HANDLER_PANIC"},
	} {
		t.Run(name, func(t *testing.T) {
			r := n.queryFault(&c.answer)
			if r.Status != c.status || r.Body.Context["name"] != c.header {
				t.Errorf("%s: %d %v, want %d %s", name, r.Status, r.Body.Context["name"], c.status, c.header)
			}
			if raw, err := json.Marshal(r.Body); err != nil || c.answer.Failure == failure && !strings.Contains(string(raw), `"line":3,"function":"f"`) {
				t.Errorf("%s: %s, %v", name, raw, err)
			}
		})
	}
	for err, want := range map[error]int{query.ErrTime: 422, query.ErrBusy: 503, error(&query.Broken{Cause: errors.New("x")}): 500} {
		t.Run(err.Error(), func(t *testing.T) {
			if r := (*Refusal)(nil); !errors.As(executed(err), &r) || r.Status != want {
				t.Errorf("%v: %v", err, executed(err))
			}
		})
	}
	if _, err := n.ReadHandler(context.Background(), door.SourceAt(""), account.Address{}, wire.ReadRequest{}, nil); err != errNoQueries {
		t.Errorf("without a service: %v", err)
	}
}

func fault(code uint16, text string) drain.Outcome {
	return drain.Outcome{Fault: &block.Fault{Code: code, Text: text}}
}

// Clients see what actors print on development networks only.
func TestPrintsAreForDevelopment(t *testing.T) {
	list := []host.Print{{Text: "x"}}
	if got := (&Node{}).printed(list); got != nil {
		t.Errorf("elsewhere: %v", got)
	}
	if got := (&Node{Prints: true}).printed(list); len(got) != 1 {
		t.Errorf("there: %v", got)
	}
}

// An explanation as text is plain text, whatever an actor wrote.
func TestExplanationAsText(t *testing.T) {
	w := httptest.NewRecorder()
	(&server{}).answer(w, plainText(wire.Explanation{Traceback: "<script>"}), nil)
	if h := w.Header(); h.Get("Content-Type") != "text/plain; charset=utf-8" || h.Get("X-Content-Type-Options") != "nosniff" || w.Body.String() != "<script>" {
		t.Errorf("%v %s", h, w.Body)
	}
	refused := wire.NewError(1220, "no actor")
	for want, e := range map[string]wire.Explanation{"it did not fail\n": {}, "E1220 actor not found: no actor\n": {Error: &refused}} {
		t.Run(want, func(t *testing.T) {
			if got := string(plainText(e)); got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
}

// What has a block executed takes no turn of the reads.
func TestExplanationsTakeNoTurn(t *testing.T) {
	s := &server{turns: make(chan struct{}, 1)}
	s.turns <- struct{}{} // somebody reads
	out, ok := s.begin(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/explain/00", nil))
	if !ok || out.turns != nil {
		t.Errorf("%v, turns %v", ok, out.turns)
	}
}
