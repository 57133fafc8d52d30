package supervision

import (
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// group is the actor behind a group of the tree. It keeps one slot per member and
// brings the members towards what the slots ask for, one stop or one start at a
// time: youngest first down, eldest first up.
type group struct {
	member   *member
	policy   Policy
	history  History
	slots    []slot
	instance uint64
	ready    bool // every member came up once
	ending   bool // the group itself is to stop
	final    bool // it will not be started again
	passed   bool // its failure was reported above; it waits for its own stop
	hung     bool // a member was given up
}

// slot is what a group knows about one member.
type slot struct {
	pid        *actor.PID
	spawns     uint64
	alive      bool // an actor exists
	up         bool // it reported that it is running
	stopping   bool // it was told to stop
	mustStop   bool
	mustStart  bool
	restarting bool     // the framework's restart directive was, or will be, given
	failed     uint64   // reports of instances up to this one are stale
	hold       Deadline // pending delay before the start
	token      uint64   // of the latest hold; unique in the tree
	stopToken  uint64   // of the latest stop; unique in the tree
	stopBound  Deadline
	startToken uint64 // of the latest start; unique in the tree
	startBound Deadline
}

var _ actor.SupervisorStrategy = (*group)(nil)

type (
	stopGroup struct{ final bool }
	holdOver  struct {
		member int
		token  uint64
	}
	stopOverdue struct {
		member int
		token  uint64
	}
	startOverdue struct {
		member int
		token  uint64
	}
	memberHung struct {
		member   int
		instance uint64
	}
	escalated struct {
		member   int
		instance uint64
		cause    Cause
		origin   string
		reason   string
	}
)

func newGroup(m *member) *group {
	g := &group{member: m, slots: make([]slot, len(m.children))}
	s := m.spec
	g.policy = Policy{Strategy: s.Strategy, Limit: s.Limit, Backoff: s.Backoff, Seed: m.tree.config.Seed}
	for i, c := range m.children {
		g.policy.Members = append(g.policy.Members, c.spec.Lifetime)
		g.policy.Seed = mix(g.policy.Seed ^ uint64(i))
		g.slots[i].mustStart = true
	}
	return g
}

// Receive implements actor.Actor.
func (g *group) Receive(ctx actor.Context) {
	switch c := ctx.Message().(type) {
	case *actor.Started:
		g.instance = g.member.begin()
		g.reconcile(ctx)
	case *actor.Stopped:
		g.gone()
	case *actor.Terminated:
		g.terminated(ctx, c.Who)
	case *started:
		g.started(ctx, c)
	case *holdOver:
		g.holdOver(ctx, c)
	case *stopOverdue:
		g.stopOverdue(ctx, c)
	case *startOverdue:
		g.startOverdue(ctx, c)
	case *escalated:
		g.childEscalated(ctx, c)
	case *memberHung:
		g.memberHung(ctx, c)
	case *stopGroup:
		g.end(ctx, c.final)
	}
}

// reconcile makes the next stop or start the slots ask for.
func (g *group) reconcile(ctx actor.Context) {
	for i := len(g.slots) - 1; i >= 0; i-- {
		s := &g.slots[i]
		if !s.mustStop {
			continue
		}
		if !s.alive {
			s.mustStop = false
			continue
		}
		if !s.stopping {
			g.stop(ctx, i)
		}
		return
	}
	if g.ending {
		g.leave(ctx)
		return
	}
	if g.passed {
		return
	}
	ordered := !g.ready || g.policy.Strategy != OneForOne
	for i := range g.slots {
		s := &g.slots[i]
		switch {
		case s.mustStart && !s.alive && s.hold == nil:
			g.spawn(ctx, i)
			if ordered {
				return
			}
		case ordered && (s.hold != nil || s.alive && !s.up):
			return
		}
	}
	g.settle()
}

// settle reports the group as running once every member that should be up is.
func (g *group) settle() {
	for i := range g.slots {
		if s := &g.slots[i]; s.mustStart || s.alive && !s.up {
			return
		}
	}
	g.member.set(Running)
	if g.ready {
		return
	}
	g.ready = true
	t := g.member.tree
	t.observe(Event{Kind: EventStarted, Subsystem: g.member.path, Instance: g.instance})
	if p := g.member.parent; p != nil {
		p.inbox.Reply(&started{member: g.member.index, instance: g.instance})
		return
	}
	t.startedOnce.Do(func() { close(t.started) })
}

func (g *group) remove(ctx actor.Context, i int) {
	s := &g.slots[i]
	s.mustStart, s.mustStop = false, s.alive
	g.release(i)
	if !s.alive {
		g.down(i, Removed)
	}
	g.member.tree.observe(Event{Kind: EventRemoved, Subsystem: g.member.children[i].path})
	g.reconcile(ctx)
}

// down closes a member for good.
func (g *group) down(i int, s State) {
	m := g.member.children[i]
	m.set(s)
	if !m.spec.Group() {
		m.inbox.close()
		m.inbox.discard(ErrStopped)
	}
}

func (g *group) terminated(ctx actor.Context, who *actor.PID) {
	i := g.index(who)
	if i < 0 {
		return
	}
	m, s := g.member.children[i], &g.slots[i]
	asked := s.stopping
	s.came()
	s.alive, s.up, s.stopping, s.mustStop, s.restarting = false, false, false, false, false
	if s.stopBound != nil {
		s.stopBound.Stop()
		s.stopBound = nil
	}
	g.member.tree.observe(Event{Kind: EventStopped, Subsystem: m.path, Instance: m.current(), Waited: m.awaited()})
	switch {
	case !asked && !g.ending && !g.passed:
		m.set(Failed)
		g.decide(ctx, Failure{Member: i, Cause: Exited}, m.path, "exited", nil)
		return
	case s.mustStart && !g.ending:
		m.set(Down)
	case g.ending && !g.final:
		m.set(Stopped)
	case g.ending:
		g.down(i, Stopped)
	default:
		g.down(i, Removed)
	}
	g.reconcile(ctx)
}

func (g *group) started(ctx actor.Context, c *started) {
	s := &g.slots[c.member]
	if !s.alive || s.stopping || c.instance <= s.failed {
		return
	}
	s.came()
	s.up, s.restarting = true, false
	g.reconcile(ctx)
}

// await gives a leaf that is being started its deadline.
func (g *group) await(i int) {
	m, s := g.member.children[i], &g.slots[i]
	if m.spec.Group() {
		return // its own leaves have theirs
	}
	s.came()
	s.startToken = g.member.tree.tokens.Add(1)
	s.startBound = g.after(m.spec.startWithin(), &startOverdue{member: i, token: s.startToken})
}

// came ends the deadline of a start.
func (s *slot) came() {
	if s.startBound != nil {
		s.startBound.Stop()
		s.startBound = nil
	}
}

// startOverdue gives a leaf up that did not come up within its deadline: nobody
// knows what it is doing, so another instance beside it would be one too many.
func (g *group) startOverdue(ctx actor.Context, c *startOverdue) {
	if s := &g.slots[c.member]; s.startBound != nil && s.startToken == c.token && !s.stopping {
		g.giveUp(ctx, c.member, "start", g.member.children[c.member].spec.startWithin())
	}
}

func (g *group) childEscalated(ctx actor.Context, c *escalated) {
	m, s := g.member.children[c.member], &g.slots[c.member]
	if !s.alive || s.stopping || s.mustStop || g.ending || g.passed || c.instance != m.current() {
		return
	}
	s.up = false
	m.set(Failed)
	g.decide(ctx, Failure{Member: c.member, Cause: c.cause}, c.origin, c.reason, nil)
}

// end stops every member, then the group itself.
func (g *group) end(ctx actor.Context, final bool) {
	g.final = g.final || final
	if g.ending {
		return
	}
	g.ending = true
	g.member.set(Stopping)
	for i := range g.slots {
		g.release(i)
		s := &g.slots[i]
		s.mustStop = s.alive
		s.mustStart = !g.final
		if c := g.member.children[i]; !s.alive && g.final && !c.is(Hung) && !c.is(Removed) {
			g.down(i, Stopped)
		}
	}
	g.reconcile(ctx)
}

// leave stops the group's own actor once its members are down. With a hung
// member the framework would wait for ever, so the group is given up as well.
func (g *group) leave(ctx actor.Context) {
	if !g.hung {
		ctx.Stop(ctx.Self())
		return
	}
	g.gone()
	if p := g.member.parent; p != nil {
		p.inbox.Reply(&memberHung{member: g.member.index, instance: g.instance})
	}
}

// gone is the last thing a group does.
func (g *group) gone() {
	g.member.set(Stopped)
	if g.member.parent == nil {
		g.member.tree.down()
	}
}

// stopOverdue gives a member up that did not stop within its deadline. It cannot
// be started again; unless everything is stopping anyway, the group escalates.
func (g *group) stopOverdue(ctx actor.Context, c *stopOverdue) {
	if s := &g.slots[c.member]; s.stopping && s.stopToken == c.token {
		g.giveUp(ctx, c.member, "stop", g.member.children[c.member].stopWithin())
	}
}

func (g *group) memberHung(ctx actor.Context, c *memberHung) {
	if g.slots[c.member].alive && c.instance == g.member.children[c.member].current() {
		g.giveUp(ctx, c.member, "stop", g.member.children[c.member].stopWithin())
	}
}

func (g *group) giveUp(ctx actor.Context, i int, what string, within time.Duration) {
	m, s := g.member.children[i], &g.slots[i]
	g.hung = true
	m.set(Hung)
	m.inbox.close()
	s.alive, s.up, s.stopping, s.mustStop, s.mustStart = false, false, false, false, false
	s.pid = nil
	s.came()
	if s.stopBound != nil {
		s.stopBound.Stop()
		s.stopBound = nil
	}
	g.member.tree.observe(Event{Kind: EventHung, Subsystem: m.path, Instance: m.current()})
	if g.ending || g.passed {
		g.reconcile(ctx)
		return
	}
	g.decide(ctx, Failure{Member: i, Cause: Stuck}, m.path, fmt.Sprintf("did not %s within %v", what, within), nil)
}

// holdFor delays the start of member i.
func (g *group) holdFor(i int, a Action) {
	g.release(i)
	s := &g.slots[i]
	s.token = g.member.tree.tokens.Add(1)
	s.hold = g.after(a.Delay, &holdOver{member: i, token: s.token})
}

func (g *group) holdOver(ctx actor.Context, c *holdOver) {
	s := &g.slots[c.member]
	if s.hold == nil || s.token != c.token {
		return
	}
	s.hold = nil
	if s.alive && s.restarting {
		g.direct(ctx, c.member)
		return
	}
	g.reconcile(ctx)
}

// after sends command to this group's own inbox once d has passed.
func (g *group) after(d time.Duration, command any) Deadline {
	inbox := g.member.inbox
	return g.member.tree.config.Clock.AfterFunc(d, func() { inbox.Reply(command) })
}

func (g *group) release(i int) {
	if s := &g.slots[i]; s.hold != nil {
		s.hold.Stop()
		s.hold = nil
	}
}
