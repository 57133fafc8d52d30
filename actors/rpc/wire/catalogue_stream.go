package wire

// streamEntries are the errors of paid streams.
//
// Spec: gateway-payments-streams §E.2.
func streamEntries() map[int]entry {
	return map[int]entry{
		1846: {
			"stream", "no committee for the stream", "the stream's publisher has no release key",
			"the publisher asks for one: `cowboy secrets key --account STREAM`",
		},
		1860: {"stream", "entitlement required", "the account has not bought all of the key epochs it asks for", "buy them: `cowboy stream buy`"},
		1861: {"stream", "not a managed stream", "no paid stream of this identity is configured", "the id is keccak256 of the actor and the stream's name"},
		1862: {"stream", "not for this account", "only the stream's publisher, the payer, or the account that asked may do this", "send it from that account"},
		1863: {
			"stream", "invalid target key epoch", "the target is before the current epoch, or the price does not fit an amount",
			"name the current epoch or a later one",
		},
		1864: {"stream", "minimum purchase not met", "fewer epochs than the publisher sells at once", "buy up to a later epoch"},
		1865: {"stream", "insufficient CBY balance", "the payer's balance does not cover epochs and protocol fee", "buy fewer epochs, or fund the payer"},
		1866: {"stream", "invalid account key", "an X25519 key has 32 bytes that are not all zero", "send the public key as bytes"},
		1867: {"stream", "account key limit reached", "the account has 8 active keys", "revoke one"},
		1868: {"stream", "key revoked", "the account has no active key of this number", "register another"},
		1869: {"stream", "authorization limit reached", "the account keeps 64 authorizations for this stream", "change an authorization that exists"},
		1870: {
			"stream", "limit exceeded",
			"content keys come 1 to 10,000 at a time, of 1 to 256 bytes, for ascending epochs; a SealRequest covers 1 to 32 key epochs", "send several",
		},
		1871: {
			"stream", "no such seal request", "the request is unknown, or is open and paid for, so that it need not be raised again",
			"read it with get_seal_request",
		},
		1872: {
			"stream", "invalid signature", "the stream's active key did not sign exactly this message",
			"sign the canonical CBOR of the other fields; get_head names the key",
		},
		1873: {"stream", "payload too large", "a message carries at most 16,384 bytes", "publish less, or a reference to it"},
		1874: {"stream", "invalid filter", "a filter is at most 4 deep, with 16 predicates over kind, sequence, timestamp and tags", "correct the filter"},
		1875: {"stream", "cursor too old", "messages behind the cursor have left the ring", "begin at the floor that get_head names, less one"},
		1876: {"stream", "limit exceeded", "a number is beyond what the stream takes", "read the message"},
		1877: {"stream", "payment required", "the coins that came do not cover the epochs and the protocol's fee", "send more, or buy fewer"},
		1878: {"stream", "subscriber cap reached", "the stream has as many subscribers as its owner admits", "pull without a subscription"},
		1879: {"stream", "subscription not allowed", "only accounts on the stream's allowlist may subscribe", "ask its owner for allowlist_add"},
		1880: {
			"stream", "not a message of this stream", "the message is not the next in order, or a field is not what the stream expects",
			"read get_head, correct it and sign again",
		},
	}
}
