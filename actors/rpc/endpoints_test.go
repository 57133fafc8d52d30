package rpc

import (
	"crypto/ed25519"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// A node that leaves it to validators to push jobs answers runners that poll with 410; another tells them their jobs.
//
// Spec: runner-marketplace §9.4.
func TestPollingMayBeOver(t *testing.T) {
	path := "/runner/0x0000000000000000000000000000000000000001/jobs"
	for name, c := range map[string]struct {
		sunset bool
		status int
		code   any
	}{"a floor": {false, 200, nil}, "over": {true, 410, 1920.0}} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, newFake(3), func(cfg *Config) { cfg.Sunset = c.sunset })
			if status, body := ask(t, "GET", s.URL+path, "", ""); status != c.status || body["code"] != c.code {
				t.Errorf("%d %v", status, body)
			}
			if status, _ := ask(t, "GET", s.URL+"/validators/endpoints", "", ""); status != 200 {
				t.Errorf("/validators/endpoints: %d", status)
			}
		})
	}
}

// An invitation is read as it is told. What is not hexadecimal, or of another length, is none.
func TestEndpointsAreReadAsTold(t *testing.T) {
	one := &protocol.Invitation{Validator: sig.BLSPublicKey{1}, Introduction: sig.BLSSignature{2}, Endpoint: "validator.example:4301", Number: 7}
	one.Sign(1, ed25519.NewKeyFromSeed(make([]byte, 32)))
	told := wire.ViewEndpoint(one)
	if got, err := told.Invitation(); err != nil || !reflect.DeepEqual(got, one) {
		t.Errorf("%+v %v", got, err)
	}
	for name, change := range map[string]func(e *wire.Endpoint){
		"validator": func(e *wire.Endpoint) { e.Validator = "zz" }, "peer": func(e *wire.Endpoint) { e.Peer = e.Peer[2:] },
		"introduction": func(e *wire.Endpoint) { e.Introduction = "" }, "signature": func(e *wire.Endpoint) { e.Signature += "00" },
	} {
		t.Run(name, func(t *testing.T) {
			bad := told
			change(&bad)
			if _, err := bad.Invitation(); err == nil {
				t.Error("it is read")
			}
		})
	}
	all := wire.Endpoints{Validators: []string{told.Validator}}
	if set, err := all.Set(); err != nil || len(set) != 1 || set[0] != one.Validator {
		t.Errorf("%x %v", set, err)
	}
	all.Validators[0] = "1"
	if _, err := all.Set(); err == nil {
		t.Error("a key that is none is read")
	}
}
