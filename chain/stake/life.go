package stake

import (
	"cmp"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Register makes an account a validator that waits for the next list. amount has been moved to the registry already. Rejects: ErrMinimum,
// ErrRegistered, ErrKey, ErrKeyTaken.
// Spec: WP "Validator Set"; governance-staking A1.
func (g *Registry) Register(from account.Address, key sig.BLSPublicKey, possession sig.BLSSignature, amount unit.Amount) error {
	if amount < g.Params.Stake.MinimumValidatorStake {
		return ErrMinimum
	}
	if _, ok, err := Load(g.State, from); err != nil || ok {
		return cmp.Or(err, ErrRegistered)
	}
	if _, taken, err := g.State.Lookup(voteKey(key)); err != nil || taken {
		return cmp.Or(err, ErrKeyTaken)
	}
	point, err := bls.ParsePublicKey(key)
	if err != nil || bls.VerifyPossession(g.Chain, point, possession) != nil {
		return ErrKey
	}
	g.State.Set(voteKey(key), from[:])
	g.emit(TopicRegistered, from, uint64(amount))
	return g.save(from, &Validator{Key: key, Stake: amount})
}

// AddStake adds to a validator's stake from the next boundary on. amount has been moved to the registry already. Rejects: ErrAmount,
// ErrNoValidator, ErrStatus for one that leaves.
// Spec: governance-staking A1 (top-up).
func (g *Registry) AddStake(from account.Address, amount unit.Amount) error {
	if amount == 0 {
		return ErrAmount
	}
	v, err := g.load(from)
	if err != nil {
		return err
	}
	if v.Status == Exiting || v.Status == Unbonding {
		return ErrStatus
	}
	if v.Joining, err = v.Joining.Add(amount); err != nil {
		return err
	}
	g.emit(TopicAdded, from, uint64(amount))
	return g.save(from, v)
}

// Exit takes a validator out at the next boundary it can leave at, or with an amount only that much of its stake. From then the unbonding period runs.
// Rejects: ErrNoValidator, ErrStatus for one that leaves already, ErrAmount, ErrMinimum if less than the minimum would be left, ErrUnbonding.
// Spec: WP "Validator Set"; governance-staking A1.
func (g *Registry) Exit(from account.Address, amount *unit.Amount) error {
	v, err := g.load(from)
	switch {
	case err != nil:
		return err
	case v.Status == Exiting || v.Status == Unbonding:
		return ErrStatus
	case amount != nil:
		return g.reduce(from, v, *amount)
	}
	if err := g.stopEarning(v); err != nil {
		return err
	}
	v.Status, v.Leaving = Exiting, 0
	g.emit(TopicExit, from, 0)
	return g.save(from, v)
}

func (g *Registry) reduce(from account.Address, v *Validator, amount unit.Amount) error {
	switch {
	case amount == 0 || amount > v.bonded():
		return ErrAmount
	case v.bonded()-amount < g.Params.Stake.MinimumValidatorStake:
		return ErrMinimum
	case len(v.Releases) >= params.MaxUnbondings:
		return ErrUnbonding
	}
	v.Leaving += amount
	g.emit(TopicExit, from, uint64(amount))
	return g.save(from, v)
}

// Withdraw pays out what has finished unbonding and gives the amount. With the last of it the record of a validator that left ends, and account and
// key are free again. Rejects: ErrNoValidator, ErrPenalty, ErrNothing.
// Spec: WP "Validator Set", §13 (unbonding_period); governance-staking A1.
func (g *Registry) Withdraw(from account.Address) (unit.Amount, error) {
	v, err := g.load(from)
	if err != nil {
		return 0, err
	}
	if len(v.Penalties) > 0 {
		return 0, ErrPenalty
	}
	var due unit.Amount
	for len(v.Releases) > 0 && v.Releases[0].Height <= g.Height {
		due += v.Releases[0].Amount
		v.Releases = v.Releases[1:]
	}
	gone := v.Status == Unbonding && len(v.Releases) == 0
	if due == 0 && !gone {
		return 0, ErrNothing
	}
	if gone {
		g.State.Delete(validatorKey(from))
		g.State.Delete(voteKey(v.Key))
		err = g.checkpoint(from, Weight{})
	} else {
		err = g.save(from, v)
	}
	if err != nil {
		return 0, err
	}
	g.emit(TopicWithdrawn, from, uint64(due))
	return due, account.Move(g.State, home(), from, due)
}

// Unjail brings a jailed validator back among those that wait for the next list. Rejects: ErrNoValidator, ErrStatus, ErrJailed.
// Spec: WP §13 (jail_period); governance-staking A1 (explicit transaction).
func (g *Registry) Unjail(from account.Address) error {
	v, err := g.load(from)
	switch {
	case err != nil:
		return err
	case v.Status != Jailed:
		return ErrStatus
	case g.Height < v.JailedUntil:
		return ErrJailed
	}
	v.Status = Pending
	g.emit(TopicUnjailed, from)
	return g.save(from, v)
}
