package rent

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/state/mmr"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Piece is a run of the entries of a dormant actor's storage, given back by whoever has them.
type Piece struct {
	Payer account.Address // pays what is owed with the first piece: who sends it, or the actor itself
	Actor account.Address
	From  uint64 // number of the first entry
	Data  []byte // AppendEntries
	Proof []byte // an encoded mmr.Proof
	Quota uint64 // bytes; 0 is the base quota. Only the first piece says it.
}

// Restore gives a dormant actor entries of its storage back. The first piece pays the debt with its surcharge, the rent of the present epoch, and the
// bond of an extended quota; an actor without any storage comes back with a piece without data. The last one wakes the actor. Everybody may bring the
// next piece.
//
// Errors: ErrNoActor, ErrExempt, ErrRuns, ErrEvicting, *PlaceError, ErrPiece, ErrProof, ErrQuotaNeeded, ErrQuotaRange, ErrQuotaUsed, *PayError, a failing
// source. The caller undoes what was written.
//
// Spec: rent §9.
func (b *Book) Restore(s state.Store, p Piece) (n Notes, err error) {
	a, c, n, err := b.open(s, p.Actor)
	if err != nil {
		return n, err
	}
	d := c.Dormant
	switch {
	case !a.Dormant || d == nil:
		return n, ErrRuns
	case !d.Pruned:
		return n, ErrEvicting
	case p.From != d.Restored:
		return n, &PlaceError{Next: d.Restored, Have: p.From}
	}
	var list []Entry
	if d.Entries > 0 {
		if list, err = b.proven(d, &p); err != nil {
			return n, err
		}
	} else if len(p.Data)+len(p.Proof) > 0 {
		return n, ErrPiece
	}
	if d.Since == 0 {
		if err := b.wakeable(s, &p, &a, &c, &n); err != nil {
			return n, err
		}
		d.Since = b.Clock.Epoch
	}
	for i := range list {
		s.Set(append(account.Key(account.KindStorage, p.Actor), list[i].Key...), list[i].Value)
	}
	if d.Restored += uint64(len(list)); d.Restored == d.Entries {
		a.Dormant, a.StorageBytes, a.RentMissed, a.RentEpoch = false, d.Bytes, 0, b.Clock.Epoch
		n.by(TopicRestored, p.Actor, p.Payer, uint64(c.Paid))
		c.Debt, c.Paid, c.Rate, c.Dormant = 0, 0, 0, nil
	}
	c.save(s, p.Actor)
	account.Save(s, p.Actor, &a)
	return n, nil
}

// proven reads a piece and holds it against the commitment.
func (b *Book) proven(d *Dormancy, p *Piece) ([]Entry, error) {
	list, err := ReadEntries(p.Data)
	if err != nil {
		return nil, err
	}
	r := codec.NewReader(p.Proof)
	proof := mmr.ReadProof(r, len(list))
	if r.Finish() != nil || uint64(len(list)) > d.Entries-p.From {
		return nil, ErrPiece
	}
	return list, verify(d, p.From, list, &proof)
}

// wakeable takes what a restoration costs, and the bond if the storage needs one.
func (b *Book) wakeable(s state.Store, p *Piece, a *account.Account, c *Record, n *Notes) error {
	base := b.Params.Limits.BaseQuotaBytes
	if p.Quota > base {
		if err := b.quota(s, p.Payer, p.Actor, a, c, p.Quota, c.Dormant.Bytes, n); err != nil {
			return err
		}
	} else if c.Dormant.Bytes > base {
		return ErrQuotaNeeded
	}
	cost := b.cost(a, c)
	if err := debit(s, p.Payer, p.Actor, a, cost); err != nil {
		return err
	}
	n.Burned += cost
	c.Paid += cost
	return nil
}

// cost is what is owed, and the rent of the present epoch for the actor with its storage.
//
// Spec: rent §9 (restoration_cost).
func (b *Book) cost(a *account.Account, c *Record) unit.Amount {
	whole := *a
	whole.StorageBytes = c.Dormant.Bytes
	t := b.Clock.Now(b.Params)
	return saturated(c.Owed(b.Params.Rent.CatchupBPS), t.Due(&whole))
}

// RestorationCost is what the first piece of a restoration pays, without a bond.
func (t *Status) RestorationCost() unit.Amount {
	whole := t.Account
	if d := t.Record.Dormant; d != nil {
		whole.StorageBytes = d.Bytes
	}
	return saturated(t.Owed, t.Terms.Due(&whole))
}
