package route

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/entitle"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Registry is the registry of names during one execution. A method that gives a reject has written nothing.
type Registry struct {
	State  state.Store
	Config Config
	Chain  uint64      // its number
	Height unit.Height // of the block
	By     account.Address
	// Speaks reports whether By may act for an actor with a method: it is the actor, deployed it, or holds the entitlement for the method.
	Speaks func(actor account.Address) (bool, error)
}

// Quote is what a name costs for so many blocks at a height, and in which state it is. Rejects: ErrName, ErrReserved, ErrDuration, ErrTaken for a name that
// is active or in its grace.
//
// Spec: gateway-payments-streams §A.3.
func Quote(r state.Reader, c Config, d Domain, blocks uint64, at unit.Height) (unit.Amount, Status, error) {
	if err := CheckLabel(d.Label); err != nil {
		return 0, Free, err
	}
	if blocks < c.Least || blocks > MaxPeriods*c.Period {
		return 0, Free, ErrDuration
	}
	fee, err := c.Fee(d.Label, blocks)
	if err != nil {
		return 0, Free, err
	}
	b, ok, err := Load(r, d)
	if err != nil || !ok {
		return fee, Free, err
	}
	switch status, since := b.Status(c, at); status {
	case InAuction:
		price, err := c.AuctionPrice(fee, since)
		return price, status, err
	case Free:
		return fee, Free, nil
	default:
		return 0, status, ErrTaken
	}
}

// Register gives By a name that leads to an actor for so many blocks and gives its price, of which paid is at least as much. Rejects: those of Quote,
// ErrOwner, ErrIngress, ErrFee.
//
// Spec: gateway-payments-streams §A.2, §A.3.
func (g *Registry) Register(d Domain, actor account.Address, blocks uint64, paid unit.Amount) (unit.Amount, error) {
	price, _, err := Quote(g.State, g.Config, d, blocks, g.Height)
	if err != nil {
		return 0, err
	}
	if err := g.target(actor); err != nil {
		return 0, err
	}
	if paid < price {
		return 0, ErrFee
	}
	old, ok, err := Load(g.State, d)
	if err != nil {
		return 0, err
	}
	if ok {
		g.State.Delete(actorKey(old.Actor, d))
	}
	g.save(d, &Binding{Actor: actor, Owner: g.By, Registered: g.Height, Expires: g.Height + unit.Height(blocks)})
	g.State.Set(actorKey(actor, d), []byte{})
	return price, nil
}

// Renew prolongs a name by so many blocks from its expiry and gives the fee. Its owner may, and who speaks for its actor, while it is active or in its grace.
// Rejects: ErrExpired, ErrOwner, ErrDuration, ErrFee.
//
// Spec: gateway-payments-streams §A.3 (renewal counts from the expiry).
func (g *Registry) Renew(d Domain, blocks uint64, paid unit.Amount) (unit.Amount, error) {
	b, status, err := g.find(d)
	if err != nil {
		return 0, err
	}
	if status != Active && status != InGrace {
		return 0, ErrExpired
	}
	if g.By != b.Owner {
		if err := g.speaks(b.Actor); err != nil {
			return 0, err
		}
	}
	most := MaxPeriods * g.Config.Period
	if blocks < g.Config.Least || blocks > most {
		return 0, ErrDuration
	}
	until := b.Expires + unit.Height(blocks)
	if until <= g.Height || uint64(until-g.Height) > most {
		return 0, ErrDuration
	}
	fee, err := g.Config.Fee(d.Label, blocks)
	if err != nil {
		return 0, err
	}
	if paid < fee {
		return 0, ErrFee
	}
	b.Expires = until
	g.save(d, &b)
	return fee, nil
}

// Transfer gives a name another owner, with whom the policy for names below it begins anew. Rejects: ErrExpired, ErrOwner.
//
// Spec: gateway-payments-streams §A.2.
func (g *Registry) Transfer(d Domain, to account.Address) error {
	b, err := g.owned(d)
	if err != nil {
		return err
	}
	if to.IsZero() {
		return ErrOwner
	}
	b.Owner, b.Policy = to, OwnerOnly
	g.save(d, &b)
	return nil
}

// SetActor has a name lead to another actor. Rejects: ErrExpired, ErrOwner, ErrIngress.
//
// Spec: gateway-payments-streams §A.2.
func (g *Registry) SetActor(d Domain, actor account.Address) error {
	b, err := g.owned(d)
	if err != nil {
		return err
	}
	if err := g.target(actor); err != nil {
		return err
	}
	g.State.Delete(actorKey(b.Actor, d))
	g.State.Set(actorKey(actor, d), []byte{})
	b.Actor = actor
	g.save(d, &b)
	return nil
}

// SetPolicy says what becomes of names below a name. Rejects: ErrPolicy, ErrExpired, ErrOwner.
//
// Spec: gateway-payments-streams §A.2.
func (g *Registry) SetPolicy(d Domain, p Policy) error {
	if p >= policies {
		return ErrPolicy
	}
	b, err := g.owned(d)
	if err != nil {
		return err
	}
	b.Policy = p
	g.save(d, &b)
	return nil
}

// Resolve gives the record of a name that is active. Rejects: ErrExpired.
//
// Spec: gateway-payments-streams §A.2 (resolve), §A.1 (expiry is looked at when a name is resolved).
func Resolve(r state.Reader, c Config, d Domain, at unit.Height) (Binding, error) {
	b, ok, err := Load(r, d)
	if err != nil {
		return Binding{}, err
	}
	if status, _ := b.Status(c, at); !ok || status != Active {
		return Binding{}, ErrExpired
	}
	return b, nil
}

// ResolveHost gives the record a host leads to: that of the name it is, or that of the name it lies below if its policy lets the actor answer there.
// Rejects: ErrName, ErrReserved, ErrExpired.
//
// Spec: gateway-payments-streams §A.1 (subdomain_policy).
func ResolveHost(r state.Reader, c Config, host string, at unit.Height) (Domain, Binding, error) {
	d, below, err := ParseHost(host)
	if err != nil {
		return Domain{}, Binding{}, err
	}
	b, err := Resolve(r, c, d, at)
	if err == nil && below && b.Policy == OwnerOnly {
		err = ErrExpired
	}
	return d, b, err
}

func (g *Registry) save(d Domain, b *Binding) { g.State.Set(nameKey(d), b.Append(nil)) }

func (g *Registry) find(d Domain) (Binding, Status, error) {
	b, ok, err := Load(g.State, d)
	if err != nil {
		return Binding{}, Free, err
	}
	if !ok {
		return Binding{}, Free, ErrExpired
	}
	status, _ := b.Status(g.Config, g.Height)
	return b, status, nil
}

// owned gives the record of an active name that is By's.
func (g *Registry) owned(d Domain) (Binding, error) {
	b, status, err := g.find(d)
	switch {
	case err != nil:
		return Binding{}, err
	case status != Active:
		return Binding{}, ErrExpired
	case b.Owner != g.By:
		return Binding{}, ErrOwner
	}
	return b, nil
}

// target holds an actor to what a name may lead to.
func (g *Registry) target(actor account.Address) error {
	if err := g.speaks(actor); err != nil {
		return err
	}
	_, declared, err := entitle.HTTPOf(g.State, actor)
	if err == nil && !declared {
		err = ErrIngress
	}
	return err
}

func (g *Registry) speaks(actor account.Address) error {
	ok, err := g.Speaks(actor)
	if err == nil && !ok {
		err = ErrOwner
	}
	return err
}
