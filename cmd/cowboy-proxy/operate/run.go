package operate

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/exchange"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Setting is what a proxy is run with.
type Setting struct {
	Files      disk.Disk
	Passphrase []byte
	ChainID    uint64
	API        *api.Client
	Operator   *sig.PrivateKey
	Socket     net.PacketConn // it belongs to the proxy from now on
	Address    string         // where others reach it; "" is the socket's
	Stake      unit.Amount
	Every      time.Duration
	Limits     exchange.Limits
	Fund       func(ctx context.Context, amount unit.Amount) error // of Enrolment
	Observe    func(proxy.Event)                                   // may be nil; must not wait
}

// Proxy is a proxy that is ready: its door is open, and its tree is to be run.
type Proxy struct {
	Handle *proxy.Handle
	Self   *proxy.Identity
	Spec   supervision.Spec

	server *exchange.Server
	door   *proxy.Door
	peers  *Peers
}

// Open opens the vault, the journal and the door.
func Open(s *Setting) (p *Proxy, err error) {
	vault, self, err := proxy.OpenVault(s.Files, s.Passphrase, s.ChainID)
	if err != nil {
		return nil, errors.Join(err, s.Socket.Close())
	}
	certificate, print, err := exchange.Certificate(self.TLS)
	if err != nil {
		return nil, errors.Join(err, s.Socket.Close())
	}
	if s.Address == "" {
		s.Address = s.Socket.LocalAddr().String()
	}
	enrolment := &Enrolment{
		Node: s.API, Chain: runner.NewClient(s.API, s.Operator), Account: s.Operator.Address(), Self: self, TLS: digest.Hash(print), Address: s.Address,
		Stake: s.Stake, Fund: s.Fund,
	}
	node := NewNode(s.API, enrolment.Chain, self.ID, enrolment.Enrol)
	p = &Proxy{Handle: proxy.NewHandle(), Self: self, peers: &Peers{}}
	p.peers.Body, p.peers.Certificate = frame.MaxBody, &certificate
	p.door, err = proxy.NewDoor(&proxy.Door{Self: self, Node: node, Clock: supervision.RealClock{}, Observe: s.Observe}, p.Handle, s.Files)
	if err != nil {
		return nil, errors.Join(err, s.Socket.Close())
	}
	s.Limits.Body = frame.MaxBody
	if p.server, err = exchange.Serve(s.Socket, certificate, s.Limits, p.door.Answer); err != nil {
		return nil, errors.Join(err, p.door.Close(), s.Socket.Close())
	}
	p.Spec = proxy.Tree(func() *proxy.Keeper {
		return &proxy.Keeper{Handle: p.Handle, Vault: vault, Every: s.Every, Clock: supervision.RealClock{}, Observe: s.Observe}
	}, func() *proxy.Courier { return &proxy.Courier{Node: node, Peers: p.peers} })
	return p, nil
}

// Close closes the door, behind the tree.
func (p *Proxy) Close() error {
	p.peers.Close()
	return errors.Join(p.server.Close(), p.door.Close())
}
