package operate

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/accounts"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// A transaction goes to the node as a list of one. One that the node has already is taken; what the node refuses keeps its number and status, however the node
// says it; a node that fails, or that is none, is no refusal.
//
// Spec: node-rpc-cli §2.2, §3.
func TestIntake(t *testing.T) {
	refused := func(code int) wire.SubmitReply {
		e := wire.NewError(code, "so")
		return wire.SubmitReply{Errors: []*wire.Error{&e}}
	}
	for name, c := range map[string]struct {
		status       int
		reply        any
		refusal      int // status of it
		code         int
		noneAnswered bool
	}{
		"taken":            {status: 200, reply: wire.SubmitReply{Added: 1}},
		"there already":    {status: 200, reply: refused(1020)},
		"refused in a 200": {status: 200, reply: refused(1002), refusal: 400, code: 1002},
		"refused":          {status: 400, reply: wire.NewError(1004, "so"), refusal: 400, code: 1004},
		"too often":        {status: 429, reply: wire.NewError(4029, "so"), refusal: 429, code: 4029},
		"failing":          {status: 500, reply: wire.NewError(1900, "so"), noneAnswered: true},
		"no node":          {status: 404, reply: "not found", noneAnswered: true},
	} {
		t.Run(name, func(t *testing.T) {
			var got []byte
			node := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got, _ = io.ReadAll(r.Body)
				w.WriteHeader(c.status)
				_ = json.NewEncoder(w).Encode(c.reply)
			}))
			defer node.Close()
			err := intake{api.New(node.URL)}.Submit(t.Context(), []byte("transaction"))
			var refusal *accounts.Refusal
			is := errors.As(err, &refusal)
			if is != (c.refusal > 0) || is && (refusal.Status != c.refusal || refusal.Reply.Code != c.code) || (err != nil && !is) != c.noneAnswered {
				t.Errorf("%v", err)
			}
			if want := append([]byte{1, 1}, "transaction"...); !bytes.Equal(got, want) {
				t.Errorf("%x, want %x", got, want)
			}
		})
	}
}

// The account API is off where nothing is said, is served where something is, and its port is free again when the relay stops.
//
// Spec: storage-cbfs §3.4.
func TestAccountsAreServed(t *testing.T) {
	s := &Setting{Key: ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)), ChainID: 7}
	directory := reach.NewDirectory(nil, time.Now)
	off, err := s.Accounts.open(s, directory)
	if off != nil || err != nil || off.close() != nil {
		t.Errorf("%+v %v", off, err)
	}
	s.Accounts.Listen = "127.0.0.1:0"
	on, err := s.Accounts.open(s, directory)
	if err != nil {
		t.Fatal(err)
	}
	reply, err := http.Get(on.url + "/ras/auth/me")
	if err != nil {
		t.Fatal(err)
	}
	defer reply.Body.Close()
	var e wire.Error
	if err := json.NewDecoder(reply.Body).Decode(&e); err != nil || reply.StatusCode != 400 || e.Code != 4101 {
		t.Errorf("%s %+v %v", reply.Status, e, err)
	}
	if err := on.close(); err != nil {
		t.Error(err)
	}
	if again, err := http.Get(on.url); err == nil {
		_ = again.Body.Close()
		t.Error("it is served still")
	}
	s.Accounts.Cert, s.Accounts.Key = "none.pem", "none.key"
	if _, err := s.Accounts.open(s, directory); err == nil {
		t.Error("it is served without its certificate")
	}
}
