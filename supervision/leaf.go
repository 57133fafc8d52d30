package supervision

import "github.com/asynkron/protoactor-go/actor"

// leaf wraps one instance of a subsystem's actor. It records a panic with its
// stack and command before the framework sees it, tells the group when the
// instance is up, and keeps a failing instance from wedging its own stop.
type leaf struct {
	member   *member
	inner    actor.Actor
	instance uint64
}

// started is sent by a member to its group when it has come up.
type started struct {
	member   int
	instance uint64
}

// Receive implements actor.Actor.
func (l *leaf) Receive(ctx actor.Context) {
	switch command := ctx.Message().(type) {
	case *actor.Started:
		l.start(ctx)
	case *actor.Restarting, *actor.Stopping, *actor.Stopped:
		l.wind(ctx)
	default:
		l.handle(ctx, command)
	}
}

// start builds the subsystem inside the child, so that a panicking constructor
// is the child's failure and not its group's.
func (l *leaf) start(ctx actor.Context) {
	defer l.caught(ctx)
	l.instance = l.member.begin()
	if inject := l.member.tree.config.Inject; inject != nil {
		inject(l.member.path, ctx.Message())
	}
	l.inner = l.member.spec.New()
	l.inner.Receive(ctx)
	l.member.set(Running)
	l.member.tree.observe(Event{Kind: EventStarted, Subsystem: l.member.path, Instance: l.instance, Loading: l.member.loaded()})
	l.member.parent.inbox.Reply(&started{member: l.member.index, instance: l.instance})
}

// wind passes the framework's farewell on. A panic here is recorded and goes no
// further: raised, it would leave the framework waiting for a stop for ever.
func (l *leaf) wind(ctx actor.Context) {
	if _, stopping := ctx.Message().(*actor.Stopping); stopping {
		l.member.winds()
	}
	if l.inner == nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			l.member.record(newReport(l.member.path, l.instance, l.member.tree.config.Clock.Now(), r, ctx.Message()))
			l.member.mu.Lock()
			l.member.pending = nil
			l.member.mu.Unlock()
		}
	}()
	l.inner.Receive(ctx)
}

func (l *leaf) handle(ctx actor.Context, command any) {
	defer l.caught(ctx)
	if inject := l.member.tree.config.Inject; inject != nil {
		inject(l.member.path, command)
	}
	l.inner.Receive(ctx)
}

func (l *leaf) caught(ctx actor.Context) {
	r := recover()
	if r == nil {
		return
	}
	command := ctx.Message()
	l.member.record(newReport(l.member.path, l.instance, l.member.tree.config.Clock.Now(), r, command))
	l.member.set(Failed)
	abandon(command, ErrAbandoned)
	panic(r)
}
