package signer

import (
	"context"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/tls"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Bounds of the server.
const (
	maxConnections = 8
	greetWithin    = 5 * time.Second
	writeWithin    = 5 * time.Second
	idleAfter      = 10 * time.Minute
)

// Event is something an operator may want to know of.
type Event struct {
	Remote string // who asked
	What   string
	Err    error // nil where all is well
}

// Subsystem is the supervised actor that signs. A failing journal ends the tree.
type Subsystem struct {
	Inbox   *supervision.Inbox
	Address string
	TLS     *tls.Config
	Disk    disk.Disk
	Key     *bls.PrivateKey
	ChainID uint64
	Genesis digest.Hash
	// Observe, if set, is told of connections, refusals and failures. It must not wait.
	Observe func(Event)

	namespace sig.Namespace
	hello     *introduced
	journal   *journal
	server    *server
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
	case asked:
		command.reply <- s.answer(command.remote, command.body)
	case lost:
		if command.server == s.server {
			panic(command.err)
		}
	}
}

func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

func (s *Subsystem) start() {
	s.namespace = sig.NewNamespace(s.ChainID)
	sealing, err := shares.Secret(s.Genesis, s.Key)
	must(err)
	dealing, err := hkdf.Key(sha256.New, s.Key.Bytes(), s.Genesis[:], "cowboy validator dealing", dealingBytes)
	must(err)
	s.hello = &introduced{s.Key.PublicKey().Bytes(), sealing, dealing}
	s.journal, err = openJournal(s.Disk, s.hello.key, s.Genesis)
	must(err)
	listener, err := net.Listen("tcp", s.Address)
	if err != nil {
		panic(err)
	}
	s.server = newServer(listener, s.TLS, s.Inbox, s.observe)
}

func (s *Subsystem) stop() {
	if s.server != nil {
		s.server.close()
		s.server = nil
	}
	if s.journal != nil {
		_ = s.journal.file.Close()
		s.journal = nil
	}
}

func (s *Subsystem) observe(remote, what string, err error) {
	if s.Observe != nil {
		s.Observe(Event{remote, what, err})
	}
}

// answer gives the body of the answer to a question.
func (s *Subsystem) answer(remote string, body []byte) []byte {
	id, q, err := readQuestion(body)
	if err != nil {
		return s.refuse(id, remote, err)
	}
	dst := codec.AppendU8(codec.AppendU64(nil, id), tagSigned)
	switch q := q.(type) {
	case *hello:
		switch {
		case q.version != Version:
			return s.refuse(id, remote, errors.New("this signer speaks version 1 of the protocol"))
		case q.genesis != s.Genesis:
			return s.refuse(id, remote, errors.New("this signer is of another chain, with genesis "+s.Genesis.String()))
		}
		s.observe(remote, "a node is served", nil)
		return s.hello.append(dst)
	case *word:
		if !q.allowed(s.namespace) {
			return s.refuse(id, remote, errors.New("words of this domain are not signed"))
		}
	}
	err = s.journal.decide(q.decisions()...)
	var conflict *Conflict
	if errors.As(err, &conflict) {
		return s.refuse(id, remote, err)
	}
	must(err)
	for _, preimage := range q.preimages(s.namespace) {
		signature := s.Key.Sign(preimage)
		dst = append(dst, signature[:]...)
	}
	return dst
}

// refuse is the answer that gives no signature.
func (s *Subsystem) refuse(id uint64, remote string, err error) []byte {
	s.observe(remote, "refused", err)
	text := err.Error()
	return codec.AppendBytes(codec.AppendU8(codec.AppendU64(nil, id), tagRefused), []byte(text[:min(len(text), maxReason)]))
}

// server accepts connections and brings their questions to the inbox.
type server struct {
	listener net.Listener
	config   *tls.Config
	inbox    *supervision.Inbox
	observe  func(remote, what string, err error)

	mu    sync.Mutex
	open  map[net.Conn]bool
	ended bool
}

func newServer(l net.Listener, config *tls.Config, inbox *supervision.Inbox, observe func(string, string, error)) *server {
	s := &server{listener: l, config: config, inbox: inbox, observe: observe, open: map[net.Conn]bool{}}
	go s.accept()
	return s
}

func (s *server) accept() {
	for {
		c, err := s.listener.Accept()
		if err != nil {
			s.mu.Lock()
			ended := s.ended
			s.mu.Unlock()
			if !ended {
				s.inbox.Send(lost{s, err})
			}
			return
		}
		if !s.add(c) {
			s.observe(c.RemoteAddr().String(), "turned away", errors.New("too many connections"))
			_ = c.Close()
			continue
		}
		go s.serve(c)
	}
}

func (s *server) add(c net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended || len(s.open) >= maxConnections {
		return false
	}
	s.open[c] = true
	return true
}

func (s *server) serve(raw net.Conn) {
	remote := raw.RemoteAddr().String()
	defer func() {
		_ = raw.Close()
		s.mu.Lock()
		delete(s.open, raw)
		s.mu.Unlock()
	}()
	c := tls.Server(raw, s.config)
	greeting, cancel := context.WithTimeout(context.Background(), greetWithin)
	err := c.HandshakeContext(greeting)
	cancel()
	if err != nil {
		s.observe(remote, "no handshake", err)
		return
	}
	for {
		_ = c.SetReadDeadline(time.Now().Add(idleAfter))
		body, err := readMessage(c)
		if errors.Is(err, ErrMessage) {
			s.observe(remote, "cut off", err)
		}
		if err != nil {
			return
		}
		a := asked{remote, body, make(chan []byte, 1)}
		if s.inbox.Send(a) != supervision.Accepted {
			return
		}
		answer, ok := <-a.reply
		if !ok {
			return
		}
		_ = c.SetWriteDeadline(time.Now().Add(writeWithin))
		if writeMessage(c, answer) != nil {
			return
		}
	}
}

func (s *server) close() {
	_ = s.listener.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for c := range s.open { // order-free: all are closed
		_ = c.Close()
	}
}
