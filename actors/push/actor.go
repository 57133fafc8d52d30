package push

import (
	"context"
	"crypto/ed25519"
	"net"
	"net/netip"
	"strconv"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/budget"
	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Place is where a validator takes runners' connections.
type Place struct {
	// Key is that of the node's network identity.
	Key ed25519.PrivateKey
	// Listen is the UDP address to bind; port 0 takes a free one. The zero value: none are taken, and invitations of others are kept all the same.
	Listen netip.AddrPort
	// Advertise is what runners are told, host:port, where port 0 stands for the bound one; "": the bound address, where that is a definite one.
	Advertise string
	Limits    Limits
}

// Subsystem is the supervised actor that speaks with runners.
type Subsystem struct {
	Handle  *Handle
	ChainID uint64
	Vote    beacon.Key // nil: this node is no validator
	Place   Place
	View    func() Chain // the newest final state
	Submit  func(lanes.Submit) supervision.Delivery
	Link    link.Messenger
	Clock   supervision.Clock
	Memory  *budget.Account

	state    *state
	host     *host
	talks    map[session]*talk
	endpoint string
	unsigned bool // the invitation is not signed yet
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case *actor.Stopping, *actor.Restarting:
		s.stop()
		return
	case final:
		s.Handle.woken.Store(false)
		s.invite()
		must(s.state.final(s.View()))
	case greeted:
		w, err := s.state.greet(s.View(), command.from, command.hello, s.Clock.Now())
		command.reply <- w
		must(err)
	case joined:
		s.joined(command)
	case said:
		must(s.state.say(s.View(), command.session, command.message))
		s.perform()
		close(command.done)
	case answered:
		s.answered(command)
	case left:
		s.state.leave(command.session)
		s.forget(command.session)
	case link.Delivered:
		s.Handle.Handled(command)
		s.state.hear(command.From, command.Frame)
	case link.PeerUp:
		s.state.up(command.Peer)
	}
	if s.state != nil {
		s.perform()
		s.Handle.status.Store(s.state.status(s.endpoint))
	}
}

// must ends the node over a failure that is not to be restarted over.
func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

func (s *Subsystem) start() {
	s.Handle.woken.Store(false)
	s.talks = map[session]*talk{}
	var self sig.BLSPublicKey
	if s.Vote != nil {
		self = s.Vote.PublicKey().Bytes()
	}
	s.Handle.reports.clear()
	s.state = newState(s.ChainID, self)
	must(s.state.final(s.View()))
	if at := s.Place.Listen; at.IsValid() && s.Vote != nil {
		if bound := s.Handle.bound.Load(); bound != nil {
			at = *bound // whoever was told of it comes back to it
		}
		s.listen(at)
	}
	for _, p := range s.Handle.Connected() {
		s.state.up(p)
	}
}

// listen takes connections from now on. An address that is taken is a failure to be restarted over.
func (s *Subsystem) listen(at netip.AddrPort) {
	s.host = &host{handle: s.Handle, chain: s.ChainID, key: s.Place.Key, limits: s.Place.Limits.within(s.Memory.Limit()), room: s.Memory}
	if err := s.host.open(at); err != nil {
		s.host = nil
		panic(err)
	}
	bound, err := netip.ParseAddrPort(s.host.lines.Address().String())
	must(err)
	s.Handle.bound.Store(&bound)
	s.endpoint = s.Place.Advertise
	if s.endpoint == "" && !bound.Addr().IsUnspecified() {
		s.endpoint = bound.String()
	} else if s.endpoint != "" {
		if host, port, err := net.SplitHostPort(s.endpoint); err == nil && port == "0" {
			s.endpoint = net.JoinHostPort(host, strconv.Itoa(int(bound.Port())))
		}
	}
	s.unsigned = s.endpoint != ""
	s.invite()
}

