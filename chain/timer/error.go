package timer

import "errors"

// Rejects of this package. Spec: scheduler-timers §4.
var (
	ErrHeight       = errors.New("timer: target height is not above the current height")
	ErrInterval     = errors.New("timer: an interval repeats at least every block")
	ErrPayer        = errors.New("timer: fee payer is neither the actor nor the transaction's sender, or is reserved")
	ErrGasLimit     = errors.New("timer: gas limit is zero or above the cap per fire")
	ErrExpiry       = errors.New("timer: expiry is before the target height or beyond the longest lifetime")
	ErrSize         = errors.New("timer: handler or payload is too long")
	ErrLimit        = errors.New("timer: actor has as many active timers as it may")
	ErrOwner        = errors.New("timer: only the owner may change a timer")
	ErrNotFound     = errors.New("timer: no such timer")
	ErrDuplicate    = errors.New("timer: identifier is taken")
	ErrBelowBasefee = errors.New("timer: maximum fee is below the timer lane's basefee")
	ErrNoActor      = errors.New("timer: owner is not an actor")
)
