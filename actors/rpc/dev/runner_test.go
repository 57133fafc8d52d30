package dev

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// TestReply reads how a job ends; what breaks a rule is a bad request that says which. Spec: sdk §9.6; runner-marketplace §5.
func TestReply(t *testing.T) {
	for text, want := range map[string]string{
		`{"ending":"ok","result":{"a":1}}`:                          "ok 1 0 1",
		`{"ending":"ok"}`:                                           "ok 1 0 1",
		`{"ending":"error","result":"no","late":3,"copies":2}`:      "error 1 3 2",
		`{"ending":"votes","result":[1,2,null]}`:                    "votes 3 0 1",
		`{"ending":"lost"}`:                                         "lost 0 0 0",
		`{}`:                                                        "ok, error, lost or votes",
		`{"ending":"maybe"}`:                                        "ok, error, lost or votes",
		`{"ending":"ok","result":1.5}`:                              "1.5 is not an integer",
		`{"ending":"votes","result":7}`:                             "a list of 1 to 21",
		`{"ending":"votes","result":[]}`:                            "a list of 1 to 21",
		`{"ending":"lost","result":1}`:                              "no result",
		`{"ending":"lost","late":1}`:                                "neither late nor delivered",
		`{"ending":"ok","late":18446744073709551615}`:               "86400 blocks",
		`{"ending":"ok","copies":4294967297}`:                       "16 times",
		`{"ending":"ok","result":` + strings.Repeat("[", 400) + `1`: "JSON",
	} {
		t.Run(text, func(t *testing.T) {
			var q wire.DevReply
			_ = json.Unmarshal([]byte(text), &q) // a broken result is met below
			if strings.Contains(text, "[[") {
				q = wire.DevReply{Ending: "ok", Result: json.RawMessage(strings.Repeat("[", 400))}
			}
			r, err := reply(q)
			var refusal *rpc.Refusal
			if err != nil {
				if !errors.As(err, &refusal) || refusal.Status != http.StatusBadRequest || !strings.Contains(refusal.Body.Why, want) {
					t.Errorf("%.80s: %v", text, err)
				}
				return
			}
			if got := strings.Join([]string{r.Ending.String(), digits(len(r.Results)), digits(int(r.Late)), digits(int(r.Copies))}, " "); got != want {
				t.Errorf("%s: %s, want %s", text, got, want)
			}
		})
	}
}

func digits(n int) string { raw, _ := json.Marshal(n); return string(raw) }

// TestRunnerMistakes are answered before anything is sent to the chain.
func TestRunnerMistakes(t *testing.T) {
	handler := (&Controls{}).Handler(&rpc.Node{}, http.NotFoundHandler())
	for _, c := range []struct{ path, body, why string }{
		{"/dev/runner", `{"type":"` + strings.Repeat("x", 65) + `","ending":"lost"}`, "at most 64 bytes"},
		{"/dev/runner", `{"actor":"bob","ending":"lost"}`, "40 hex digits"},
		{"/dev/runner", `{"ending":"ok","result":"` + strings.Repeat("x", 1<<16) + `"}`, "at most 65536 are kept"},
		{"/dev/runner", `{"ending":"lost","colour":"red"}`, "not what the call takes"},
		{"/dev/runner/clear", `{"actor":"bob"}`, "40 hex digits"},
		{"/dev/runner/answer", `{"ending":"lost"}`, "GET /dev/runner lists them"},
		{"/dev/runner/answer", `{"job":"` + strings.Repeat("x", 257) + `","ending":"lost"}`, "GET /dev/runner lists them"},
	} {
		t.Run(c.why, func(t *testing.T) {
			w := httptest.NewRecorder()
			handler.ServeHTTP(w, httptest.NewRequest("POST", c.path, strings.NewReader(c.body)))
			if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), c.why) {
				t.Errorf("%s %.60s: %d %s", c.path, c.body, w.Code, w.Body)
			}
		})
	}
	page := httptest.NewRequest("POST", "/dev/runner", strings.NewReader(`{"ending":"lost"}`))
	page.Header.Set("Origin", "http://elsewhere")
	w := httptest.NewRecorder()
	if handler.ServeHTTP(w, page); w.Code != http.StatusForbidden {
		t.Errorf("a page of another origin: %d", w.Code)
	}
}
