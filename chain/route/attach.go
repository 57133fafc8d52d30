package route

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Attach gives By a challenge for an external domain that is to lead to an actor; it replaces the one By has. Rejects: ErrName, ErrMethod, ErrOwner,
// ErrIngress, ErrAttach, and ErrTaken for a domain that leads to an actor of another owner.
//
// Spec: gateway-payments-streams §A.2 (begin_attach_external), §A.3; entitlement-extras §3 (dns.attach_external).
func (g *Registry) Attach(d Domain, actor account.Address, method Method) (*Attachment, error) {
	if method >= methods {
		return nil, ErrMethod
	}
	if err := g.target(actor); err != nil {
		return nil, err
	}
	if err := g.room(d, actor); err != nil {
		return nil, err
	}
	old, ok, err := LoadExternal(g.State, d)
	if err != nil {
		return nil, err
	}
	if s, _ := old.Standing(g.Height); ok && s == Attached && old.Owner != g.By {
		return nil, ErrTaken
	}
	a := &Attachment{
		Actor: actor, Owner: g.By, Method: method, Nonce: nonceOf(g.Chain, d, g.By, actor, g.Height), State: Pending, Registered: g.Height,
	}
	g.keep(challengeKey(d, g.By), a)
	return a, nil
}

// room holds an actor to its dns.attach_external: it declares it, and has fewer domains than it says unless the domain is one of them.
//
// Spec: entitlement-extras §3 (max_bindings).
func (g *Registry) room(d Domain, actor account.Address) error {
	most, declared, err := entitle.DomainsOf(g.State, actor)
	switch {
	case err != nil:
		return err
	case !declared:
		return ErrAttach
	}
	old, ok, err := LoadExternal(g.State, d)
	if err != nil || ok && old.Actor == actor && old.State != Detached {
		return err
	}
	n, err := BoundTo(g.State, actor)
	if err == nil && n >= most {
		err = ErrAttach
	}
	return err
}

// Ask begins a check of a domain's records and gives what is to be proved: By's open challenge, or else the attachment. That one may be checked by its
// owner and who speaks for its actor at any time, and by anybody once it is due. Rejects: ErrExpired, ErrChallenge for a challenge whose time is over,
// ErrOwner, ErrTaken while a check is under way.
//
// Spec: gateway-payments-streams §A.2 (reverify_external), §A.3.
func (g *Registry) Ask(d Domain) (*Attachment, error) {
	key := challengeKey(d, g.By)
	a, mine, err := attachment(g.State, key)
	if err != nil {
		return nil, err
	}
	over := mine && g.Height >= a.Expires()
	if !mine || over {
		key = externalKey(d)
		var ok bool
		if a, ok, err = attachment(g.State, key); err != nil {
			return nil, err
		}
		if s, _ := a.Standing(g.Height); !ok || s != Attached && s != Suspended {
			if over {
				return nil, ErrChallenge
			}
			return nil, ErrExpired
		}
		if g.By != a.Owner && g.Height < a.Due() {
			if err := g.speaks(a.Actor); err != nil {
				return nil, err
			}
		}
	}
	if g.Height < a.Checking {
		return nil, ErrTaken
	}
	a.Checking = g.Height + checkBlocks
	g.State.Set(key, a.Append(nil))
	return &a, nil
}

// Answer is what runners say of a domain, whose check was asked for with a nonce; proved is false where they say nothing.
type Answer struct {
	Domain  Domain
	Owner   account.Address
	Nonce   Nonce
	Said    bool // there is a verdict
	Verdict Verdict
}

// Apply takes an answer and gives what has become of the domain; nil where nothing did. An answer to a check of a challenge or an attachment that is no more
// is nobody's.
//
// Spec: gateway-payments-streams §A.2 (67), §A.3.
func (g *Registry) Apply(n *Answer) (*Attachment, error) {
	a, ok, err := LoadExternal(g.State, n.Domain)
	if err != nil {
		return nil, err
	}
	if ok && a.Nonce == n.Nonce && a.Owner == n.Owner {
		return g.again(&a, n)
	}
	key := challengeKey(n.Domain, n.Owner)
	c, ok, err := attachment(g.State, key)
	if err != nil || !ok || c.Nonce != n.Nonce {
		return nil, err
	}
	c.Checking = 0
	if !n.Said || n.Verdict != Proved || g.Height >= c.Expires() {
		c.Reason = n.Verdict
		if !n.Said {
			c.Reason = Proved
		}
		g.State.Set(key, c.Append(nil))
		return &c, nil
	}
	return g.attached(&c, n)
}

