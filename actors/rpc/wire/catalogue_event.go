package wire

// eventEntries are the errors of sessions, and of subscriptions to events.
//
// Spec: gateway-payments-streams §D, §H.2.
func eventEntries() map[int]entry {
	return map[int]entry{
		1791: {"session", "session not found", "there is no session of this identity", "take the id that `cowboy session open` printed"},
		1792: {"session", "wrong session status", "the session is closing or over", "open another"},
		1793: {"session", "voucher stale", "a voucher with this nonce or a higher one was settled", "settle the newest voucher"},
		1794: {"session", "voucher amount does not grow", "the voucher's amount is not above what was settled already", "settle the newest voucher"},
		1795: {"session", "voucher above the deposit", "the session holds less than the voucher says", "have the payer deposit more"},
		1796: {"session", "session or voucher expired", "the block that it names as its last is over", "sign or open one with a later expiry"},
		1797: {"session", "voucher not the payer's", "the signature is not the payer's over this voucher and chain", "sign with `cowboy session voucher`"},
		1798: {"session", "session runner not registered", "the runner is unknown or is leaving", "`cowboy runner list` prints who is registered"},
		1799: {"session", "session not final yet", "it closed less than 75 blocks ago, or is open and has not expired", "wait"},
		1850: {"event", "topic too long", "a topic that is subscribed to has 1 to 64 bytes", "name a shorter one"},
		1851: {"event", "subscriber cap", "512 subscriptions have this emitter and topic", "wait until one goes; its emitter may remove one"},
		1852: {"event", "prepaid below the minimum", "a subscription takes at least 50,000 gas", "prepay more"},
		1853: {"event", "unknown subscription", "no subscription has this identity, or it ran out of gas and was removed", "subscribe again"},
		1854: {"event", "neither subscriber nor emitter", "the sender is neither the subscription's subscriber nor its emitter",
			"send it as the subscriber or as the emitter"},
		1855: {"event", "delta of zero", "nothing is added to the bid or the gas", "add something"},
		1856: {"event", "payload too large", "an event that has hooks has at most 4,096 bytes; it stands in the receipt, and no hook ran", "emit less"},
		1857: {"event", "too many emits", "hooks run for at most 16 emits of a turn, and for 16 more emits of the hooks themselves",
			"put what belongs together into one event"},
		1858: {"event", "emits nested too deep", "hooks of emits emit at most four deep", "emit from a timer or a message"},
		1859: {"event", "topic entered again", "the hooks of this topic run already", "emit it after they have"},
	}
}
