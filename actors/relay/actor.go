package relay

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/asynkron/protoactor-go/actor"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Within are the times one thing takes at most.
const (
	courierWithin = 30 * time.Second
	mendWithin    = 6 * time.Hour    // of a slot of 100 GiB over a slow line
	shareWithin   = 10 * time.Minute // what others are brought or told without asking; the rest at another poll
	stopWithin    = 40 * time.Second
)

// Keeper is the supervised actor that decides what a relay does.
type Keeper struct {
	Handle  *Handle
	Self    account.Address
	Store   *store.Store
	Every   time.Duration // between two polls
	Clock   supervision.Clock
	Observe func(what string, err error) // may be nil; must not wait

	state   *state
	next    supervision.Deadline
	early   bool          // a hint has had the chain looked at since the last poll that was due
	waiting []act         // for a mender, each once
	busy    [menders]bool // menders
}

// Receive is the subsystem's one switch.
func (k *Keeper) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		k.state = newState(k.Self)
		k.poll()
	case *actor.Stopping, *actor.Restarting:
		if k.next != nil {
			k.next.Stop()
		}
	case due:
		k.early = false
		k.poll()
	case heard:
		k.heard(command)
	case over:
		k.told(command.act.what.String(), command.err)
		if command.by >= 0 {
			k.busy[command.by] = false
		}
		k.perform(k.state.ended(command.act, command.err != nil))
	case hint:
		k.hinted(command)
	case rotten:
		k.perform(k.state.rotten(command.volume))
	case status:
		command.reply <- k.status()
	}
}

func (k *Keeper) poll() {
	if k.Handle.courier.Send(errand{poll: true, from: k.Handle.keeper}) != supervision.Accepted {
		k.later()
	}
}

// hinted polls at once, if a poll that is due would tell something new; once until then.
func (k *Keeper) hinted(h hint) {
	if k.early || k.next == nil || k.state.knows(h.volume, h.version) || !k.next.Stop() {
		return
	}
	k.early = true
	k.poll()
}

func (k *Keeper) later() {
	k.next = k.Clock.AfterFunc(k.Every, func() { k.Handle.keeper.Reply(due{}) })
}

func (k *Keeper) heard(command heard) {
	k.later()
	if command.err != nil {
		k.told("poll", command.err)
		return
	}
	k.perform(k.state.polled(command.sight))
}

func (k *Keeper) perform(acts []act) {
	for _, a := range acts {
		if a.what >= mending {
			k.waiting = append(k.waiting, a)
			continue
		}
		if k.Handle.courier.Send(errand{act: a, by: -1, from: k.Handle.keeper}) != supervision.Accepted {
			k.state.ended(a, true)
		}
	}
	for i := range k.busy {
		if len(k.waiting) == 0 {
			break
		}
		if k.busy[i] || k.Handle.menders[i].Send(errand{act: k.waiting[0], by: i, from: k.Handle.keeper}) != supervision.Accepted {
			continue
		}
		k.busy[i], k.waiting = true, k.waiting[1:]
	}
}

func (k *Keeper) told(what string, err error) {
	if k.Observe != nil {
		k.Observe(what, err)
	}
}

func (k *Keeper) status() Status {
	u, s := k.Store.Usage(), k.state
	v := Status{
		Height: s.height, Slots: len(s.now.holding), UnderWay: len(s.under), Bytes: u.Bytes, Capacity: u.Capacity, Chunks: u.Chunks, Rotten: u.Rotten,
	}
	if s.now.me != nil {
		v.Status = s.now.me.Status
	}
	for i := range s.now.holding {
		h := &s.now.holding[i]
		if c, ok := s.whole[Held{h.volume.ID, h.slot}]; ok && c.root == h.volume.Root {
			v.Whole++
		}
	}
	return v
}

// Worker is the supervised actor that does what takes time, one thing after another.
type Worker struct {
	Chain  Chain
	Mender *Mender
	Within time.Duration // one thing takes
	Looks  int           // volumes that a poll reads anew; 0 for pollVolumes

	polls uint64
	seen  map[digest.Hash]lookup
}

// lookup is a volume as a poll saw it.
type lookup struct {
	volume *reach.Volume
	poll   uint64
}

// pollVolumes is how many volumes a poll reads anew, ten seconds of what a directory asks. A relay that holds more reads those first that it read longest ago,
// and takes the others as it saw them.
const pollVolumes = 500

