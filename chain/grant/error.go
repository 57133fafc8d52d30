package grant

import "errors"

// The rejects of this package. Those with a name of ENT begin with it. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: ENT §11; entitlement-extras §6.
var (
	// ErrScope reports a scope or an action that is no canonical one.
	ErrScope = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: no such scope or action")
	// ErrTerms reports terms that can never hold.
	ErrTerms = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: constraints that can never hold")
	// ErrWider reports a delegation that is not narrower than its parent.
	ErrWider = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: not a strict subset of the parent's constraints")
	// ErrOrder reports a role whose scopes or actions are none, too many, out of order or repeated.
	ErrOrder = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: a list with duplicates, out of order, empty or too long")
	// ErrName reports a role's name that is empty or too long.
	ErrName = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: name of a role")
	// ErrParty reports the zero address as a grantee, or a delegation to somebody it came from.
	ErrParty = errors.New("ERR_ENTITLEMENT_PARAM_INVALID: this address cannot be given it")
	// ErrMissing reports a use without a record that allows it.
	ErrMissing = errors.New("ERR_MISSING_ENTITLEMENT: no grant or role allows it")
	// ErrQuota reports a use beyond the limits of every record that allows it.
	ErrQuota = errors.New("ERR_ENTITLEMENT_QUOTA_EXCEEDED: beyond the constraints of the grant or role")
	// ErrOwner reports an instruction of somebody who does not administer the scope, the record or the role.
	ErrOwner = errors.New("entitlement registry: not the caller's to give or to take")
	// ErrExists reports a record, a role or an assignment that is there already.
	ErrExists = errors.New("entitlement registry: it is there already")
	// ErrNone reports an identity of no record, role or assignment.
	ErrNone = errors.New("entitlement registry: no such record, role or assignment")
	// ErrDead reports a delegation of a record, or an assignment of a role, that does not work any more or not yet.
	ErrDead = errors.New("entitlement registry: not active")
	// ErrFixed reports a revocation of what was given for good.
	ErrFixed = errors.New("entitlement registry: not revocable")
	// ErrDepth reports a delegation of what may not be delegated, or not that deep.
	ErrDepth = errors.New("entitlement registry: cannot be delegated, or not that deep")
	// ErrLimit reports more records or roles than an address may have.
	ErrLimit = errors.New("entitlement registry: the address has as many as it may have")
)
