package wire

// paidEntries are those of the catalogue about sessions of payment, subscriptions to events and paid streams.
func paidEntries() map[int]entry {
	return map[int]entry{
		1710: {"session", "session not found", "there is no session of this identity", "take the id that `cowboy session open` printed"},
		1711: {"session", "wrong session status", "the session is closing or over", "open another"},
		1712: {"session", "voucher stale", "a voucher with this nonce or a higher one was settled", "settle the newest voucher"},
		1713: {"session", "voucher amount does not grow", "its amount is not above what was settled already", "settle the newest voucher"},
		1714: {"session", "voucher above the deposit", "the session holds less than the voucher says", "have the payer deposit more"},
		1715: {"session", "session or voucher expired", "the last block of its expiry is over", "sign or open one with a later expiry"},
		1716: {"session", "voucher not the payer's", "the signature is not the payer's over this voucher and chain", "sign with `cowboy session voucher`"},
		1717: {"session", "session runner not registered", "the runner is unknown or is leaving", "`cowboy runner list` prints who is registered"},
		1718: {"session", "session not final yet", "it closed less than 75 blocks ago, or is open and has not expired", "wait"},
		1720: {"event", "topic too long", "a topic that is subscribed to has 1 to 64 bytes", "name a shorter one"},
		1721: {"event", "subscriber cap", "512 subscriptions have this emitter and topic", "wait until one goes; its emitter may remove one"},
		1722: {"event", "prepaid below the minimum", "a subscription begins with 50,000 gas", "prepay more"},
		1723: {"event", "unknown subscription", "there is none of this identity, or it ran out of gas", "subscribe again"},
		1724: {"event", "neither subscriber nor emitter", "the subscription is another's", "have its subscriber or its emitter do it"},
		1725: {"event", "delta of zero", "nothing is added to the bid or the gas", "add something"},
		1726: {"event", "payload too large", "an event that has hooks has at most 4,096 bytes; it stands in the receipt, and no hook ran", "emit less"},
		1727: {"event", "too many emits", "a turn has hooks for 16 emits, and its hooks for 16 more", "emit what belongs together at once"},
		1728: {"event", "emits nested too deep", "hooks of emits emit at most four deep", "emit from a timer or a message"},
		1729: {"event", "topic entered again", "the hooks of this topic run already", "emit it after they have"},
		1740: {"stream", "not a managed stream", "no paid stream of this identity is configured", "the id is keccak256 of the actor and the stream's name"},
		1741: {"stream", "not for this account", "it is for the stream's publisher, the payer, or the one whose request it is", "send it from there"},
		1742: {"stream", "invalid target key epoch", "it is before the current epoch, or its price is beyond all coins", "name the current one or a later"},
		1743: {"stream", "minimum purchase not met", "fewer epochs than the publisher sells at once", "buy up to a later epoch"},
		1744: {"stream", "insufficient CBY balance", "the payer's balance does not cover epochs and protocol fee", "buy fewer epochs, or fund the payer"},
		1745: {"stream", "invalid account key", "an X25519 key has 32 bytes that are not all zero", "send the public key as bytes"},
		1746: {"stream", "account key limit reached", "the account has 8 active keys", "revoke one"},
		1747: {"stream", "key revoked", "the account has no active key of this number", "register another"},
		1748: {"stream", "authorization limit reached", "the account keeps 64 authorizations for this stream", "change one of those there are"},
		1749: {"stream", "limit exceeded", "content keys come 1 to 10,000 at a time, of 1 to 256 bytes, for ascending epochs", "send them in several lists"},
		1750: {"stream", "no open seal request", "the request is unknown, sealed, or in another state than this is for", "read it with get_seal_request"},
	}
}
