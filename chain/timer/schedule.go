package timer

import (
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Request is a wish to schedule a timer.
type Request struct {
	Owner      account.Address // the actor executing, or the sender of a TimerSchedule transaction
	Target     account.Address // the actor whose handler is to run; for an actor, itself
	Now        unit.Height     // of the executing block
	Height     unit.Height     // when to fire; ignored for an interval
	Every      uint64          // blocks between fires; zero for a one-shot
	Handler    string          // "" is DefaultHandler
	Structured bool
	Payload    []byte

	Payer     *account.Address // nil: the owner
	Sender    *account.Address // who signed the transaction, where a signed one is executing
	GasLimit  *unit.Cycles     // nil: the cap per fire
	ExpiresAt *unit.Height     // nil: the longest lifetime
	System    bool             // the caller is the protocol and may name a reserved payer
	Prices    *Prices          // of the block; nil: no card pays

	MaxFee      *uint64
	MaxPriority *uint64
	Tier        Tier

	Nonce    uint64 // of the transaction; of an injected turn, the insertion number it began at
	Sequence uint64 // timers this turn has scheduled before
}

// Schedule checks a request, stores the timer and returns its identifier. The owner's count grows. On a reject nothing has
// changed. The charge for the call and the fan-out are the caller's.
//
// Errors: ErrHeight, ErrInterval, ErrLimit, ErrPayer, ErrGasLimit, ErrExpiry, ErrSize, ErrNoActor, ErrDuplicate, those of bank.Prepay; anything else is a
// failing store.
//
// Spec: scheduler-timers §2.2, §3, §4; WP §5.1a; gateway-payments-streams §G.3.
func Schedule(s state.Store, c Config, q Request) (ID, error) {
	card, err := q.Card(s)
	if err != nil {
		return ID{}, err
	}
	t, err := q.timer(c, card)
	if err != nil {
		return ID{}, err
	}
	target, err := account.Load(s, q.Target)
	if err != nil {
		return ID{}, err
	}
	if target.Kind == account.External {
		return ID{}, ErrNoActor
	}
	held, err := Held(s, q.Owner)
	if err != nil {
		return ID{}, err
	}
	if held >= c.MaxTimersPerActor {
		return ID{}, ErrLimit
	}
	inserted, err := Inserted(s)
	if err != nil {
		return ID{}, err
	}
	t.Seq = inserted
	if t.ID, err = q.identify(s, t.Height, inserted); err != nil {
		return ID{}, err
	}
	if err := q.prepay(s, c, &t, card); err != nil {
		return ID{}, err
	}
	setInserted(s, inserted+1)
	if err := setHeld(s, q.Owner, held+1); err != nil {
		return ID{}, err
	}
	return t.ID, t.save(s)
}

// timer is the record a request asks for, without identifier and place. card is the card that is to pay, if one is.
func (q *Request) timer(c Config, card *account.Address) (Timer, error) {
	t := Timer{
		Owner: q.Owner, Target: q.Target, Height: q.Height, Handler: q.Handler, Structured: q.Structured, Payload: q.Payload, Every: q.Every,
		Payer: q.Owner, GasLimit: c.MaxCyclesPerFire, MaxFee: q.MaxFee, MaxPriority: q.MaxPriority,
		Tier: q.Tier,
	}
	if t.Handler == "" {
		t.Handler = DefaultHandler
	}
	if len(t.Handler) > params.MaxHandlerBytes || len(t.Payload) > params.TimerPayloadMaxBytes {
		return t, ErrSize
	}
	last, err := q.Now.Add(c.MaxTTLBlocks)
	if err != nil {
		last = ^unit.Height(0)
	}
	if q.Every > 0 {
		if t.Height, err = q.Now.Add(q.Every); err != nil {
			return t, ErrInterval
		}
	}
	if t.Height <= q.Now {
		return t, ErrHeight
	}
	if q.GasLimit != nil {
		t.GasLimit = *q.GasLimit
	}
	if t.GasLimit == 0 || t.GasLimit > c.MaxCyclesPerFire {
		return t, ErrGasLimit
	}
	t.ExpiresAt = last
	if q.ExpiresAt != nil {
		t.ExpiresAt = *q.ExpiresAt
	}
	if t.ExpiresAt > last || t.ExpiresAt < t.Height {
		return t, ErrExpiry
	}
	if q.Payer != nil {
		t.Payer = *q.Payer
	}
	if card != nil && *card == t.Payer {
		return t, nil // it says itself whose timers it pays
	}
	return t, q.checkPayer(t.Payer)
}

// checkPayer admits the owner and the signer; of the system band nobody but the protocol itself.
//
// Spec: scheduler-timers §4 (3); WP §9.
func (q *Request) checkPayer(payer account.Address) error {
	if q.System {
		return nil
	}
	if payer.IsZero() || payer.InEnforcedBand() {
		return ErrPayer
	}
	if payer == q.Owner || (q.Sender != nil && payer == *q.Sender) {
		return nil
	}
	return ErrPayer
}

// fallbackBit marks an insertion number used in place of a call's number.
const fallbackBit = 1 << 63

func (q *Request) identify(s state.Reader, height unit.Height, inserted uint64) (ID, error) {
	for _, sequence := range [...]uint64{q.Sequence, fallbackBit | inserted} {
		id := Identify(q.Owner, height, q.Payload, q.Nonce, sequence)
		_, taken, err := s.Lookup(recordKey(id))
		if err != nil {
			return ID{}, err
		}
		if !taken {
			return id, nil
		}
	}
	return ID{}, ErrDuplicate
}

// Extend gives a timer a later (or earlier) expiry, clamped to the longest lifetime from now.
//
// Errors: ErrNotFound, ErrOwner when by is not nil and not the owner, ErrExpiry when the new expiry is not above now.
//
// Spec: scheduler-timers §4 (extend_timer), §8 (opcode 50: by is nil).
func Extend(s state.Store, c Config, now unit.Height, by *account.Address, id ID, expires unit.Height) (unit.Height, error) {
	t, ok, err := Load(s, id)
	if err != nil {
		return 0, err
	}
	if !ok {
		return 0, ErrNotFound
	}
	if by != nil && *by != t.Owner {
		return 0, ErrOwner
	}
	if expires <= now {
		return 0, ErrExpiry
	}
	if last, err := now.Add(c.MaxTTLBlocks); err == nil && expires > last {
		expires = last
	}
	t.ExpiresAt = expires
	s.Set(recordKey(id), t.Encode())
	return expires, nil
}

// Cancel removes a pending timer and reports whether there was one; a missing timer is no error.
//
// Errors: ErrOwner when by is not nil and not the owner.
//
// Spec: scheduler-timers §4 (cancel_timer), §8 (opcode 48: by is nil); WP §3.3.
func Cancel(s state.Store, by *account.Address, id ID) (bool, error) {
	t, ok, err := Load(s, id)
	if err != nil || !ok {
		return false, err
	}
	if by != nil && *by != t.Owner {
		return false, ErrOwner
	}
	return true, Remove(s, &t)
}

// Remove takes a timer out of every store and off its owner's count. A card that has paid its next fire gets that back.
//
// Spec: gateway-payments-streams §G.3 (3).
func Remove(s state.Store, t *Timer) error {
	held, err := Held(s, t.Owner)
	if err != nil {
		return err
	}
	if held = max(held, 1) - 1; held == 0 {
		if err := list(s, t.Owner, nil); err != nil {
			return err
		}
	}
	s.Delete(recordKey(t.ID))
	t.dequeue(s)
	if err := bank.Release(s, t.ID); err != nil {
		return err
	}
	return setHeld(s, t.Owner, held)
}

// PruneOwner removes up to limit timers of an owner that is being evicted and returns how many; fewer than limit means none is left.
//
// Spec: scheduler-timers §7 (PRUNED); WP "Grace Period and Eviction".
func PruneOwner(s state.Store, owner account.Address, limit int) (int, error) {
	var ids []ID
	if err := Owned(s, owner, limit, func(id ID) bool {
		ids = append(ids, id)
		return true
	}); err != nil {
		return 0, err
	}
	for _, id := range ids {
		if _, err := Cancel(s, &owner, id); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

var errIndex = errors.New("timer: malformed index entry")

// Owned calls fn with up to limit identifiers of an owner's timers, the one due first first. A limit of zero is none.
func Owned(s state.Reader, owner account.Address, limit int, fn func(ID) bool) error {
	return queued(s, owner, nil, limit, func(e Entry) bool { return fn(e.ID) })
}
