package wire

// gatewayEntries are the errors of names, gateways and requests.
//
// Spec: gateway-payments-streams §A.3, §B, §C.
func gatewayEntries() map[int]entry {
	return map[int]entry{
		1771: {
			"route", "name not valid (ERR_NAME_INVALID)", "a name has 3 to 64 characters a-z, 0-9 and -, neither first nor last a hyphen",
			"choose another name",
		},
		1772: {"route", "name reserved (ERR_NAME_RESERVED)", "the network keeps this name for itself", "choose another name"},
		1773: {"route", "name taken (ERR_NAME_TAKEN)", "it is registered, or its owner may still renew it", "`cowboy route resolve` says until when"},
		1774: {
			"route", "not the owner (ERR_NOT_OWNER)",
			"the sender does not own the name; or it is not the actor, its deployer, or a holder of the entitlement for the method",
			"send as the owner, or ask the actor for the entitlement",
		},
		1775: {"route", "name not registered (ERR_NAME_EXPIRED)", "the name is free, or its registration has expired", "register it, or renew it in its grace"},
		1776: {
			"route", "actor takes no requests (ERR_INGRESS_ENTITLEMENT_MISSING)", "its manifest does not declare ingress.http",
			"deploy it with that entitlement",
		},
		1777: {
			"route", "too little for the name (ERR_FEE_TOO_LOW)", "the coins do not cover the price",
			"`cowboy route quote` prints the price; what is paid above it comes back",
		},
		1778: {
			"route", "priorities inverted (ERR_ROUTE_PRIORITY_INVERSION)",
			"every route to a handler needs a priority at least 2 above that of every route to files",
			"raise the priorities of handlers",
		},
		1779: {
			"route", "challenge expired (ERR_CHALLENGE_EXPIRED)", "a domain is proved within 43,200 blocks of its challenge",
			"`cowboy route attach` gives another one",
		},
		1780: {
			"route", "callback not the verifier's", "what runners say of a domain comes from 0x03 alone, in no transaction",
			"`cowboy route verify` has runners look at the domain",
		},
		1781: {
			"gateway", "no active gateway (ERR_UNAUTHORIZED_GATEWAY)",
			"the sender is no registered gateway, sends no heartbeats, is leaving, or has too little stake",
			"send a heartbeat, or register",
		},
		1782: {"gateway", "stake too low", "the stake is below the minimum for gateways", "send more coins with the registration"},
		1783: {"gateway", "gateway is leaving", "the gateway has unstaked: its stake is locked for 604,800 blocks, and it may bring no requests",
			"wait, and unstake again"},
		1784: {
			"gateway", "envelope not valid", "the request or the response does not have the documented fields",
			"see docs/spec/gateway-payments-streams.md §B",
		},
		1785: {"gateway", "method not allowed", "the actor's ingress.http does not list it", "use a method that the actor's manifest lists"},
		1786: {"gateway", "body too large", "the actor's ingress.http allows less", "send less"},
		1787: {
			"gateway", "actor takes no requests (ERR_INGRESS_ENTITLEMENT_MISSING)", "its manifest does not declare ingress.http",
			"deploy it with that entitlement",
		},
		1788: {
			"gateway", "request in another state", "the request id is in use, or the request's receipt is completed, failed or expired",
			"choose a new identity for a request",
		},
	}
}
