package wire

// volumeEntries are the errors of volumes and relays.
//
// Spec: storage-cbfs §9.
func volumeEntries() map[int]entry {
	return map[int]entry{
		1801: {"volume", "no such volume", "no volume or token has this name", "`cowboy volume ls` prints the volumes of an account"},
		1802: {"volume", "not the volume's owner", "only the volume's owner may do this, or whoever the volume was offered or granted to",
			"send it from that account"},
		1803: {"volume", "invalid volume argument", "an argument is outside its bounds, or the volume's status does not allow the call",
			"see the call's arguments in `cowboy volume --help`"},
		1804: {"volume", "volume conflict", "the manifest was committed by somebody else since, or the name is taken",
			"read the volume again and make the commit from its manifest_root; use another name"},
		1805: {"volume", "volume quota exceeded", "an account has 256 volumes, a volume 64 tokens, 100 GiB and a million objects", "delete or revoke some"},
		1806: {"volume", "token prefix overlap", "a token that holds now writes below this prefix", "revoke that one, or grant another prefix"},
		1807: {"volume", "token not valid", "the token has expired or was revoked, or it does not allow this", "ask the volume's owner for another one"},
		1808: {"volume", "token bytes exceeded", "the commit lets the volume grow by more than the token's max_bytes", "write less, or ask for more"},
		1809: {"volume", "missing CBSS epoch", "a private volume has a wrapped key and its committee's epoch, a public one neither", "give both, or neither"},
		1810: {"volume", "volume reserve too small", "the reserve has to cover the fee of what is new, an epoch of rent, and what is owed",
			"`cowboy volume fund` adds coins"},
		1811: {"volume", "volume deleted", "VOLUME_DELETED: its owner or unpaid rent has deleted it", "`cowboy volume undelete` takes it back for a day"},
		1812: {"volume", "volume is being collected", "VOLUME_GC: relays are deleting its shards, which cannot be undone", "create another one"},
		1813: {"volume", "invalid volume name", "a name has 1 to 64 of A-Z a-z 0-9 _ - . and neither begins nor ends with . or -", "choose another name"},
		1814: {"volume", "invalid path", "a path has at most 512 bytes and single slashes, does not begin or end with one, and has no part . or ..",
			"correct the path"},
		1815: {"volume", "not a blob reference", "a reference has 64 bytes; one to retain has pieces of 1,024, 2,048, 4,096 or 8,192 bytes and is not empty",
			"`cowboy retention ref` makes one"},
		1816: {"retention", "no such retention contract", "no retention contract has this identity, or its grace period is over",
			"`cowboy retention ls` prints those there are"},
		1817: {"retention", "invalid retention terms", "a term of the contract is outside its bounds", "read what `cowboy retention create` takes"},
		1818: {"retention", "retention escrow too small", "the coins cover rate, epochs and seats of what is agreed", "send as many coins as the call takes"},
		1819: {"retention", "no free seat", "the contract has all the providers that it pays for", "wait until one loses its seat"},
		1820: {"retention", "not an active relay", "a provider is a relay that is active", "`cowboy relay register`, then `cowboy relay heartbeat`"},
		1821: {"retention", "retention stake", "a provider stakes what the contract asks for, exactly", "`cowboy retention show` prints it"},
		1822: {"retention", "no open audit", "no audit of this provider is open in this epoch, or the epoch's first block is not over",
			"`cowboy retention show` prints the next audit"},
		1823: {"retention", "retention is over", "the contract is over, or a provider would leave before it is", "wait for its end, or find another"},
		1824: {"retention", "not a party", "only the contract's operator or one of its providers may do this", "send it from that account"},
		1825: {"retention", "taken already", "this contract exists already, or the relay provides for it already, or it has a provider already", "nothing"},
		1831: {"relay", "no such relay", "no relay is registered by this address or node", "`cowboy relay list` prints the relays"},
		1832: {"relay", "invalid relay profile", "a field is outside its bounds, or another owner has registered the node_id",
			"correct the field, or use a node_id of your own"},
		1833: {"relay", "relay stake too low", "a relay stakes 5,000 CBY at least", "send more with register_relay"},
		1834: {"relay", "relay status", "the relay's status does not allow this", "`cowboy relay status` prints it"},
		1835: {"relay", "relay still holds shards", "a relay can leave only when it holds no shards", "drain it, and have its slots repaired"},
		1836: {"relay", "stake still locked", "a stake is free a day after unstake", "wait until unlocks_at"},
		1837: {"relay", "not enough relays", "too few relays are active, heard of lately and have room", "ask for fewer shards, or wait for relays"},
		1838: {"relay", "not for this sender", "only the relay itself, the volume's owner, or the live relay with the lowest slot may do this",
			"send it from that account"},
		1839: {"relay", "no such slot", "the volume has no such slot, or nothing is confirmed in it", "`cowboy volume show` prints the slots"},
		1840: {"relay", "placement has changed", "the placement or the newest commit has changed since it was read", "read the volume again"},
		1841: {"relay", "slot is well", "the slot's relay is active and has what was committed", "nothing"},
		1842: {"relay", "no such challenge", "the challenge is answered, void or over", "nothing"},
		1843: {"relay", "challenged already", "a slot has at most one open challenge, and is not repaired meanwhile", "wait until it is answered or missed"},
		1844: {"relay", "challenge bond", "a challenge takes its bond and fee exactly: 11 CBY unless governance says otherwise",
			"send as many coins as the call takes"},
		1845: {"relay", "malformed proof", "the bytes do not decode as a proof", "encode it as docs/choices.md says"},
	}
}

// accountEntries are the errors of the account API of relays.
//
// Spec: storage-cbfs §3.4.
func accountEntries() map[int]entry {
	return map[int]entry{
		4101: {"account", "header missing or malformed", "a request of the account API has five headers, each once and in its form",
			"correct the header that the reason names; docs/running-a-relay.md has all of them"},
		4102: {"account", "certificate refused",
			"the certificate is of another network, scope or audience, is over or for too long, or its wallet has not signed it",
			"make another one: `cowboy volume delegate`"},
		4103: {"account", "key revoked", "the wallet has revoked the certificate's key on the chain", "make another key with a certificate of its own"},
		4104: {"account", "clock is off", "a timestamp is at most a minute off the relay's clock", "set the clock; the reason has the relay's"},
		4105: {"account", "no such challenge",
			"a challenge is good for one request with the certificate it was given for, at the relay that gave it, within 30 s",
			"ask for another one with POST /ras/challenge"},
		4106: {"account", "signature refused", "the certificate's key has not signed this request: relay, method, path, body and headers",
			"sign the message as docs/running-a-relay.md says, for the node_id of this relay"},
		4107: {"account", "too many challenges", "a source has 256 challenges at a time, and 16 of them for one certificate",
			"use those there are, or wait 30 s"},
		4108: {"account", "not the transaction that the path names",
			"the wallet of the certificate signs a call of the handler and about the volume that the path names, for this chain",
			"hand in that transaction, or use its own path; a node takes any"},
		4109: {"account", "view of the chain too old", "no node has told the relay of the chain for a minute, and it gives nothing older",
			"try again, or ask another relay"},
		4110: {"account", "node does not answer", "no node takes a transaction from the relay now", "try again, or hand it in elsewhere: it is signed"},
	}
}
