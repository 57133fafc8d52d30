package flood

import (
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/net/gossip"
	"github.com/cowboyinc/cowboy-go/net/transport"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// flushAt is how many transactions are not made to wait for more.
const flushAt = 256

// state carries out what the flood decides.
type state struct {
	flood    *gossip.Flood
	link     link.Link
	now      func() time.Time
	arm      func() supervision.Deadline // of the next flush
	admit    func(from link.Peer, names []gossip.Name, items [][]byte)
	deadline supervision.Deadline // nil: nothing waits
}

func (s *state) up(p link.Peer)   { s.flood.Up(transport.ID(p)) }
func (s *state) down(p link.Peer) { s.flood.Down(transport.ID(p)) }

func (s *state) hear(from link.Peer, frame []byte) {
	if err := s.flood.Receive(transport.ID(from), frame, s.now()); err != nil {
		s.link.Report(from, err.Error())
	}
	s.perform()
}

func (s *state) local(items [][]byte) {
	now := s.now()
	for _, data := range items {
		s.flood.Local(data, now)
	}
	s.perform()
}

// judged takes verdicts. Fewer than names mean that the pool could not look at the rest.
func (s *state) judged(names []gossip.Name, verdicts []gossip.Verdict) {
	for i, n := range names {
		v := gossip.Busy
		if i < len(verdicts) {
			v = verdicts[i]
		}
		s.flood.Judge(n, v)
	}
	s.perform()
}

func (s *state) flush() {
	s.disarm()
	s.flood.Flush(s.now())
	s.perform()
}

func (s *state) disarm() {
	if s.deadline != nil {
		s.deadline.Stop()
		s.deadline = nil
	}
}

// perform carries effects out, and sees to it that what is ready is sent.
func (s *state) perform() {
	for _, e := range s.flood.Effects() {
		switch {
		case e.Send != nil:
			s.link.Send(link.Peer(e.Send.To), link.Transactions, e.Send.Frame)
		case e.Charge != nil:
			s.link.Report(link.Peer(e.Charge.Peer), e.Charge.Why)
		case e.Deliver != nil:
			names, items := make([]gossip.Name, len(e.Deliver.Items)), make([][]byte, len(e.Deliver.Items))
			for i, item := range e.Deliver.Items {
				names[i], items[i] = item.Name, item.Data
			}
			s.admit(link.Peer(e.Deliver.From), names, items)
		}
	}
	switch ready := s.flood.Ready(); {
	case ready >= flushAt:
		s.flush()
	case ready > 0 && s.deadline == nil:
		s.deadline = s.arm()
	}
}
