package supervision

import (
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
)

// This file alone turns an Action into something the framework does: its restart
// directive, a stop, a spawn.

// HandleFailure implements actor.SupervisorStrategy: a leaf panicked, its inbox
// is held, and the framework waits for a directive.
func (g *group) HandleFailure(_ *actor.ActorSystem, supervisor actor.Supervisor, child *actor.PID,
	_ *actor.RestartStatistics, reason, message any) {
	ctx := supervisor.(actor.Context)
	i := g.index(child)
	if i < 0 {
		return
	}
	m, s := g.member.children[i], &g.slots[i]
	report := m.take(reason, message)
	copied := *report
	kind := EventFailed
	if report.Cause == Renewed {
		kind = EventRenewed
	}
	g.member.tree.observe(Event{Kind: kind, Subsystem: m.path, Instance: report.Instance, Text: report.Reason, Report: &copied})
	s.up, s.failed = false, m.current()
	s.came()
	if s.stopping || s.mustStop || g.ending || g.passed {
		m.decided(report, "already stopping")
		if s.alive && (!s.stopping || m.spec.Drain) {
			ctx.Stop(child) // a failed inbox would never reach the end of its drain
		}
		return
	}
	m.set(Failed)
	g.decide(ctx, Failure{Member: i, Cause: report.Cause}, m.path, report.Reason, report)
}

// decide asks Decide and carries its answer out.
func (g *group) decide(ctx actor.Context, f Failure, origin, reason string, report *Report) {
	now := g.member.tree.config.Clock.Now()
	action := Decide(g.policy, g.history, f, now)
	g.history = action.History
	m := g.member.children[f.Member]
	text := action.Verb.String()
	if action.Verb == Restart {
		text = fmt.Sprintf("restart %s after %v", g.names(action.Start), action.Delay)
	}
	if report != nil {
		m.decided(report, text)
	}
	switch action.Verb {
	case Remove:
		g.remove(ctx, f.Member)
	case Escalate:
		why := reason
		if f.Cause != Broken {
			why = fmt.Sprintf("%s: %s (last: %s)", g.member.path, action.Reason, reason)
		}
		cause := Crashed
		if f.Cause == Broken || f.Cause == Stuck {
			cause = Broken
		}
		g.escalate(ctx, cause, origin, why)
	case Restart:
		g.member.tree.observe(Event{Kind: EventRestarted, Subsystem: m.path, Instance: m.current(), Text: text})
		g.restart(ctx, f, action)
	}
}

// restart uses the framework's directive for a single live leaf, which keeps its
// address, and an ordered stop and start for everything else.
func (g *group) restart(ctx actor.Context, f Failure, a Action) {
	s := &g.slots[f.Member]
	if len(a.Stop) == 1 && s.alive && (f.Cause == Crashed || f.Cause.free()) && !g.member.children[f.Member].spec.Group() {
		s.restarting = true
		if a.Delay > 0 {
			g.holdFor(f.Member, a)
			return
		}
		g.direct(ctx, f.Member)
		return
	}
	for _, i := range a.Stop {
		g.slots[i].mustStop = true
		g.slots[i].restarting = false
		g.release(i)
	}
	for _, i := range a.Start {
		g.slots[i].mustStart = true
	}
	if a.Delay > 0 {
		g.holdFor(a.Start[0], a)
	}
	g.reconcile(ctx)
}

func (g *group) direct(ctx actor.Context, i int) {
	g.await(i)
	ctx.(actor.Supervisor).RestartChildren(g.slots[i].pid)
}

func (g *group) spawn(ctx actor.Context, i int) {
	m, s := g.member.children[i], &g.slots[i]
	s.spawns++
	s.failed = m.current()
	s.alive, s.up, s.mustStart, s.stopping, s.restarting = true, false, false, false, false
	g.await(i)
	pid, err := ctx.SpawnNamed(m.props(), fmt.Sprintf("%s#%d", m.spec.Name, s.spawns))
	if err != nil {
		panic(fmt.Sprintf("supervision: %s: %v", m.path, err))
	}
	s.pid = pid
}

// props describes the actor of a member. The supervisor of a group's children is
// the group actor itself, so the framework's default strategy is never consulted.
func (m *member) props() *actor.Props {
	produce := func() actor.Actor { return &leaf{member: m} }
	if m.spec.Group() {
		produce = func() actor.Actor { return newGroup(m) }
	}
	return actor.PropsFromProducer(produce, actor.WithMailbox(func() actor.Mailbox { return m.inbox }))
}

func (g *group) stop(ctx actor.Context, i int) {
	m, s := g.member.children[i], &g.slots[i]
	final := !s.mustStart
	wasUp := s.up
	s.stopping, s.up = true, false
	s.came()
	s.stopToken = g.member.tree.tokens.Add(1)
	m.set(Stopping)
	overdue := &stopOverdue{member: i, token: s.stopToken}
	s.stopBound = g.after(m.stopWithin(), overdue)
	switch {
	case m.spec.Group():
		m.inbox.Reply(&stopGroup{final: final})
	case final && m.spec.Drain && wasUp:
		ctx.Poison(s.pid)
		m.inbox.close()
	default:
		if final {
			m.inbox.close()
		}
		ctx.Stop(s.pid)
	}
}

// escalate reports this group as failed. At the root the tree halts.
func (g *group) escalate(ctx actor.Context, cause Cause, origin, reason string) {
	g.passed = true
	g.member.set(Failed)
	t := g.member.tree
	t.observe(Event{Kind: EventEscalated, Subsystem: g.member.path, Instance: g.instance, Text: reason})
	if p := g.member.parent; p != nil {
		p.inbox.Reply(&escalated{member: g.member.index, instance: g.instance, cause: cause, origin: origin, reason: reason})
		return
	}
	t.halt(origin, reason)
	g.end(ctx, true)
}

func (g *group) index(pid *actor.PID) int {
	for i := range g.slots {
		if p := g.slots[i].pid; p != nil && p.Id == pid.Id {
			return i
		}
	}
	return -1
}

func (g *group) names(members []int) string {
	text := ""
	for n, i := range members {
		if n > 0 {
			text += ","
		}
		text += g.member.children[i].spec.Name
	}
	return text
}
