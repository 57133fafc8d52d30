package proxy

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Keeper is the supervised actor of a proxy: it alone has the vault.
type Keeper struct {
	Handle  *Handle
	Vault   *Vault
	Every   time.Duration // between two ticks
	Clock   supervision.Clock
	Observe func(Event) // may be nil; must not wait

	state  *state
	next   supervision.Deadline
	polled bool // a poll is under way
}

// Receive is the subsystem's one switch.
func (k *Keeper) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		k.start()
	case *actor.Stopping, *actor.Restarting:
		if k.next != nil {
			k.next.Stop()
		}
	case due:
		k.tick()
	case viewed:
		if k.polled = false; command.err != nil {
			k.observe(Event{What: "poll", Err: command.err})
			break
		}
		k.state.polled(command.view)
		k.Handle.door.introduce(k.state.peers)
		k.perform()
	case heard:
		k.state.heard(command.q.session, command.q.step, command.q.to.ID, command.status, command.body, command.err)
		k.perform()
	case sent:
		k.sent(command)
	case found:
		k.state.recorded(command.receipt, command.there, command.err)
		k.perform()
	case asked:
		code, body := k.state.asked(command.from, command.kind, command.body)
		k.perform() // what the answer rests on is kept first
		command.reply <- reply{code, body}
	case released:
		k.state.served(command.raw, command.scope, command.data, command.at)
	case refused:
		k.state.refuse(command.release, command.why)
	case status:
		command.reply <- k.status()
	}
}

func must(err error) {
	if err != nil {
		panic(&supervision.Fatal{Err: err})
	}
}

func (k *Keeper) observe(e Event) {
	if k.Observe != nil {
		k.Observe(e)
	}
}

// start reads the vault anew. What was served and has no receipt yet gets one: its height and its committee are asked again.
func (k *Keeper) start() {
	d, err := k.Vault.load()
	must(err)
	k.state, k.polled = d, false
	k.Handle.door.publish(d.shares, nil)
	k.resume()
	k.tick()
}

// most requests of the journal that are taken up again, and how many blocks they may be behind the newest.
const (
	mostResumed  = 256
	resumeWithin = 400
)

// resume has the receipts of the newest requests in the journal posted, if the chain still admits them.
func (k *Keeper) resume() {
	door := k.Handle.door
	all := door.replays.all()
	newest := uint64(0)
	for _, a := range all {
		newest = max(newest, a.at)
	}
	taken := 0
	for _, a := range all {
		q, _, err := cbss.ParseRequest(a.raw)
		if err != nil || a.at+resumeWithin < newest || taken == mostResumed {
			continue
		}
		taken++
		ctx, cancel := context.WithTimeout(context.Background(), frame.Deadline)
		admitted, err := door.Node.Admit(ctx, a.raw)
		cancel()
		if err != nil {
			return
		}
		if admitted.Refused == "" && !admitted.Pending {
			k.state.served(a.raw, admitted.Scope, admitted.Data, q.Block)
		}
	}
}

func (k *Keeper) tick() {
	k.next = k.Clock.AfterFunc(k.Every, func() { k.Handle.inbox.Reply(due{}) })
	if !k.polled {
		k.polled = k.Handle.errand[0].Send(errand{polling{k.state.asks()}, k.Handle.inbox}) == supervision.Accepted
	}
	k.state.tick()
	k.perform()
}

func (k *Keeper) sent(command sent) {
	var refusal *Refusal
	if command.err != nil {
		k.state.unsent(command.act.receipt, errors.As(command.err, &refusal))
		row, _ := tx.RowOf(command.act.in.Opcode())
		k.observe(Event{What: "unsent", Err: fmt.Errorf("%s: %w", row.Name, command.err)})
		return
	}
	k.observe(Event{What: "sent"})
}

// Refusal is a transaction that would fail on the chain.
type Refusal struct{ Why string }

// Error implements error.
func (r *Refusal) Error() string { return "proxy: the chain would refuse it: " + r.Why }

// perform keeps what was decided, erases what is over, and then does the rest.
func (k *Keeper) perform() {
	d := k.state
	if d.dirty {
		must(k.Vault.save(d))
		k.Handle.door.publish(d.shares, d.erase)
		d.dirty, d.erase = false, nil
	}
	for i, act := range d.acts {
		to := k.Handle.errand[0]
		if _, other := act.(question); other {
			to = k.Handle.errand[1+i%(couriers-1)]
		}
		e := errand{act, k.Handle.inbox}
		if to.Send(e) != supervision.Accepted {
			e.Abandoned(supervision.ErrStopped)
		}
	}
	for _, e := range d.events {
		k.observe(e)
	}
	d.acts, d.events = nil, nil
}

func (k *Keeper) status() Status {
	d := k.state
	v := Status{ID: d.self.ID.Hex(), Height: d.height, Keys: len(d.shares), Sessions: len(d.sessions), Receipts: len(d.outbox), Scopes: []string{}}
	for i, of := range d.scopes() {
		v.Shares += len(d.shares[of])
		if i < 100 {
			v.Scopes = append(v.Scopes, hex.EncodeToString(of.Bytes()))
		}
	}
	return v
}

// Courier is the supervised actor that talks to the chain and to other proxies. It waits for each answer.
type Courier struct {
	Node  Node
	Peers Peers
}

// courierWithin bounds one thing a courier does; another proxy has less.
const courierWithin = 20 * time.Second

// Receive does one thing.
func (c *Courier) Receive(ctx actor.Context) {
	command, ok := ctx.Message().(errand)
	if !ok {
		return
	}
	limit := courierWithin
	if _, other := command.act.(question); other {
		limit = 2 * frame.Deadline
	}
	within, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	switch act := command.act.(type) {
	case polling:
		v, err := c.Node.Look(within, act.scopes)
		command.from.Reply(viewed{v, err})
	case question:
		code, body, err := c.Peers.Ask(within, &act.to, act.kind, act.body)
		command.from.Reply(heard{act, code, body, err})
	case sending:
		command.from.Reply(sent{act, c.Node.Send(within, act.in)})
	case looking:
		there, err := c.Node.Recorded(within, act.release)
		command.from.Reply(found{act.receipt, there, err})
	}
}
