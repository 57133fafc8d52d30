package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// A busy node is asked again when it says, five times at most, or as often as the client is told to; what it may have done already is not sent again.
//
// Spec: node-rpc-cli §2 (429, Retry-After).
func TestBusyNode(t *testing.T) {
	for name, c := range map[string]struct {
		method, after string
		status        int
		refusals      int64
		asked         int64
		fails         bool
	}{
		"a read":                            {"GET", "1", 429, 2, 3, false},
		"a read without a place":            {"GET", "1", 503, 1, 2, false},
		"a transaction":                     {"POST", "1", 429, 4, 5, false},
		"one that may have been taken":      {"POST", "1", 503, 1, 1, true},
		"too busy":                          {"GET", "1", 429, 5, 5, true},
		"a faucet that is open a minute on": {"POST", "12", 429, 1, 1, true},
		"a node that says nothing":          {"GET", "", 429, 1, 1, true},
		"a node that says nonsense":         {"GET", "-1", 429, 1, 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			answer := func(w http.ResponseWriter) {
				if asked.Add(1) > c.refusals {
					_, _ = w.Write([]byte("{}"))
					return
				}
				w.Header().Set("Retry-After", c.after)
				w.WriteHeader(c.status)
			}
			synctest.Test(t, func(t *testing.T) {
				node := New("http://node")
				node.HTTP.Transport = answering(answer)
				begun := time.Now()
				var reply wire.Health
				err := node.Do(context.Background(), c.method, "/x", "", []byte("body"), &reply)
				if (err != nil) != c.fails || asked.Load() != c.asked {
					t.Errorf("%v, asked %d times", err, asked.Load())
				}
				if waited := time.Since(begun); waited != time.Duration(c.asked-1)*time.Second {
					t.Error("waited", waited)
				}
			})
		})
	}
	t.Run("who serves others", func(t *testing.T) {
		asked := 0
		node := New("http://node")
		node.Tries = 1
		node.HTTP.Transport = answering(func(w http.ResponseWriter) {
			asked++
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		})
		if err := node.Read(t.Context(), "/x", nil); err == nil || asked != 1 {
			t.Errorf("%v, asked %d times", err, asked)
		}
	})
	t.Run("nobody waits for it", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		node := New("http://node")
		node.HTTP.Transport = answering(func(w http.ResponseWriter) {
			cancel()
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(429)
		})
		if err := node.Read(ctx, "/x", nil); err == nil {
			t.Error("no error")
		}
	})
}

// answering is a node within the test.
type answering func(w http.ResponseWriter)

func (a answering) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	a(w)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}
