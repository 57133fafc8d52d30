package operate

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// TestALeaverStaysAway has a proxy see that it was deregistered, and that its stake was paid out: it does not stake it again.
//
// Spec: secrets-cbss §4 (72, 73).
func TestALeaverStaysAway(t *testing.T) {
	self := new(proxy.Identity)
	known := &wire.Proxy{ID: wire.Hash(self.ID), TLS: wire.Hash(self.ID), NetworkAddr: "127.0.0.1:9601", UnbondAt: 700_000}
	node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if known == nil {
			w.WriteHeader(http.StatusNotFound)
			_ = json.NewEncoder(w).Encode(wire.Error{})
			return
		}
		_ = json.NewEncoder(w).Encode(known)
	}))
	defer node.Close()
	e := &Enrolment{Node: api.New(node.URL), Self: self, Address: "127.0.0.1:9601"} // it has no chain to send to
	if err := e.Enrol(t.Context()); err != nil {
		t.Fatalf("while it leaves: %v", err)
	}
	known = nil
	for range looksFor - 1 {
		if err := e.Enrol(t.Context()); err != nil {
			t.Fatalf("between two looks: %v", err)
		}
	}
	if err := e.Enrol(t.Context()); !errors.Is(err, errLeft) {
		t.Errorf("once it has left: %v", err)
	}
}
