package wire

// volumeEntries are the errors of volumes and relays.
//
// Spec: storage-cbfs §9.
func volumeEntries() map[int]entry {
	return map[int]entry{
		1801: {"volume", "no such volume", "there is no volume or token of this name", "`cowboy volume ls` prints the volumes of an account"},
		1802: {"volume", "not the volume's owner", "the call is its owner's, or of whom it was offered or granted to", "send it from that account"},
		1803: {"volume", "invalid volume argument", "an argument is outside its bounds, or not for a volume of this status", "read what the call takes"},
		1804: {"volume", "volume conflict", "the manifest was committed by somebody else since, or the name is taken",
			"read the volume again and make the commit from its manifest_root; use another name"},
		1805: {"volume", "volume quota exceeded", "an account has 256 volumes, a volume 64 tokens, 100 GiB and a million objects", "delete or revoke some"},
		1806: {"volume", "token prefix overlap", "a token that holds now writes below this prefix", "revoke that one, or grant another prefix"},
		1807: {"volume", "token not valid", "the token has expired, or is not for this", "ask the volume's owner for another one"},
		1808: {"volume", "token bytes exceeded", "the commit lets the volume grow by more than the token's max_bytes", "write less, or ask for more"},
		1809: {"volume", "missing CBSS epoch", "a private volume has a wrapped key and its committee's epoch, a public one neither", "give both, or neither"},
		1810: {"volume", "volume reserve too small", "the reserve has to cover the fee of what is new, an epoch of rent, and what is owed",
			"`cowboy volume fund` adds coins"},
		1811: {"volume", "volume deleted", "VOLUME_DELETED: its owner or unpaid rent has deleted it", "`cowboy volume undelete` takes it back for a day"},
		1812: {"volume", "volume is being collected", "VOLUME_GC: its shards go, and cannot come back", "create another one"},
		1813: {"volume", "invalid volume name", "a name has 1 to 64 of A-Z a-z 0-9 _ - . and neither begins nor ends with . or -", "choose another name"},
		1814: {"volume", "invalid path", "a path has at most 512 bytes, parts between single slashes, and no part . or ..", "write it so"},
		1831: {"relay", "no such relay", "no relay is registered by this address or node", "`cowboy relay list` prints the relays"},
		1832: {"relay", "invalid relay profile", "a field is outside its bounds, or the node is another owner's", "correct it; a node_id has one owner"},
		1833: {"relay", "relay stake too low", "a relay stakes 5,000 CBY at least", "send more with register_relay"},
		1834: {"relay", "relay status", "a relay of this status may not do this", "`cowboy relay status` prints it"},
		1835: {"relay", "relay still holds shards", "a relay leaves when nothing is on it", "drain it, and have its slots repaired"},
		1836: {"relay", "stake still locked", "a stake is free a day after unstake", "wait until unlocks_at"},
		1837: {"relay", "not enough relays", "too few relays are active, heard of lately and have room", "ask for fewer shards, or wait for relays"},
		1838: {"relay", "not for this sender", "it is the relay's, the volume's owner's, or the live holder's with the lowest slot", "send it from there"},
		1839: {"relay", "no such slot", "the volume has no such slot, or nothing is confirmed in it", "`cowboy volume show` prints the slots"},
		1840: {"relay", "placement has changed", "the placement's version or the newest commit is another one", "read the volume again"},
		1841: {"relay", "slot is well", "the slot's relay is active and has what was committed", "nothing"},
		1842: {"relay", "no such challenge", "the challenge is answered, void or over", "nothing"},
		1843: {"relay", "challenged already", "a slot has one open challenge", "wait until it is answered or missed"},
		1844: {"relay", "challenge bond", "a challenge takes its bond and fee exactly: 11 CBY unless governance says otherwise", "send so much"},
		1845: {"relay", "malformed proof", "the bytes are no proof", "encode it as docs/choices.md says"},
	}
}
