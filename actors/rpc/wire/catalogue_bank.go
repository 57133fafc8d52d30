package wire

// bankEntries are the errors of banks and cards.
//
// Spec: gateway-payments-streams §G.4.
func bankEntries() map[int]entry {
	return map[int]entry{
		1751: {"bank", "no card", "there is no card at this address", "`cowboy bank cards` lists the cards of an owner or an agent"},
		1752: {
			"bank", "bank paused", "the bank takes no deposits, issues nothing and pays no fees while it is paused",
			"wait; money can be withdrawn meanwhile",
		},
		1753: {"bank", "card frozen", "the bank's operator has frozen the card", "ask the operator"},
		1754: {"bank", "card expired", "the card is past its expiry, or the new one has passed already", "have its owner renew it to a later height"},
		1755: {"bank", "card closed", "the card was closed for good; what comes to it can still be withdrawn", "issue another"},
		1756: {
			"bank", "card policy", "the card does not pay for this receiver or kind of instruction",
			"ask its owner to change the policy, or pay yourself",
		},
		1757: {
			"bank", "card cap", "the card would spend more than its cap of the hour, the day or the month",
			"wait for the next period, or lower the limits",
		},
		1758: {"bank", "out of funds", "the card, its bank or the sender does not have so much", "deposit more, or lower the limits"},
		1759: {"bank", "policy locked", "the card's agent owns it and may change neither its policy nor its owner",
			"nothing: the card was handed over with its policy locked"},
		1760: {"bank", "no bank", "there is no bank of this number", "`cowboy bank list` prints the banks"},
		1761: {"bank", "bank inactive", "governance has not switched the bank on at this height", "wait for the height of bank_activation_height"},
		1762: {"bank", "not paused or frozen", "the bank is not paused, or the card is not frozen", "nothing"},
		1763: {"bank", "default card", "the card is its agent's default one", "unset the default first"},
		1764: {"bank", "card policy invalid", "receivers and kinds ascend strictly, at most 64 and 16", "sort them and leave out what is there twice"},
		1765: {"bank", "token not allowed", "the genesis has no rate for the token, or it has a hook or is frozen", "`cowboy bank list` prints the tokens"},
		1766: {"bank", "voucher invalid", "the bank's signer did not sign it for this chain and card, or it has expired", "ask the bank for another"},
		1767: {"bank", "voucher used", "the voucher was taken already", "nothing: it counts once"},
	}
}
