package wire

// paymentEntries are the errors of payments over HTTP.
//
// Spec: gateway-payments-streams §F.
func paymentEntries() map[int]entry {
	const chapter = "payment"
	return map[int]entry{
		1881: {chapter, "no such policy", "the actor has no policy that asks for this, or has switched it off", "`cowboy payment policy` prints it"},
		1882: {chapter, "request is free", "no price of the policy is for this method and path", "ask without a payment"},
		1883: {chapter, "payment used before", "the payment's nonce was used, or is reserved for another request", "sign a new one, with a fresh nonce"},
		1884: {
			chapter, "payment for something else", "the payment names another gateway, request or amount; the price may have changed",
			"pay what the answer 402 asks for",
		},
		1885: {chapter, "payment too old", "the payment expires in fewer than 64 or more than 3,600 blocks",
			"sign one for about 300 blocks or seconds from now"},
		1886: {chapter, "payment not the payer's", "the signature is not the payer's over this payment and chain", "sign with the payer's key"},
		1887: {chapter, "coins do not cover the price", "the payer's balance, the coins sent along, or the budget is less than the price",
			"`cowboy account balance` prints what is there"},
		1888: {chapter, "budget does not cover it", "the budget is empty, or has reached its cap or rate, or does not cover this request",
			"`cowboy payment deposit` adds to it"},
		1889: {chapter, "no credit left", "the pass is used up or has expired", "`cowboy payment pass` buys credits"},
		1890: {chapter, "not sold in this number", "the policy sets how many are sold at once", "`cowboy payment policy` prints how many"},
		1891: {chapter, "treasury may hold no coins", "the treasury is an actor without the entitlement econ.hold_balance", "name another treasury"},
		1892: {chapter, "malformed policy or payment", "a field is missing, unknown or beyond its bounds", "see docs/spec/gateway-payments-streams.md §F"},
		1893: {chapter, "asset not settled", "budgets, passes, epochs are in CBY below 2^64; prices are in accepted_assets", "price it in CBY"},
		1894: {chapter, "no active gateway", "only a registered gateway may settle payments", "`cowboy gateway register`"},
		1895: {chapter, "actor takes no requests", "its manifest does not declare ingress.http", "deploy it with that entitlement"},
		1896: {chapter, "deferred", "assets that come in over a bridge are not taken yet", ""},
		1897: {chapter, "token does not pay", "the token is unknown, has a hook, or is frozen for who pays or is paid", "`cowboy token info` prints it"},
	}
}
