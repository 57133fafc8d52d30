package token

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: tokens §7.
var (
	// ErrUnknown reports a token that does not exist.
	ErrUnknown = errors.New("token: no such token")
	// ErrTerms reports a token that may not be created: name, symbol, decimals, maximal supply or URI.
	ErrTerms = errors.New("token: not the terms of a token")
	// ErrExists reports a token whose identifier is taken.
	ErrExists = errors.New("token: the identifier is taken")
	// ErrBalance reports a balance that does not cover an amount.
	ErrBalance = errors.New("token: the balance is too small")
	// ErrAllowance reports an allowance that does not cover an amount, or would not fit 128 bits.
	ErrAllowance = errors.New("token: the allowance does not permit this")
	// ErrFrozen reports an account that is frozen for the token.
	ErrFrozen = errors.New("token: the account is frozen")
	// ErrAuthority reports somebody who may not.
	ErrAuthority = errors.New("token: not authorized")
	// ErrSupply reports more than may exist of a token.
	ErrSupply = errors.New("token: more than the maximal supply")
	// ErrRejected reports a transfer the hook does not allow.
	ErrRejected = errors.New("token: the hook rejects the transfer")
	// ErrBatch reports a batch with a token that has a hook.
	ErrBatch = errors.New("token: a token with a hook cannot be moved in a batch")
	// ErrLegs reports a batch that is too long.
	ErrLegs = errors.New("token: too many transfers in a batch")
	// ErrBusy reports a change of a token whose hook is running.
	ErrBusy = errors.New("token: the token's hook is running")
	// ErrHookCycles and ErrHookCells report a hook that passed its budget.
	ErrHookCycles = errors.New("token: the hook is out of cycles")
	ErrHookCells  = errors.New("token: the hook is out of cells")
	// ErrExpired, ErrSignature and ErrNonce report a permit that is not good.
	ErrExpired   = errors.New("token: the permit has expired")
	ErrSignature = errors.New("token: the permit is not signed by the owner")
	ErrNonce     = errors.New("token: the permit has another nonce")
	// ErrZero reports the zero address where tokens, or a token, would be lost.
	ErrZero = errors.New("token: the zero address cannot have this")
)
