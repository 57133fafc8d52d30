package causal

import (
	"cmp"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/query"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// traced is an execution of a tree.
type traced struct {
	place index.Place
	x     *block.Receipt // what is needed of it: what the sender or the actor chose is left out
	name  digest.Hash    // as query.Execution has it
	set   *digest.Hash   // the timer that it set without a turn, as a transaction
	turn  *query.Turn    // nil: nothing was executed again for it
	asked bool           // whether that was tried

	parent, call int
	emits        []uint32 // of the block, that left hooks to later blocks
	by           string
	wakes        int // fires it follows from
}

// step is one call of an execution of a tree, by place.
type step struct{ node, call int }

// tracer makes one trace.
type tracer struct {
	Question
	origin digest.Hash // of the root

	blocks  map[unit.Height]*Block
	held    int // bytes of these
	again   int // blocks that were executed again
	list    []traced
	seen    map[index.Place]bool
	origins []digest.Hash // of what the tree's pools pay for
	timers  []digest.Hash // set by executions of the tree
	stops   []string
}

func (t *tracer) stop(why string) {
	if !slices.Contains(t.stops, why) {
		t.stops = append(t.stops, why)
	}
}

// read gives a block of the tree.
func (t *tracer) read(height unit.Height) (*Block, error) {
	if c, ok := t.blocks[height]; ok {
		return c, nil
	}
	c, err := t.From.Block(height)
	if err != nil {
		return nil, err
	}
	if t.held += c.Size; t.held > maxHeld {
		clear(t.blocks)
		t.held = c.Size
	}
	t.blocks[height] = c
	return c, nil
}

// add adds an execution and what ran on what it had left.
func (t *tracer) add(p index.Place, wakes int) error {
	if t.seen[p] {
		return nil
	}
	if len(t.list) >= maxTrace {
		t.stop(wire.StopTurns)
		return nil
	}
	c, err := t.read(p.Height)
	if err != nil {
		return err
	}
	t.seen[p] = true
	x := *c.Receipts[p.Index]
	set := c.scheduled(p.Index)
	emits := emitsOf(&x)
	x.ReturnData, x.Events = nil, nil // parts of a block, which they would keep in memory
	e := traced{place: p, x: &x, name: x.ID, set: set, parent: -1, wakes: wakes, emits: emits}
	if x.Kind == block.Timer {
		e.name = timer.Origin(x.ID, p.Height)
	}
	e.asked = x.Kind == block.System || x.Status == block.Dropped // without a turn
	t.list = append(t.list, e)
	if set != nil {
		return t.set(*set, wakes+1)
	}
	return nil
}

// emitsOf are the emits of an execution that left hooks to later blocks.
func emitsOf(x *block.Receipt) (list []uint32) {
	for _, e := range x.Events {
		if e.Actor != event.Home() || string(e.Topic) != event.TopicDeferred {
			continue
		}
		if emit, ok := event.Left(e.Data); ok {
			list = append(list, emit)
		}
	}
	return list
}

// scheduled is the timer that the transaction of a receipt set without a turn; nil if it set none.
func (b *Block) scheduled(at uint32) *digest.Hash {
	x := b.Receipts[at]
	if _, is := b.instruction(at).(*tx.TimerSchedule); !is || x.Status != block.Success || len(x.ReturnData) != len(digest.Hash{}) {
		return nil
	}
	id := digest.Hash(x.ReturnData)
	return &id
}

// instruction is that of the transaction a receipt is of; nil for any other receipt.
func (b *Block) instruction(at uint32) tx.Instruction {
	if b.Receipts[at].Kind != block.Transaction {
		return nil
	}
	before := 0
	for _, x := range b.Receipts[:at] {
		if x.Kind == block.Transaction {
			before++
		}
	}
	if before >= len(b.Block.Txs) {
		return nil
	}
	return b.Block.Txs[before].Instruction
}

// caused adds what runs on an origin's account.
func (t *tracer) caused(origin digest.Hash, wakes int) error {
	t.origins = append(t.origins, origin)
	places, err := t.From.Caused(origin, maxTrace+1)
	if err != nil {
		return err
	}
	for _, p := range places {
		if err := t.add(p, wakes); err != nil {
			return err
		}
	}
	return nil
}

// set adds the fires of a timer, and what they led to.
func (t *tracer) set(id digest.Hash, wakes int) error {
	if slices.Contains(t.timers, id) {
		return nil
	}
	t.timers = append(t.timers, id)
	places, err := t.From.Executions(id, maxFires+1)
	if err != nil {
		return err
	}
	if len(places) > maxFires || wakes > maxWakes && len(places) > 0 {
		t.stop(wire.StopFires)
		places = places[:min(len(places), maxFires)]
	}
	if wakes > maxWakes {
		return nil
	}
	for _, p := range places {
		if t.seen[p] {
			continue
		}
		if err := t.add(p, wakes); err != nil {
			return err
		}
		if err := t.caused(timer.Origin(id, p.Height), wakes); err != nil {
			return err
		}
	}
	return nil
}

// gather finds all executions of the tree, and executes their blocks again.
func (t *tracer) gather(root index.Place) error {
	if err := t.add(root, 0); err != nil {
		return err
	}
	if err := t.caused(t.origin, 0); err != nil {
		return err
	}
	for {
		height, names := t.next()
		if names == nil {
			return nil
		}
		turns, err := t.execute(height, names)
		if err != nil {
			return err
		}
		for i := range t.list {
			e := &t.list[i]
			if e.place.Height == height && !e.asked {
				e.asked, e.turn = true, turns[e.name]
			}
		}
		for i := 0; i < len(t.list); i++ { // it grows
			if e := t.list[i]; e.place.Height == height && e.turn != nil {
				if err := t.follow(&e); err != nil {
					return err
				}
			}
		}
	}
}

// follow adds the fires of the timers that a turn set.
func (t *tracer) follow(e *traced) error {
	if e.turn.Skipped > 0 {
		t.stop(wire.StopCalls)
	}
	for _, c := range e.turn.Calls {
		for _, s := range c.Timers {
			if s.Undone {
				continue
			}
			if err := t.set(s.ID, e.wakes+1); err != nil {
				return err
			}
		}
	}
	return nil
}

// next is the lowest block with executions that nobody has looked at, and their names.
func (t *tracer) next() (height unit.Height, names []digest.Hash) {
	for _, e := range t.list {
		switch {
		case e.asked || names != nil && e.place.Height > height:
			continue
		case e.place.Height < height || names == nil:
			height, names = e.place.Height, nil
		}
		names = append(names, e.name)
	}
	return height, names
}

// execute executes a block again for some of its turns.
func (t *tracer) execute(height unit.Height, names []digest.Hash) (map[digest.Hash]*query.Turn, error) {
	switch {
	case t.Service == nil:
		t.stop(wire.StopNothing)
		return nil, nil
	case height == 0:
		return nil, nil
	case t.again == maxTraceBlocks:
		t.stop(wire.StopBlocks)
		return nil, nil
	}
	t.again++
	c, err := t.read(height)
	if err != nil {
		return nil, err
	}
	return t.Service.Trace(t.Context, t.Client, c.Hash, names, func() (transition.Parent, *block.Block, error) {
		return t.From.Before(height)
	})
}

// link gives every execution its parent, and puts each behind its parent.
func (t *tracer) link() {
	slices.SortStableFunc(t.list[1:], func(a, b traced) int {
		return cmp.Or(cmp.Compare(a.place.Height, b.place.Height), cmp.Compare(a.place.Index, b.place.Index))
	})
	from := t.senders()
	for i := range t.list {
		e := &t.list[i]
		if i == 0 {
			continue
		}
		e.parent, e.by = 0, wire.ByOrigin
		key := e.x.ID
		if s, ok := from[key]; ok && s.node < i {
			e.parent, e.call = s.node, s.call
			e.by = map[block.Kind]string{block.Message: wire.ByMessage, block.Deferred: wire.ByDeferred, block.Timer: wire.ByTimer}[e.x.Kind]
		} else if at, ok := t.asker(i); ok {
			e.parent, e.by = at, wire.ByJob
		} else if at, ok := t.emitter(e); ok {
			e.parent, e.by = at, wire.ByEmit
		}
	}
	t.arrange()
}

// senders tells which call sent a message or a deferred call, or set a timer.
func (t *tracer) senders() map[digest.Hash]step {
	from := map[digest.Hash]step{}
	for i := range t.list {
		if id := t.list[i].set; id != nil {
			from[*id] = step{i, 0}
		}
		if t.list[i].turn == nil {
			continue
		}
		for k, c := range t.list[i].turn.Calls {
			for _, s := range c.Sent {
				if !s.Undone {
					from[s.ID] = step{i, k}
				}
			}
			for _, s := range c.Timers {
				if !s.Undone {
					from[s.ID] = step{i, k}
				}
			}
		}
	}
	return from
}

// asker is the delivery of the job that an execution delivers the answer of.
func (t *tracer) asker(i int) (int, bool) {
	turn := t.list[i].turn
	if turn == nil || turn.Job == (query.Job{}) {
		return 0, false
	}
	for k := i - 1; k > 0; k-- {
		if other := t.list[k].turn; other != nil && other.Job == turn.Job && t.list[k].x.Sender == turn.Job.Actor {
			return k, true
		}
	}
	return 0, false
}

// emitter is the execution whose emit left hooks to later blocks.
//
// Spec: gateway-payments-streams §H.1 (triggered_by_emit).
func (t *tracer) emitter(e *traced) (int, bool) {
	if e.x.Kind != block.Hooks {
		return 0, false
	}
	at := slices.IndexFunc(t.list, func(x traced) bool {
		return x.place.Height == e.x.Emit.Block && slices.Contains(x.emits, e.x.Emit.Emit)
	})
	return max(at, 0), at >= 0
}

// arrange orders the tree: each execution behind its parent and that one's earlier children's own.
func (t *tracer) arrange() {
	children := make([][]int, len(t.list))
	for i := 1; i < len(t.list); i++ {
		children[t.list[i].parent] = append(children[t.list[i].parent], i)
	}
	at := make([]int, len(t.list))
	order := make([]traced, 0, len(t.list))
	for stack := []int{0}; len(stack) > 0; {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		at[i] = len(order)
		order = append(order, t.list[i])
		for _, c := range slices.Backward(children[i]) {
			stack = append(stack, c)
		}
	}
	for i := range order {
		if order[i].parent >= 0 {
			order[i].parent = at[order[i].parent]
		}
	}
	t.list = order
}
