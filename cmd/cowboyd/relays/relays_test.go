package relays

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy-relay/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// The relays, the proxies and the runners of a development network take their coins from one account when it begins, so that a transfer's nonce may be
// another's already: what the node refused is sent with the next poll, and what it took is waited for.
func TestCoinsThatWereRefused(t *testing.T) {
	var submitted atomic.Int64
	faucet := genesis.DevFaucet()
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var reply any = struct{}{}
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/relays/"):
			w.WriteHeader(http.StatusNotFound)
			reply = wire.Error{Code: 4004}
		case path == "/account/"+faucet.Address().String():
			reply = wire.Account{Balance: 1 << 60}
		case path == "/submit" && submitted.Add(1) == 1:
			reply = wire.SubmitReply{Errors: []*wire.Error{{Code: 4004, Message: "replacement pays too little"}}}
		case path == "/submit":
			reply = wire.SubmitReply{Errors: []*wire.Error{nil}}
		case path == "/simulate":
			reply = wire.Simulation{Success: true}
		}
		_ = json.NewEncoder(w).Encode(reply)
	}))
	defer node.Close()
	account := genesis.DevRunner(0)
	e := &enrolment{Chain: operate.NewChain(api.New(node.URL), account), faucet: runner.NewClient(api.New(node.URL), faucet), account: account}
	poll := func(enrolling bool, transfers int64) {
		t.Helper()
		_, err := e.Self(t.Context())
		if err == nil || errors.Is(err, errEnrolling) != enrolling || submitted.Load() != transfers {
			t.Fatalf("%v, %d transfers were sent", err, submitted.Load())
		}
	}
	poll(false, 1)
	poll(true, 2)
	poll(true, 2)
}
