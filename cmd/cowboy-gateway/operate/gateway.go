package operate

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"
	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/net/door"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Setting is what a gateway is put together of.
type Setting struct {
	Options
	Node *api.Client // what it asks and sends to
	Near Near        // the node it is a part of, which runs queries; nil: Node does
	Key  *sig.PrivateKey
	// Joining says that the gateway gets coins from the faucet of a development network and registers itself.
	Joining bool
	Limits  door.ConnectionLimits // of each port over TCP; zero: none
	Memory  *budget.Account       // for bodies of requests and answers; nil: one of its own
	Clock   supervision.Clock     // nil: the real one
	Log     zerolog.Logger
}

// Near is a node in the same process.
type Near interface {
	// Newest is the newest final block's number, which is always known.
	Newest() uint64
	// Query is gateway.Node's.
	Query(ctx context.Context, actor account.Address, q *gateway.Question) (*gateway.Answer, error)
}

// Gateway is one whose ports are taken. Its Tree is to be run by whoever made it, and Close called after that has stopped.
type Gateway struct {
	Tree  supervision.Spec
	files *files
	first *first
}

// KeyOf reads the key of a gateway's account.
func KeyOf(path string) (*sig.PrivateKey, error) {
	key, err := wallet.Load(path)
	if err != nil {
		return nil, err
	}
	return sig.ParsePrivateKey(key[:])
}

// usualMemory is for bodies and answers where nobody says how much there is.
const usualMemory = 512 << 20

// near is a client whose queries the node in this process runs.
type near struct {
	gateway.Node
	Near
}

// Query implements gateway.Node.
func (n near) Query(ctx context.Context, actor account.Address, q *gateway.Question) (*gateway.Answer, error) {
	return n.Near.Query(ctx, actor, q)
}

// New takes the ports and puts a gateway together, which serves as soon as its tree runs.
func New(s *Setting) (*Gateway, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	most := tx.Cost{Cycles: unit.Cycles(s.Cycles), Cells: unit.Cells(s.Cells)}
	asked := &client{wallet: &api.Wallet{Node: s.Node, Key: s.Key}, most: most}
	secret := make([]byte, 32)
	_, _ = rand.Read(secret) // never fails
	volumes, err := openFiles(s.Node, filepath.Join(s.Dir, "files"), s.Kept<<30, s.Most<<20)
	if err != nil {
		return nil, err
	}
	if s.Memory == nil {
		s.Memory = budget.NewAccount(usualMemory)
	}
	if s.Clock == nil {
		s.Clock = supervision.RealClock{}
	}
	handle := gateway.NewHandle()
	d := gateway.Door{
		Node: asked, Handle: handle, Address: s.Key.Address(), Paywall: gateway.NewPaywall(asked, s.Key.Address(), secret, time.Now), Files: volumes,
		MostStatic: s.Most << 20, Clock: s.Clock, Memory: s.Memory,
	}
	observe := func(what string, err error) { s.Log.Info().Err(err).Msg(what) }
	var more []supervision.Spec
	if s.Near != nil {
		d.Node, d.Newest = near{asked, s.Near}, func() (uint64, bool) { return s.Near.Newest(), true }
	} else {
		head := gateway.NewHead(supervision.RealClock{})
		d.Newest, d.Saw, asked.saw = head.Newest, head.Saw, head.Saw
		more = append(more, gateway.Following(func() *gateway.Follower {
			return &gateway.Follower{Head: head, Open: asked.blocks, Observe: observe}
		}))
	}
	door := gateway.NewDoor(d)
	listen := func() (*listeners, error) { return s.listen(door, door.Serves, s.Limits, s.Log) }
	l, err := listen()
	if err != nil {
		volumes.close()
		return nil, err
	}
	sending := gateway.Node(asked)
	if s.Joining {
		if sending, err = newJoining(asked, l.sockets[0].Addr().String()); err != nil {
			volumes.close()
			return nil, errors.Join(err, l.close())
		}
	}
	s.Log.Info().Str("gateway", s.Key.Address().String()).Str("authority", filepath.Join(s.Dir, gateway.AuthorityFile)).
		Strs("listening", l.addresses).Msg("the gateway is up")
	g := &Gateway{files: volumes, first: &first{l: l}}
	g.Tree = gateway.Tree(func() *gateway.Sender {
		return &gateway.Sender{Handle: handle, Node: sending, Every: s.Beat, Clock: supervision.RealClock{}, Observe: observe}
	})
	inbox := supervision.NewInbox("server", serverInbox)
	more = append(more, supervision.Spec{Name: "server", Inbox: inbox, StopWithin: closeWithin + 5*time.Second, New: func() actor.Actor {
		return &server{inbox: inbox, listen: listen, first: g.first.take()}
	}})
	g.Tree.Children = append(g.Tree.Children, more...)
	return g, nil
}

// Close gives back what the gateway has beside its tree.
func (g *Gateway) Close() {
	g.files.close()
	if l := g.first.take(); l != nil {
		_ = l.close() // it never served
	}
}

// first is the listeners that are opened before the tree, for the first server in it.
type first struct {
	mu sync.Mutex
	l  *listeners
}

func (f *first) take() *listeners {
	f.mu.Lock()
	defer f.mu.Unlock()
	l := f.l
	f.l = nil
	return l
}

// serverInbox is small: the only commands are the server's own.
const serverInbox = 16

// failed says that a port is served no more.
type failed struct {
	of  *listeners
	err error
}

// server is the supervised actor that holds the ports.
type server struct {
	inbox  *supervision.Inbox
	listen func() (*listeners, error)
	first  *listeners

	open *listeners
}

// Receive is the subsystem's one switch.
func (s *server) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case failed:
		if command.of == s.open {
			panic(command.err)
		}
	}
}

func (s *server) start() {
	if s.open, s.first = s.first, nil; s.open == nil {
		l, err := s.listen()
		if err != nil {
			panic(err)
		}
		s.open = l
	}
	l, inbox := s.open, s.inbox
	l.serve(func(err error) { inbox.Send(failed{l, err}) })
}

func (s *server) stop() {
	if s.open != nil {
		_ = s.open.close()
		s.open = nil
	}
}
