package operate

import (
	"context"
	"crypto/ed25519"
	"errors"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/retained"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Setting is what a relay is put together of.
type Setting struct {
	Self     account.Address
	Key      ed25519.PrivateKey // of the relay protocol
	Dir      string             // of the store
	Bucket   *store.Bucket      // where the store is instead; nil for Dir
	Capacity uint64             // bytes
	Listen   string             // host:port, UDP and TCP
	ChainID  uint64
	Chain    relay.Chain
	Every    time.Duration // between two polls
	Limits   mutual.Limits // zero: mutual.DefaultLimits
	// Retained is where the blobs of retention contracts lie, and Contracts what tells of these; nil: it provides for none.
	Retained  *retained.Store
	Contracts relay.Contracts
	Observe   func(what string, err error)
	Asked     func(op protocol.Op, s protocol.Status, bytes int)
	// Accounts is where the account API listens; its Listen is "" where it is off.
	Accounts Accounts
}

// NodeOf is the node_id of a relay's key: BLAKE3("cbfs:node:v1" ‖ key).
func NodeOf(key ed25519.PrivateKey) digest.Hash {
	return digest.Blake3([]byte("cbfs:node:v1"), key.Public().(ed25519.PublicKey))
}

// Relay is a relay whose server is up. Its Tree is to be run by whoever made it, and stopped after Stop.
type Relay struct {
	Tree   supervision.Spec
	Handle *relay.Handle
	server *mutual.Server
	pool   *reach.Pool
	cancel context.CancelFunc
	disk   *store.Store
	desk   *desk // nil where the account API is off
}

func (s *Setting) open() (*store.Store, error) {
	if s.Bucket != nil {
		return store.OpenBucket(*s.Bucket, s.Capacity)
	}
	return store.Open(s.Dir, s.Capacity)
}

// New opens a relay's store and its port. It raises GOMAXPROCS of the process (store.Overlap).
func New(s *Setting) (*Relay, error) {
	store.Overlap()
	disk, err := s.open()
	if err != nil {
		return nil, err
	}
	socket, listener, err := mutual.Listen(s.Listen)
	if err != nil {
		return nil, errors.Join(err, disk.Close())
	}
	limits := s.Limits
	if limits == (mutual.Limits{}) {
		limits = mutual.DefaultLimits()
	}
	ctx, cancel := context.WithCancel(context.Background())
	r := &Relay{Handle: relay.NewHandle(), cancel: cancel, disk: disk}
	directory := reach.NewDirectory(s.Chain, time.Now)
	peers := &reach.Peers{}
	r.pool = &reach.Pool{Key: s.Key, Node: NodeOf(s.Key), Self: s.Self, Now: time.Now, Peers: peers}
	responder := relay.NewResponder(&relay.Responder{
		Self: s.Self, Node: NodeOf(s.Key), Network: api.NetworkOf(s.ChainID), Store: disk, Directory: directory, Now: time.Now, Rotten: r.Handle.Rotten,
		Hinted: r.Handle.Hinted, Peers: peers, Observe: s.Asked, Retained: s.Retained,
	})
	if r.server, err = mutual.Serve(socket, listener, s.Key, limits, responder.Answer); err != nil {
		cancel()
		return nil, errors.Join(err, socket.Close(), listener.Close(), disk.Close())
	}
	if r.desk, err = s.Accounts.open(s, directory); err != nil {
		cancel()
		return nil, errors.Join(err, r.server.Close(), disk.Close())
	}
	mender := &relay.Mender{
		Base: ctx, Self: s.Self, Store: disk, Directory: directory, Pool: r.pool, Now: time.Now, Settled: responder.Settled,
	}
	r.Tree = relay.Tree(func() *relay.Keeper {
		return &relay.Keeper{Handle: r.Handle, Self: s.Self, Store: disk, Every: s.Every, Clock: supervision.RealClock{}, Observe: s.Observe}
	}, func() *relay.Worker { return &relay.Worker{Chain: s.Chain, Mender: mender} })
	if s.Retained != nil {
		audits := relay.NewRetaining()
		r.Tree.Children = append(r.Tree.Children, supervision.Spec{Name: "retainer", Inbox: audits, New: func() actor.Actor {
			return &relay.Retainer{
				Inbox: audits, Chain: s.Contracts, Store: s.Retained, Every: s.Every, Clock: supervision.RealClock{}, Base: ctx, Observe: s.Observe,
			}
		}})
	}
	return r, nil
}

// Address is where the relay listens.
func (r *Relay) Address() string { return r.server.Address().String() }

// AccountsURL is where the account API is asked; "" where it is off.
func (r *Relay) AccountsURL() string {
	if r.desk == nil {
		return ""
	}
	return r.desk.url
}

// Connections is how many there are.
func (r *Relay) Connections() int { return r.server.Connections() }

// Stop ends what is under way and closes the port.
func (r *Relay) Stop() error {
	r.cancel()
	err := errors.Join(r.desk.close(), r.server.Close())
	r.pool.Close()
	return errors.Join(err, r.disk.Close())
}
