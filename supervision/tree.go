package supervision

import (
	"errors"
	"fmt"
	"time"

	"github.com/asynkron/protoactor-go/actor"
)

// Strategy says which members of a group are restarted when one of them fails.
type Strategy uint8

const (
	// OneForOne restarts the failed member alone.
	OneForOne Strategy = iota
	// AllForOne restarts every member.
	AllForOne
	// RestForOne restarts the failed member and those declared after it.
	RestForOne
)

// String returns the name used in status output and scripts.
func (s Strategy) String() string {
	switch s {
	case OneForOne:
		return "one-for-one"
	case AllForOne:
		return "all-for-one"
	case RestForOne:
		return "rest-for-one"
	}
	return fmt.Sprintf("strategy(%d)", uint8(s))
}

// Lifetime says when a member that ended is started again.
type Lifetime uint8

const (
	// Permanent members are always started again.
	Permanent Lifetime = iota
	// Transient members are started again after a crash, not after an orderly exit.
	Transient
	// Temporary members are never started again.
	Temporary
)

// String returns the name used in status output and scripts.
func (l Lifetime) String() string {
	switch l {
	case Permanent:
		return "permanent"
	case Transient:
		return "transient"
	case Temporary:
		return "temporary"
	}
	return fmt.Sprintf("lifetime(%d)", uint8(l))
}

// Limit is a restart intensity: at most Restarts restarts within any span of
// Within. The failure that would exceed it escalates.
type Limit struct {
	Restarts int
	Within   time.Duration
}

// Backoff is the delay before a restart. The first failure of a member is
// answered at once; the n-th in a row waits Initial·2ⁿ⁻², at most Max, of which
// the upper half is jitter.
type Backoff struct {
	Initial time.Duration
	Max     time.Duration
}

// Spec declares one node of the tree: a group when it has Children, else a leaf.
type Spec struct {
	// Name is unique among siblings and contains no slash.
	Name string

	// Lifetime applies to both kinds.
	Lifetime Lifetime
	// StopWithin bounds an orderly stop; zero means DefaultStopWithin.
	StopWithin time.Duration
	// StartWithin bounds the start of a leaf, and every restart: what it loads
	// included. Zero means DefaultStartWithin.
	StartWithin time.Duration

	// New builds the actor of a leaf, for its start and for every restart.
	New func() actor.Actor
	// Inbox is the mailbox of a leaf.
	Inbox *Inbox
	// Drain makes a stop handle the commands already in the inbox first.
	Drain bool

	// Strategy, Limit and Backoff are a group's policy.
	Strategy Strategy
	Limit    Limit
	Backoff  Backoff
	// Children are started in this order.
	Children []Spec
}

// DefaultStopWithin bounds the orderly stop of a member that names no bound.
const DefaultStopWithin = 5 * time.Second

// DefaultStartWithin bounds the start of a leaf that names no bound. It is meant
// to find a leaf that waits for ever, not one that has much to load.
const DefaultStartWithin = 5 * time.Minute

// ErrSpec is wrapped by every error Check returns.
var ErrSpec = errors.New("supervision: bad tree")

// Group reports whether s declares a group.
func (s *Spec) Group() bool { return s.New == nil }

func (s *Spec) startWithin() time.Duration {
	if s.StartWithin > 0 {
		return s.StartWithin
	}
	return DefaultStartWithin
}

func (s *Spec) stopWithin() time.Duration {
	if s.StopWithin > 0 {
		return s.StopWithin
	}
	return DefaultStopWithin
}

// Check reports the first mistake in the tree under s: a name that is empty,
// repeated or holds a slash, a leaf without inbox, an inbox shared by two
// leaves, a limit without a window, a backoff whose maximum is below its start.
func (s *Spec) Check() error {
	return s.check(s.Name, map[*Inbox]string{})
}

func (s *Spec) check(path string, seen map[*Inbox]string) error {
	if s.Name == "" {
		return fmt.Errorf("%w: %s: a member has no name", ErrSpec, path)
	}
	for _, r := range s.Name {
		if r == '/' {
			return fmt.Errorf("%w: %s: slash in a name", ErrSpec, path)
		}
	}
	if !s.Group() {
		return s.checkLeaf(path, seen)
	}
	switch {
	case s.Inbox != nil:
		return fmt.Errorf("%w: %s: a group has no inbox of its own", ErrSpec, path)
	case s.Strategy > RestForOne:
		return fmt.Errorf("%w: %s: unknown %v", ErrSpec, path, s.Strategy)
	case s.Limit.Restarts < 0 || s.Limit.Restarts > 0 && s.Limit.Within <= 0:
		return fmt.Errorf("%w: %s: limit of %d restarts within %v", ErrSpec, path, s.Limit.Restarts, s.Limit.Within)
	case s.Backoff.Initial < 0 || s.Backoff.Max < s.Backoff.Initial:
		return fmt.Errorf("%w: %s: backoff from %v to %v", ErrSpec, path, s.Backoff.Initial, s.Backoff.Max)
	}
	names := map[string]bool{}
	for i := range s.Children {
		c := &s.Children[i]
		if names[c.Name] {
			return fmt.Errorf("%w: %s: two members named %q", ErrSpec, path, c.Name)
		}
		names[c.Name] = true
		if err := c.check(path+"/"+c.Name, seen); err != nil {
			return err
		}
	}
	return nil
}

func (s *Spec) checkLeaf(path string, seen map[*Inbox]string) error {
	if len(s.Children) > 0 {
		return fmt.Errorf("%w: %s: both a leaf and a group", ErrSpec, path)
	}
	if s.Inbox == nil {
		return fmt.Errorf("%w: %s: a leaf needs an inbox", ErrSpec, path)
	}
	if other, shared := seen[s.Inbox]; shared {
		return fmt.Errorf("%w: %s: shares its inbox with %s", ErrSpec, path, other)
	}
	if s.Lifetime > Temporary {
		return fmt.Errorf("%w: %s: unknown %v", ErrSpec, path, s.Lifetime)
	}
	seen[s.Inbox] = path
	return nil
}
