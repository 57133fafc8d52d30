package operate

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"go.uber.org/goleak"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
	"github.com/cowboyinc/cowboy-go/testkit/bench"
)

// scripted is a node of one actor under one name, whose blocks come when the test says.
type scripted struct {
	height  atomic.Uint64
	asked   atomic.Int64    // for queries
	blocks  chan uint64     // to tell of; 0 ends the stream
	follows chan string     // the query of each stream
	quiet   context.Context // ends streams
}

func (s *scripted) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	say := func(v any) { _ = json.NewEncoder(w).Encode(v) }
	actor := account.Address{7}.String()
	switch r.URL.Path {
	case "/stream":
		s.stream(w, r)
	case "/name/shop.cowboy.network":
		terms := &wire.HTTPTerms{Methods: []string{"GET"}, ResponseBytes: 100, QueryCycles: 1_000}
		say(wire.Name{FQDN: "shop.cowboy.network", Actor: actor, Status: "active", HTTP: terms})
	case "/actor/" + actor + "/read_handler":
		s.asked.Add(1)
		data, err := cbor.Append(nil, cbor.Map{{Key: "status", Value: 200}, {Key: "body", Value: "hello"}})
		if err != nil {
			panic(err)
		}
		at := s.height.Load()
		say(wire.ReadReply{BlockHeight: at, StateRoot: fmt.Sprint("0x", at), Result: hex.EncodeToString(data)})
	default:
		w.WriteHeader(http.StatusNotFound)
		say(wire.Error{Message: "nothing here"})
	}
}

// stream tells of blocks as a node does.
//
// Spec: node-rpc-cli §1.
func (s *scripted) stream(w http.ResponseWriter, r *http.Request) {
	control := http.NewResponseController(w)
	fmt.Fprint(w, ": connected\n\n")
	_ = control.Flush()
	s.follows <- r.URL.RawQuery
	for {
		select {
		case n := <-s.blocks:
			if n == 0 {
				return
			}
			text, _ := json.Marshal(wire.Block{Height: n, TimestampMs: uint64(time.Now().UnixMilli())})
			fmt.Fprintf(w, "id: %d.0\nevent: block\ndata: %s\n\n", n, text)
			_ = control.Flush()
		case <-r.Context().Done():
			return
		case <-s.quiet.Done():
			return
		}
	}
}

// A gateway beside its node keeps answers while the node's stream tells it of final blocks, each with the block and the root it was computed from, and asks for
// each query before the first of them, when the stream is down and when a client names a block that is to come. When it stops nobody follows any more.
//
// Spec: gateway-payments-streams §B (queries).
func TestAGatewayFollowsItsNode(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	quiet, end := context.WithCancel(context.Background())
	n := &scripted{blocks: make(chan uint64), follows: make(chan string, 100), quiet: quiet}
	n.height.Store(41)
	node := httptest.NewServer(n)
	g, err := New(&Setting{Options: Options{Dir: t.TempDir(), HTTP: "127.0.0.1:0", Kept: 1, Most: 1}, Node: openNode(node.URL), Key: genesis.DevGateway(),
		Clock: bench.Hurried{Start: time.Now()}, Log: zerolog.Nop()})
	if err != nil {
		t.Fatal(err)
	}
	at := g.Addresses()[0]
	tree, err := supervision.New(g.Tree, supervision.Config{})
	if err != nil {
		t.Fatal(err)
	}
	tree.Spawn()
	transport := &http.Transport{}
	get := func(least string) string {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at+"/", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Host = "shop.cowboy.network"
		if least != "" {
			r.Header.Set("X-Cowboy-Min-Block", least)
		}
		x, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		defer x.Body.Close()
		body, err := io.ReadAll(x.Body)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%d %s %s %s", x.StatusCode, body, x.Header.Get("X-Cowboy-Block"), x.Header.Get("X-Cowboy-State-Root"))
	}
	// asks says how often three alike requests have the node asked.
	asks := func(block string) int64 {
		t.Helper()
		before := n.asked.Load()
		for range 3 {
			if got := get(""); got != "200 hello "+block+" 0x"+block {
				t.Errorf("%s, want block %s", got, block)
			}
		}
		return n.asked.Load() - before
	}
	// until waits for what the gateway takes from its stream on a goroutine of its own.
	until := func(what string, want int64, block string) {
		t.Helper()
		for range 10_000 {
			if asks(block) == want {
				return
			}
		}
		t.Errorf("%s: the node is not asked %d times for three requests", what, want)
	}
	if q := <-n.follows; q != "kinds=blocks" {
		t.Errorf("it follows %q", q)
	}
	if got := asks("41"); got != 3 {
		t.Errorf("before the first block the node is asked %d times", got)
	}
	n.blocks <- 41
	until("after a block", 0, "41")
	n.height.Store(42)
	if got := get("42"); got != "200 hello 42 0x42" {
		t.Errorf("block 42: %s", got)
	}
	if got := asks("42"); got != 0 {
		t.Errorf("after an answer of a newer block the node is asked %d times", got)
	}
	n.blocks <- 0
	<-n.follows // the next stream, which has told nothing
	if got := asks("42"); got != 3 {
		t.Errorf("after the stream broke the node is asked %d times", got)
	}
	n.blocks <- 42
	until("after the first block of the next stream", 0, "42")
	if err := tree.Stop(context.Background()); err != nil {
		t.Error(err)
	}
	g.Close()
	transport.CloseIdleConnections()
	end()
	node.Close()
	goleak.VerifyNone(t, ignore, goleak.IgnoreTopFunction("github.com/hashicorp/golang-lru/v2/expirable.NewLRU[...].func1")) // which nothing ends
}

// The block that has a payment moves what the gateway knows on, whether the payment succeeded or not.
//
// Spec: gateway-payments-streams §F.
func TestPaymentsMoveTheHead(t *testing.T) {
	for name, success := range map[string]bool{"one that is taken": true, "one that is not": false} {
		t.Run(name, func(t *testing.T) {
			node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var v any = map[string]any{} // which is health, fees, an account and a submission that went well
				switch {
				case r.URL.Path == "/simulate":
					v = wire.Simulation{Success: true}
				case strings.HasSuffix(r.URL.Path, "/receipt"):
					v = wire.Receipt{Success: success, BlockHeight: 77}
				}
				_ = json.NewEncoder(w).Encode(v)
			}))
			defer node.Close()
			head := gateway.NewHead(supervision.RealClock{})
			c := &client{wallet: &api.Wallet{Node: openNode(node.URL), Key: genesis.DevGateway()}, saw: head.Saw}
			if _, err := c.Pay(t.Context(), "settle_payment", cbor.Map{}); (err == nil) != success {
				t.Error(err)
			}
			if number, _ := head.Newest(); number != 77 {
				t.Errorf("the newest is %d", number)
			}
		})
	}
}
