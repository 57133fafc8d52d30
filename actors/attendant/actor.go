package attendant

import (
	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Subsystem is the supervised actor of a validator's duties.
type Subsystem struct {
	Handle   *Handle
	ChainID  uint64
	Calendar params.Calendar
	// Vote is the voting key; nil: this node has no duties. Account sends the transactions and pays for them; nil: none are sent.
	Vote    beacon.Key
	Account *sig.PrivateKey
	Shares  *shares.Store // nil without a voting key
	// First is the genesis dealer's share; zero for none.
	First  bls.Share
	Ledger *ledger.Handle
	Submit func(lanes.Submit) supervision.Delivery
	Link   link.Messenger
	Clock  supervision.Clock

	duties *duties
}

// Receive is the subsystem's one switch.
func (s *Subsystem) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		s.start()
	case final:
		s.Handle.woken.Store(false)
		if s.duties != nil {
			s.final()
		}
	case link.Delivered:
		s.Handle.Handled(command)
		if s.duties != nil {
			s.perform(s.duties.heard(command.From, command.Frame, s.Clock.Now()))
		}
	case link.PeerUp:
		if s.duties != nil {
			s.perform(s.duties.up(command.Peer))
		}
	case link.PeerDown:
		if s.duties != nil {
			s.duties.down(command.Peer)
		}
	case accused:
		if s.duties != nil {
			s.perform(s.duties.accuse(command.evidence))
			s.final()
		}
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
	if s.Vote == nil {
		return
	}
	n := sig.NewNamespace(s.ChainID)
	d := &duties{
		sign: func() []byte { return introduction(s.Vote, roster.IntroductionPreimage(n, s.Link.Self())) },
		ceremony: &stake.Attendant{
			Namespace: n, Calendar: s.Calendar, Key: s.Vote, Held: s.held, Kept: s.Shares.Deals,
		},
	}
	if s.Account != nil {
		d.writer = &txWriter{chainID: s.ChainID, key: s.Account}
	}
	for _, raw := range s.Shares.Charges() {
		if e, err := simplex.DecodeEvidence(raw); err == nil {
			d.charges.add(e)
		}
	}
	s.duties = d
	for _, p := range s.Handle.Connected() {
		s.perform(d.up(p))
	}
	s.final()
}

// held is this node's share of the key that holds from an epoch on.
func (s *Subsystem) held(since uint64) *bls.Share {
	if since == 0 && s.First.Key != nil {
		return &s.First
	}
	return s.Shares.Share(since)
}

// final looks at the newest durable state.
func (s *Subsystem) final() {
	tip := s.Ledger.Tip()
	out, err := s.duties.final(tip.Header.Height, tip.State)
	must(err)
	info := s.duties.info
	s.Handle.status.Store(&info)
	s.perform(out)
}

// perform does what the duties want, in order.
func (s *Subsystem) perform(out []effect) {
	for _, o := range out {
		switch o := o.(type) {
		case send:
			s.Link.Send(o.to, link.Consensus, o.frame)
		case keep:
			must(s.Shares.Keep(o.epoch, o.deal))
		case store:
			must(s.Shares.SetCharges(o.charges))
		case report:
			s.Link.Report(o.peer, o.why)
		case submit: // the answer says nothing that the next final state does not
			s.Submit(lanes.Submit{Raw: [][]byte{o.raw}, Reply: func([]lanes.Result) {}})
		}
	}
}
