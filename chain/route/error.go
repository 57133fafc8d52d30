package route

import "errors"

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
//
// Spec: gateway-payments-streams §A.3 (errors); storage-cbfs §3.2.
var (
	ErrName      = errors.New("ERR_NAME_INVALID: a name has 3 to 64 characters a-z, 0-9 and -, neither first nor last a hyphen")
	ErrReserved  = errors.New("ERR_NAME_RESERVED: the network keeps this name for itself")
	ErrTaken     = errors.New("ERR_NAME_TAKEN: the name is registered, or may still be renewed by its owner")
	ErrOwner     = errors.New("ERR_NOT_OWNER: only the owner may do this, or for an actor the actor, its deployer, or who holds the entitlement for it")
	ErrExpired   = errors.New("ERR_NAME_EXPIRED: the name is not registered, or its time is over")
	ErrIngress   = errors.New("ERR_INGRESS_ENTITLEMENT_MISSING: the actor does not declare ingress.http")
	ErrFee       = errors.New("ERR_FEE_TOO_LOW: the coins do not cover the price")
	ErrDuration  = errors.New("route: names are registered for at least the least time and at most ten periods from now, and renewed beyond now")
	ErrPolicy    = errors.New("route: a policy for names below a name is 0, 1 or 2")
	ErrPriority  = errors.New("ERR_ROUTE_PRIORITY_INVERSION: every route to a handler has a priority above those to files by more than 1")
	ErrManifest  = errors.New("route: at most 100 routes to files, 100 to handlers and 64 KiB, each with a path, a target and a method")
	ErrVolume    = errors.New("route: ingress.http or ingress.static of the actor does not list the volume")
	ErrNoRoutes  = errors.New("route: the actor has no manifest of routes")
	ErrMethod    = errors.New("route: a domain leads to the edge by method 0, CNAME, or 1, SRV")
	ErrAttach    = errors.New("route: the actor does not declare dns.attach_external, or has as many domains as that allows")
	ErrChallenge = errors.New("ERR_CHALLENGE_EXPIRED: the challenge was open for 43,200 blocks; begin again")
	errParameter = errors.New("route: a parameter is outside of its range")
)
