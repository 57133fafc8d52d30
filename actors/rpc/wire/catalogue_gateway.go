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
			"the sender owns not the name, or neither is the actor, nor deployed it, nor holds the entitlement for the method",
			"send as the owner, or ask the actor for the entitlement",
		},
		1775: {"route", "name not registered (ERR_NAME_EXPIRED)", "nobody has the name, or its time is over", "register it, or renew it in its grace"},
		1776: {
			"route", "actor takes no requests (ERR_INGRESS_ENTITLEMENT_MISSING)", "its manifest does not declare ingress.http",
			"deploy it with that entitlement",
		},
		1777: {
			"route", "too little for the name (ERR_FEE_TOO_LOW)", "the coins do not cover the price",
			"`cowboy route quote` says the price; what is too much comes back",
		},
		1778: {
			"route", "priorities inverted (ERR_ROUTE_PRIORITY_INVERSION)", "a route to a handler is not above every route to files by more than 1",
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
			"gateway", "no active gateway (ERR_UNAUTHORIZED_GATEWAY)", "the sender is not registered, is silent, is leaving, or has too little stake",
			"send a heartbeat, or register",
		},
		1782: {"gateway", "stake too low", "a gateway stakes a minimum", "send more coins with the registration"},
		1783: {"gateway", "gateway is leaving", "its stake is locked for 604,800 blocks, and it brings no requests", "wait, and unstake again"},
		1784: {
			"gateway", "envelope not valid", "a request or a response has not the shape the documents give it",
			"see docs/spec/gateway-payments-streams.md §B",
		},
		1785: {"gateway", "method not allowed", "the actor's ingress.http does not list it", "use one that it lists"},
		1786: {"gateway", "body too large", "the actor's ingress.http allows less", "send less"},
		1787: {
			"gateway", "actor takes no requests (ERR_INGRESS_ENTITLEMENT_MISSING)", "its manifest does not declare ingress.http",
			"deploy it with that entitlement",
		},
		1788: {
			"gateway", "request in another state", "its identity is in use, or its receipt is completed, failed or expired",
			"choose a new identity for a request",
		},
	}
}
