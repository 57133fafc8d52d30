package runner

import (
	"context"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// messengers is how many aggregators are spoken with at a time: those that do not answer hold up a part of the others.
	messengers = 4
	// messengerWithin bounds what an aggregator is waited for.
	messengerWithin = 5 * time.Second
)

// Messenger is the supervised actor that hands reveals to aggregators. It waits for each answer, as the courier does not have to.
type Messenger struct{ Peers Peers }

// Messengers are what hands reveals of a dispatcher to aggregators; they stand beside it in the tree.
func Messengers(h *Handle, peers Peers) (list []supervision.Spec) {
	for _, in := range h.messengers {
		list = append(list, supervision.Spec{
			Name: in.Name(), Inbox: in, New: func() actor.Actor { return &Messenger{peers} }, StopWithin: messengerWithin + 5*time.Second,
		})
	}
	return list
}

// Receive hands one reveal over.
func (m *Messenger) Receive(ctx actor.Context) {
	command, ok := ctx.Message().(errand)
	if !ok {
		return
	}
	act, ok := command.act.(*handing)
	if !ok {
		return
	}
	within, cancel := context.WithTimeout(context.Background(), messengerWithin)
	defer cancel()
	says, err := m.Peers.Hand(within, act.to, act.id, act.reveal)
	if err != nil {
		says = Declined
	}
	command.from.Reply(handed{act, says, err})
}

// handed goes on where an aggregator has answered, or does not.
func (s *Dispatcher) handed(command handed) {
	s.state.handed(command.act, command.says)
	s.perform()
	if command.says == Declined {
		s.observe(Event{What: "declined", Job: command.act.id, Text: command.act.to.String(), Err: command.err})
	}
}

// offered decides on a reveal that another runner brings.
func (s *Dispatcher) offered(command offering) {
	reply, why := s.state.offered(command.offer)
	s.perform()
	command.reply <- said{reply, why}
}
