package rpc

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// What a handler answers reaches a client in the same process as it would over a connection.
//
// Spec: gateway-payments-streams §B.
func TestLocal(t *testing.T) {
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		status  int
		body    string
	}{
		"a body":       {func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, " ", r.RequestURI) }, 200, "POST /a?b=c"},
		"an error":     {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusTeapot) }, 418, "no\n"},
		"nothing":      {func(http.ResponseWriter, *http.Request) {}, 200, ""},
		"what it read": {func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) }, 200, "sent"},
		"many writes": {func(w http.ResponseWriter, _ *http.Request) {
			for range 3 {
				fmt.Fprint(w, strings.Repeat("x", 1<<16))
			}
		}, 200, strings.Repeat("x", 3<<16)},
	} {
		t.Run(name, func(t *testing.T) {
			x, err := (&http.Client{Transport: Local{c.handler}}).Post("http://node.invalid/a?b=c", "text/plain", strings.NewReader("sent"))
			if err != nil {
				t.Fatal(err)
			}
			defer x.Body.Close()
			body, err := io.ReadAll(x.Body)
			if err != nil || x.StatusCode != c.status || string(body) != c.body {
				t.Errorf("%d %.40q %v, want %d %.40q", x.StatusCode, body, err, c.status, c.body)
			}
		})
	}
}

// A handler that streams is read as it writes; when its client has enough, its context ends and so does what it writes. One that panics ends its answer.
//
// Spec: gateway-payments-streams §B (streaming bodies).
func TestLocalStreams(t *testing.T) {
	ended := make(chan error, 1)
	stream := func(w http.ResponseWriter, r *http.Request) {
		for {
			if _, err := fmt.Fprintln(w, "x"); err != nil {
				<-r.Context().Done()
				ended <- r.Context().Err()
				return
			}
		}
	}
	x, err := (&http.Client{Transport: Local{http.HandlerFunc(stream)}}).Get("http://node.invalid/")
	if err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(x.Body).ReadString('\n'); err != nil || line != "x\n" {
		t.Errorf("%q %v", line, err)
	}
	if err := x.Body.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler's context ended with %v", err)
	}

	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://node.invalid/", nil)
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if x, err := (Local{http.HandlerFunc(silent)}).RoundTrip(r); !errors.Is(err, context.Canceled) {
		_ = x.Body.Close()
		t.Errorf("with nobody waiting: %v", err)
	}

	broken := func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, "half")
		panic("a bug")
	}
	if x, err = (&http.Client{Transport: Local{http.HandlerFunc(broken)}}).Get("http://node.invalid/"); err != nil {
		t.Fatal(err)
	}
	defer x.Body.Close()
	if body, err := io.ReadAll(x.Body); err == nil || string(body) != "half" {
		t.Errorf("%q %v", body, err)
	}
}