// again is the answer to a check of a domain that was proved before.
func (g *Registry) again(a *Attachment, n *Answer) (*Attachment, error) {
	s, _ := a.Standing(g.Height)
	if s != Attached && s != Suspended {
		return nil, nil
	}
	a.Checking = 0
	switch {
	case !n.Said:
	case n.Verdict == Proved:
		a.State, a.Reason, a.Verified = Attached, Proved, g.Height
	default:
		a.State, a.Reason = Suspended, n.Verdict
	}
	g.State.Set(externalKey(n.Domain), a.Append(nil))
	return a, nil
}

// attached has a domain lead to the actor of a challenge that was answered, unless it leads to another owner's meanwhile, or the actor has room no more.
func (g *Registry) attached(c *Attachment, n *Answer) (*Attachment, error) {
	old, ok, err := LoadExternal(g.State, n.Domain)
	if err != nil {
		return nil, err
	}
	if s, _ := old.Standing(g.Height); ok && s == Attached && old.Owner != n.Owner {
		return nil, nil
	}
	if err := g.room(n.Domain, c.Actor); errors.Is(err, ErrAttach) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	if ok {
		if err := g.unbind(n.Domain, &old); err != nil {
			return nil, err
		}
	}
	g.State.Delete(challengeKey(n.Domain, n.Owner))
	c.State, c.Reason, c.Verified = Attached, Proved, g.Height
	g.keep(externalKey(n.Domain), c)
	g.State.Set(actorKey(c.Actor, n.Domain), []byte{})
	return c, g.count(c.Actor, 1)
}

// Detach ends an attachment, or a challenge of By. Rejects: ErrExpired, ErrOwner.
//
// Spec: gateway-payments-streams §A.2 (detach_external).
func (g *Registry) Detach(d Domain) error {
	_, mine, err := LoadChallenge(g.State, d, g.By)
	if err != nil {
		return err
	}
	if mine {
		g.State.Delete(challengeKey(d, g.By))
		return nil
	}
	a, ok, err := LoadExternal(g.State, d)
	if err != nil {
		return err
	}
	if s, _ := a.Standing(g.Height); !ok || s != Attached && s != Suspended {
		return ErrExpired
	}
	if g.By != a.Owner {
		if err := g.speaks(a.Actor); err != nil {
			return err
		}
	}
	if err := g.unbind(d, &a); err != nil {
		return err
	}
	a.State, a.Changed = Detached, g.Height
	g.keep(externalKey(d), &a)
	return nil
}

// unbind takes a domain away from its actor; a detached one leads to none.
func (g *Registry) unbind(d Domain, a *Attachment) error {
	if a.State == Detached {
		return nil
	}
	g.State.Delete(actorKey(a.Actor, d))
	return g.count(a.Actor, -1)
}

func (g *Registry) count(actor account.Address, by int64) error {
	n, err := BoundTo(g.State, actor)
	if err != nil {
		return err
	}
	state.SetCount(g.State, boundKey(actor), n+uint64(by))
	return nil
}

// keep writes a record and has it looked at in the block in which it goes.
func (g *Registry) keep(key []byte, a *Attachment) {
	g.State.Set(key, a.Append(nil))
	g.State.Set(dueKey(a.pruned(), key), nil)
}

func dueKey(at unit.Height, key []byte) []byte {
	return under(underDue, binary.BigEndian.AppendUint64(nil, uint64(at)), key[len(under("")):])
}

// Prune deletes records whose time is over at a height, at most 64 of those that are due; what was proved again meanwhile is due later.
//
// Spec: gateway-payments-streams §A.3 (external bindings that expired go after 7,776,000).
func Prune(s state.Store, at unit.Height) error {
	prefix := under(underDue)
	var due [][]byte
	err := s.Scan(prefix, nil, prunedPerBlock, func(key, _ []byte) bool {
		if unit.Height(binary.BigEndian.Uint64(key[len(prefix):])) > at {
			return false
		}
		due = append(due, append([]byte(nil), key...))
		return true
	})
	if err != nil {
		return err
	}
	g := &Registry{State: s, Height: at}
	for _, key := range due {
		s.Delete(key)
		if err := g.prune(under("", key[len(prefix)+8:])); err != nil {
			return err
		}
	}
	return nil
}

// prune deletes a record if its time is over.
func (g *Registry) prune(key []byte) error {
	a, ok, err := attachment(g.State, key)
	if err != nil || !ok {
		return err
	}
	if g.Height < a.pruned() {
		g.State.Set(dueKey(a.pruned(), key), nil)
		return nil
	}
	g.State.Delete(key)
	if a.State == Pending {
		return nil
	}
	return g.unbind(Domain{External, string(key[len(under(underExternal)):])}, &a)
}
