package stake

import "errors"

// The rejects of this package: an instruction that breaks a rule. Any other error is a failing state source, or a record that is not canonical.
var (
	// ErrRegistered reports an account that has a validator record already.
	ErrRegistered = errors.New("stake: account is a validator already")
	// ErrKeyTaken reports a voting key another validator registered.
	ErrKeyTaken = errors.New("stake: voting key belongs to another validator")
	// ErrKey reports a voting key that is no point, or whose possession is not proven.
	ErrKey = errors.New("stake: voting key without proof of possession")
	// ErrMinimum reports a stake that is, or would be left, below the minimum.
	ErrMinimum = errors.New("stake: below the minimum validator stake")
	// ErrAmount reports an amount of zero, or more than there is.
	ErrAmount = errors.New("stake: amount out of range")
	// ErrNoValidator reports an account without a validator record.
	ErrNoValidator = errors.New("stake: account is not a validator")
	// ErrStatus reports an instruction that the validator's status does not allow.
	ErrStatus = errors.New("stake: not in this status")
	// ErrJailed reports an unjailing before the jail period is over.
	ErrJailed = errors.New("stake: jail period is not over")
	// ErrUnbonding reports too many withdrawals under way.
	ErrUnbonding = errors.New("stake: too many withdrawals under way")
	// ErrNothing reports a withdrawal with nothing due.
	ErrNothing = errors.New("stake: nothing is withdrawable yet")
	// ErrPenalty reports a withdrawal while a slash is pending until the epoch's end.
	ErrPenalty = errors.New("stake: a slash is pending until the end of the epoch")
	// ErrEvidence reports evidence that proves nothing, or about an epoch out of reach.
	ErrEvidence = errors.New("stake: evidence proves nothing punishable")
	// ErrPunished reports evidence about a round its validator was punished for.
	ErrPunished = errors.New("stake: this offence was punished already")
	// ErrCeremony reports a dealer log outside the time for logs, of no dealer, or a second one.
	ErrCeremony = errors.New("stake: no dealer log is expected from this account now")
	// ErrLog is every LogError.
	ErrLog = errors.New("stake: dealer log")
	// ErrProposerJailed reports a proposer that is jailed.
	ErrProposerJailed = errors.New("stake: proposer is jailed")
	// ErrProposer reports a proposer's rank outside the set.
	ErrProposer = errors.New("stake: no such validator in the epoch's set")
	// ErrNoEpoch reports an epoch whose set the state does not hold.
	ErrNoEpoch = errors.New("stake: the state holds no validator set of this epoch")
	// ErrVotes reports votes for another number of validators, and late votes of validators that were reported before, or where none are counted.
	ErrVotes = errors.New("stake: votes of another validator set, or reported before")
)
