package operate

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/accounts"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// submission is the tag of a list of transactions. Spec: node-rpc-cli §3.
const submission = 1

// Accounts says where a relay serves its account API.
//
// Spec: storage-cbfs §3.4.
type Accounts struct {
	Listen    string // host:port; "" for nowhere
	Cert, Key string // PEM files, for https; "" for http
	Observe   func(call string, status int)
	Node      *api.Client // that takes transactions
}

// desk serves the account API. nil serves nothing.
type desk struct {
	server *http.Server
	url    string
}

// open opens the port, and serves it until the desk is closed.
func (a *Accounts) open(s *Setting, directory *reach.Directory) (*desk, error) {
	if a.Listen == "" {
		return nil, nil
	}
	h := &accounts.Server{
		Node: NodeOf(s.Key), Network: api.NetworkOf(s.ChainID), Directory: directory, Chain: intake{a.Node}, Now: time.Now, Observe: a.Observe,
	}
	d := &desk{server: accounts.NewServer(h.Handler(), log.New(io.Discard, "", 0))}
	scheme := "http://"
	if a.Cert != "" {
		pair, err := tls.LoadX509KeyPair(a.Cert, a.Key)
		if err != nil {
			return nil, err
		}
		scheme, d.server.TLSConfig = "https://", &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
	}
	l, err := net.Listen("tcp", a.Listen)
	if err != nil {
		return nil, err
	}
	d.url = scheme + l.Addr().String()
	bounded := accounts.Connections.Bounded(l)
	if d.server.TLSConfig != nil {
		bounded = tls.NewListener(bounded, d.server.TLSConfig)
	}
	go func() { _ = d.server.Serve(bounded) }()
	return d, nil
}

func (d *desk) close() error {
	if d == nil {
		return nil
	}
	return d.server.Close()
}

// intake hands transactions to a node. It implements accounts.Node.
type intake struct{ node *api.Client }

// Submit implements accounts.Node. A transaction that the node has already is taken.
//
// Spec: node-rpc-cli §3.
func (i intake) Submit(ctx context.Context, transaction []byte) error {
	reply, err := i.node.Submit(ctx, append(codec.AppendLen([]byte{submission}, 1), transaction...))
	var status *api.StatusError
	switch {
	case errors.As(err, &status) && status.Status < http.StatusInternalServerError && status.Reply.Code != 0:
		return &accounts.Refusal{Status: status.Status, Reply: status.Reply}
	case err != nil:
		return err
	}
	for _, refused := range reply.Errors {
		if refused != nil && refused.Code != duplicate {
			return &accounts.Refusal{Status: http.StatusBadRequest, Reply: wire.NewError(refused.Code, refused.Why)}
		}
	}
	return nil
}

// duplicate is the number of a transaction that the node has. Spec: node-rpc-cli §2.2.
const duplicate = 1020
