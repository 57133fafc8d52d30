package dev

import (
	"fmt"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/system/develop"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

func (s *calls) runners(*http.Request) (any, error) { return s.node.Runners() }

func (s *calls) setRunner(r *http.Request) (any, error) {
	var q wire.DevRunner
	err := body(r, &q)
	if err != nil {
		return nil, err
	}
	d := dispatcher.Script{Jobs: q.Jobs}
	if d.Scope, err = scope(q.DevScope); err != nil {
		return nil, err
	}
	if d.Reply, err = reply(q.DevReply); err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, refuse(http.StatusBadRequest, err.Error())
	}
	return s.administer(r.Context(), s.node, develop.HandlerSetRunner, d.Append(nil))
}

func (s *calls) clearRunner(r *http.Request) (any, error) {
	var q wire.DevScope
	if err := body(r, &q); err != nil {
		return nil, err
	}
	d, err := scope(q)
	if err != nil {
		return nil, err
	}
	return s.administer(r.Context(), s.node, develop.HandlerClearRunner, d.Append(nil))
}

func (s *calls) answerJob(r *http.Request) (any, error) {
	var q wire.DevAnswer
	err := body(r, &q)
	if err != nil {
		return nil, err
	}
	d := dispatcher.ByHand{Job: q.Job}
	if d.Actor, err = someone(q.Actor); err != nil {
		return nil, err
	}
	if d.Reply, err = reply(q.DevReply); err != nil {
		return nil, err
	}
	if len(q.Job) == 0 || len(q.Job) > dispatcher.MaxCID {
		return nil, refuse(http.StatusBadRequest, "job is the cid of a job that waits, or job- and its number; GET /dev/runner lists them")
	}
	return s.administer(r.Context(), s.node, develop.HandlerAnswerJob, d.Append(nil))
}

// someone reads an address that may be left out.
func someone(text string) (*account.Address, error) {
	if text == "" {
		return nil, nil
	}
	addr, err := address(text)
	return &addr, err
}

func scope(q wire.DevScope) (dispatcher.Scope, error) {
	actor, err := someone(q.Actor)
	if err == nil && len(q.Type) > dispatcher.MaxType {
		err = refuse(http.StatusBadRequest, fmt.Sprintf("a job type has at most %d bytes", dispatcher.MaxType))
	}
	return dispatcher.Scope{Actor: actor, Type: q.Type}, err
}

// reply reads how a job ends.
func reply(q wire.DevReply) (dispatcher.Reply, error) {
	r := dispatcher.Reply{Late: unit.Height(min(q.Late, dispatcher.MaxLate+1)), Copies: uint32(min(q.Copies, dispatcher.MaxCopies+1))}
	var err error
	if r.Ending, err = dispatcher.ParseEnding(q.Ending); err != nil {
		return r, refuse(http.StatusBadRequest, err.Error())
	}
	if r.Ending == dispatcher.Lost && len(q.Result) > 0 {
		return r, refuse(http.StatusBadRequest, "a lost answer has no result")
	}
	if r.Ending != dispatcher.Lost {
		r.Copies = max(r.Copies, 1)
		if r.Results, err = results(r.Ending, string(q.Result)); err != nil {
			return r, refuse(http.StatusBadRequest, err.Error())
		}
	}
	if err := r.Check(); err != nil {
		return r, refuse(http.StatusBadRequest, err.Error())
	}
	return r, nil
}

// results reads what is answered; nothing is null.
func results(e dispatcher.Ending, text string) ([][]byte, error) {
	if text == "" {
		text = "null"
	}
	v, err := wire.Plain(text)
	if err != nil {
		return nil, err
	}
	list := []any{v}
	if e == dispatcher.Vote {
		var ok bool
		if list, ok = v.([]any); !ok || len(list) == 0 || len(list) > dispatcher.MaxRunners {
			return nil, fmt.Errorf("votes are a list of 1 to %d results, one for each runner; null is a runner that failed", dispatcher.MaxRunners)
		}
	}
	encoded := make([][]byte, len(list))
	for i, one := range list {
		if encoded[i], err = cbor.Append(nil, one); err != nil {
			return nil, err
		}
	}
	return encoded, nil
}