// Receive does one thing.
func (h *Worker) Receive(ctx actor.Context) {
	command, ok := ctx.Message().(errand)
	if !ok {
		return
	}
	within, cancel := context.WithTimeout(h.Mender.Base, h.Within)
	defer cancel()
	if command.poll {
		now, err := h.look(within)
		command.from.Reply(heard{now, err})
		return
	}
	command.from.Reply(over{command.act, command.by, h.do(within, command.act)})
}

func (h *Worker) do(ctx context.Context, a act) error {
	switch a.what {
	case beating:
		return h.Chain.Heartbeat(ctx)
	case confirming:
		return h.Chain.Confirm(ctx, a.held, a.root)
	case repairing:
		return h.Chain.Repair(ctx, a.held, a.version)
	case proving:
		p, err := h.Mender.prove(ctx, a)
		if err != nil {
			return err
		}
		return h.Chain.Prove(ctx, a.challenge, p)
	case collecting:
		return h.Mender.collect(ctx, h.Chain)
	case mending:
		return h.Mender.mend(ctx, a)
	}
	ctx, cancel := context.WithTimeout(ctx, shareWithin)
	defer cancel()
	switch a.what {
	case pushing:
		return h.Mender.push(ctx, a)
	case replicating:
		return h.Mender.replicate(ctx, a)
	}
	return h.Mender.announce(ctx, a)
}

// look polls: the relay, its slots, the volumes they are of, and which of their relays are live as the chain sees it.
func (h *Worker) look(ctx context.Context) (sight, error) {
	var now sight
	var err error
	if now.height, err = h.Chain.Height(ctx); err != nil { // asked first: what is read in this poll is no older
		return now, err
	}
	if now.me, err = h.Chain.Self(ctx); err != nil {
		return now, err
	}
	held, err := h.Chain.Held(ctx)
	if err != nil {
		return now, err
	}
	if err := h.read(ctx, held); err != nil {
		return now, err
	}
	for _, one := range held {
		v := h.seen[one.Volume].volume
		if v == nil {
			continue // it went meanwhile, or its turn comes at the next poll
		}
		x := holding{one.Slot, v, map[account.Address]bool{}}
		for i := range v.Slots {
			owner := v.Slots[i].Relay
			if owner == now.me.Owner {
				x.active[owner] = now.me.Status == "active"
				continue
			}
			r, err := h.Mender.Directory.Relay(ctx, owner)
			x.active[owner] = err == nil && r.Status == "active" && now.height < r.Heartbeat+checkBlocks
		}
		now.holding = append(now.holding, x)
	}
	return now, nil
}

// read reads volumes anew, those first that were read longest ago.
func (h *Worker) read(ctx context.Context, held []Held) error {
	h.polls++
	before := h.seen
	h.seen = make(map[digest.Hash]lookup, len(held))
	var order []digest.Hash
	for _, one := range held {
		if _, there := h.seen[one.Volume]; !there {
			h.seen[one.Volume] = before[one.Volume]
			order = append(order, one.Volume)
		}
	}
	slices.SortStableFunc(order, func(a, b digest.Hash) int { return cmp.Compare(h.seen[a].poll, h.seen[b].poll) })
	for _, id := range order[:min(len(order), cmp.Or(h.Looks, pollVolumes))] {
		v, err := h.Mender.Directory.Volume(ctx, id, true)
		if err != nil && !errors.Is(err, reach.ErrUnknown) {
			return err
		}
		h.seen[id] = lookup{v, h.polls} // of one that is gone there is no volume
	}
	return nil
}

// Tree declares a relay: the keeper, and workers of two kinds, so that what goes to the chain never waits for what is mended.
func Tree(keeper func() *Keeper, workers func() *Worker) supervision.Spec {
	h := keeper().Handle
	pair := func(within time.Duration) func() actor.Actor {
		return func() actor.Actor {
			one := workers()
			one.Within = within
			return one
		}
	}
	spec := supervision.Spec{
		Name: "relay", Strategy: supervision.OneForOne, Limit: supervision.Limit{Restarts: 50, Within: time.Minute},
		Backoff: supervision.Backoff{Initial: 100 * time.Millisecond, Max: 10 * time.Second},
		Children: []supervision.Spec{
			{Name: "keeper", Inbox: h.keeper, New: func() actor.Actor { return keeper() }},
			{Name: "courier", Inbox: h.courier, New: pair(courierWithin), StopWithin: stopWithin},
		},
	}
	for _, inbox := range h.menders {
		spec.Children = append(spec.Children, supervision.Spec{Name: inbox.Name(), Inbox: inbox, New: pair(mendWithin), StopWithin: stopWithin})
	}
	return spec
}