// invite signs this validator's invitation, as soon as its key can.
func (s *Subsystem) invite() {
	if !s.unsigned {
		return
	}
	v := &protocol.Invitation{Validator: s.Vote.PublicKey().Bytes(), Endpoint: s.endpoint, Number: uint64(max(s.Clock.Now().UnixMilli(), 1))}
	v.Sign(s.ChainID, s.Place.Key)
	introduction, err := s.Vote.Attest(roster.IntroductionPreimage(sig.NewNamespace(s.ChainID), v.Identity()))
	if err != nil {
		return // nobody signs at present
	}
	v.Introduction, s.unsigned = introduction, false
	s.state.invite(v)
}

func (s *Subsystem) stop() {
	if s.host != nil {
		_ = s.host.lines.Close()
		s.host = nil
	}
	for id := range s.talks { // order-free: all of them end
		s.forget(id)
	}
}

func (s *Subsystem) joined(command joined) {
	t := command.talk
	if s.host == nil || t.line.Context().Err() != nil { // it is of an instance before this one
		command.reply <- false
		return
	}
	if err := s.state.join(t.id, t.party); err != nil {
		command.reply <- false
		return
	}
	s.talks[t.id] = t
	command.reply <- true
	must(s.state.tend(s.View(), s.state.runners[t.id]))
}

// answered takes what became of an assignment. One that was given up, and perhaps sent again, is over already.
func (s *Subsystem) answered(command answered) {
	t := s.talks[command.session]
	if t == nil || t.pending[command.job] != command.sending {
		return
	}
	delete(t.pending, command.job)
	s.state.answer(command.session, command.job, command.ack)
}

func (s *Subsystem) forget(id session) {
	t := s.talks[id]
	if t == nil {
		return
	}
	delete(s.talks, id)
	for _, one := range t.pending { // order-free: all of them end
		one.cancel()
	}
}

// perform does what was decided, in order.
func (s *Subsystem) perform() {
	for _, act := range s.state.acts {
		switch act := act.(type) {
		case pushing:
			s.push(act)
		case telling:
			s.tell(act.session, act.message)
		case abandoning:
			if t := s.talks[act.session]; t != nil && t.pending[act.job] != nil {
				t.pending[act.job].cancel()
				delete(t.pending, act.job)
			}
		case ending:
			s.tell(act.session, &protocol.Goodbye{Reason: act.why})
			s.forget(act.session)
		case submitting: // what becomes of it the next final states show
			s.Submit(lanes.Submit{Raw: [][]byte{act.raw}, Reply: func([]lanes.Result) {}})
		case noting:
			s.Handle.reports.put(act.job, act.runner, act.said)
		case forgetting:
			s.Handle.reports.drop(act.job, act.runner)
		case passing:
			if act.to == (link.Peer{}) {
				s.Link.Broadcast(link.Consensus, act.frame)
			} else {
				s.Link.Send(act.to, link.Consensus, act.frame)
			}
		case reporting:
			s.Link.Report(act.peer, act.why)
		}
	}
	s.state.acts = nil
}

func (s *Subsystem) push(act pushing) {
	t := s.talks[act.session]
	if t == nil || s.host == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.line.Context(), openFor)
	one := &sending{cancel}
	t.pending[act.frame.ID] = one
	host := s.host
	go func() {
		defer cancel()
		host.push(ctx, t, act.frame, one)
	}()
}

// tell signs a frame and has it sent. A runner that does not read is let go.
func (s *Subsystem) tell(id session, m protocol.Message) {
	t := s.talks[id]
	if t == nil {
		return
	}
	switch m := m.(type) {
	case *protocol.Pong:
		m.Signature = protocol.SignAsValidator(s.Place.Key, protocol.PongHash(t.session, m.Height, m.Nonce))
	case *protocol.Cancel:
		hash := m.Hash(s.ChainID, t.party)
		copy(m.Signature[:], ed25519.Sign(s.Place.Key, hash[:]))
	}
	select {
	case t.out <- m:
	default:
		t.line.Close(uint64(protocol.TooSlow), protocol.TooSlow.String())
	}
}
