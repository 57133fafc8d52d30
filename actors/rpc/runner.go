package rpc

import (
	"encoding/json"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/protocol"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// Runners implements Backend: what is scripted, waits and is late after the newest block. On a network that is no developer's there are no runners.
func (n *Node) Runners() (wire.DevRunners, error) {
	reply := wire.DevRunners{Scripts: []wire.DevRunner{}, Waiting: []wire.DevJob{}, Late: []wire.DevLateAnswer{}}
	t, err := n.tip()
	if err != nil {
		return reply, err
	}
	overlay := t.State.Overlay()
	p, err := params.Load(overlay)
	if err != nil {
		return reply, err
	}
	version, err := protocol.All().At(p, t.Header.Height)
	if err != nil {
		return reply, err
	}
	open, err := dispatcher.Open(&drain.Block{Height: t.Header.Height, Protocol: version, Params: p}, overlay)
	if err != nil {
		return reply, err
	}
	if !open {
		return reply, errNoScripts
	}
	scripts, err := dispatcher.Scripts(overlay)
	if err != nil {
		return reply, err
	}
	for i := len(scripts) - 1; i >= 0; i-- {
		reply.Scripts = append(reply.Scripts, viewScript(&scripts[i]))
	}
	waits, err := dispatcher.Waits(overlay)
	if err != nil {
		return reply, err
	}
	for i := range waits {
		job, err := waits[i].Job()
		if err != nil {
			return reply, err
		}
		reply.Waiting = append(reply.Waiting, wire.DevJob{
			Job: dispatcher.Name(job, waits[i].Number), Actor: job.Actor.String(), Type: job.Type, Height: uint64(job.Height),
			Origin: wire.Hash(waits[i].Origin), Args: wire.JSON(job.Args()), Options: wire.JSON(job.Options()),
		})
	}
	lates, err := dispatcher.Lates(overlay)
	for i := range lates {
		reply.Late = append(reply.Late, viewLate(&lates[i]))
	}
	return reply, err
}

func viewScript(s *dispatcher.Script) wire.DevRunner {
	v := wire.DevRunner{Jobs: s.Jobs, DevScope: wire.DevScope{Type: s.Type}}
	if s.Actor != nil {
		v.Actor = s.Actor.String()
	}
	r := &s.Reply
	v.Ending, v.Late, v.Copies = r.Ending.String(), uint64(r.Late), uint64(r.Copies)
	results := make([]json.RawMessage, len(r.Results))
	for i, raw := range r.Results {
		results[i] = viewValue(raw)
	}
	switch {
	case r.Ending == dispatcher.Vote:
		v.Result, _ = json.Marshal(results) // of valid JSON
	case len(results) > 0:
		v.Result = results[0]
	}
	return v
}

// viewValue shows canonical CBOR as JSON; what is no such thing as null.
func viewValue(raw []byte) json.RawMessage {
	v, err := cbor.Parse(raw)
	if err != nil {
		v = nil
	}
	return wire.JSON(v)
}

func viewLate(l *dispatcher.Late) wire.DevLateAnswer {
	v, _ := cbor.Parse(l.Reply) // absent of a job that was let go
	fields, _ := v.(cbor.Map)
	text := func(name string) string {
		x, _ := fields.Lookup(name)
		s, _ := x.(string)
		return s
	}
	result, _ := fields.Lookup("result")
	return wire.DevLateAnswer{
		Job: text("cid"), Actor: l.Actor.String(), Due: uint64(l.Due), Status: text("status"), Result: wire.JSON(result), Copies: uint64(l.Copies),
		Origin: wire.Hash(l.Origin),
	}
}
