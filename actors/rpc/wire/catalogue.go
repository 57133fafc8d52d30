package wire

import (
	"maps"
	"strconv"
)

// entry is one row of the error catalogue: what went wrong, why that is an error, and what to do.
type entry struct {
	category, what, why, fix string
}

// catalogue lists the errors by number. The numbers and categories are the network's. Spec: node-rpc-cli §2.2; sdk §18.
func catalogue(code int) (entry, bool) {
	e, ok := entries()[code]
	return e, ok
}

func entries() map[int]entry {
	all := map[int]entry{
		1000: {"validation", "malformed transaction", "the bytes are not one canonical transaction",
			"encode it again; `cowboy transaction decode --hex` says what is wrong"},
		1001: {"validation", "invalid signature", "the signature does not recover the sender, or is not in its one valid form",
			"sign the signing hash with the sender's key, low-S, v 0 or 1"},
		1002: {"validation", "wrong nonce", "transactions of one account are included in the order of their nonces",
			"read the account's nonce and use the next free one"},
		1003: {"validation", "insufficient balance for the value", "the sender holds less than it sends", "fund the account or send less"},
		1004: {"gas", "insufficient balance for fees", "limits times maximum prices are reserved before execution",
			"fund the account, or lower the limits or the maximum prices"},
		1005: {"gas", "out of cycles", "the execution needed more cycles than its limit", "raise the cycles limit"},
		1006: {"gas", "out of cells", "the execution wrote or carried more bytes than its cells limit", "raise the cells limit"},
		1007: {"validation", "amount overflow", "a product or sum does not fit into 64 bits", "lower the limits or prices"},
		1008: {"gas", "maximum fee below the basefee", "the block's basefee is higher than the transaction pays",
			"raise max_fee_per_cycle or max_fee_per_cell to at least the basefee"},
		1009: {"validation", "missing signer", "the instruction needs a signature that is not there", "add the signer"},
		1010: {"validation", "wrong chain id", "the transaction is for another network", "sign it for this node's chain id"},
		1011: {"validation", "malformed transaction", "the bytes are not one canonical transaction",
			"encode it again; `cowboy transaction decode --hex` says what is wrong"},
		1012: {"validation", "transaction too large", "a transaction has at most 128 KiB", "make the payload smaller"},
		1013: {"validation", "limits above the block's", "no block could hold the transaction", "lower the cycles or cells limit"},
		1014: {"validation", "additional signers out of order", "their addresses must be strictly ascending", "sort them and drop duplicates"},
		1015: {"validation", "deferred transaction from outside", "only the protocol makes deferred transactions", "leave the origin fields out"},
		1016: {"validation", "unknown instruction", "no instruction has this opcode", "check category and sub-type"},
		1017: {"validation", "instruction not available yet", "this version of the protocol does not execute it yet", "use another instruction"},
		1018: {"validation", "instruction never valid", "its fields contradict each other", "check the instruction's fields"},
		1019: {"validation", "sender is an actor", "no key controls an actor's address", "send from an external account"},
		1020: {"validation", "duplicate transaction", "the node has it already", "wait for its receipt"},
		1021: {"validation", "mempool full", "the node holds as many transactions as it may", "raise the tip or try again"},
		1022: {"validation", "too many transactions of one account", "an account may have 32 waiting", "wait until some are included"},
		1023: {"validation", "replacement pays too little", "a transaction with this nonce waits already", "raise both maximum fees by at least a tenth"},
		1024: {"validation", "payer of the fees", "the metadata names a payer that has not granted use-owner-balance for so much, or does not hold it",
			"ask the payer for a grant, or pay yourself"},
		1025: {"validation", "too slow", "the node tried the transaction alone in a block, and it took longer than a block may", "do less in one transaction"},
		1026: {"validation", "node is busy", "the node has no room to look at the transaction now", "send it again"},
		1027: {"validation", "breaks the machine", "the node failed twice as it executed the transaction: a bug of the node", "report it with the transaction"},
		1101: {"runtime", "not deterministic", "the program does something that could differ between nodes",
			"`cowboy check` names the line and what to use instead"},
		1200: {"runtime", "execution failed", "the handler did not finish", "read the message"},
		1201: {"runtime", "limit of the execution reached", "a loop, budget or time limit ended the call", "do less in one call"},
		1202: {"runtime", "invalid input", "an argument is outside its bounds", "check the argument"},
		1203: {"runtime", "not found", "what the call names is not there", "check the name"},
		1204: {"runtime", "storage error", "the storage call was refused", "check key and value"},
		1205: {"runtime", "forbidden", "the handler's mode, depth or locks do not allow it", "mark the handler @deferred, or change the call"},
		1206: {"runtime", "call failed", "the called handler raised or does not exist", "check handler and arguments"},
		1207: {"entitlement", "missing entitlement (ERR_MISSING_ENTITLEMENT)", "the actor's manifest does not grant this",
			"add the entitlement to the manifest"},
		1208: {"runtime", "size or count limit", "a quota is used up", "store or send less"},
		1210: {"runtime", "the handler raised an exception", "nothing the handler did was kept", "read the message"},
		1209: {"runtime", "out of memory", "a call has 10 MiB of memory", "keep less at a time"},
		1213: {"runtime", "codec error", "the bytes are not in the declared encoding", "encode again"},
		1214: {"runtime", "the source does not compile", "the source of the deployment or upgrade is not Python that the chain accepts",
			"`cowboy check` names the lines"},
		1215: {"runtime", "there is an actor already", "an address follows from creator, source and salt", "choose another salt"},
		1216: {"runtime", "the actor is evicted", "its rent was not paid", "restore it"},
		1217: {"entitlement", "actor does not execute (ERR_ACTOR_NON_EXECUTABLE)", "the actor holds an entitlement that was removed from the registry",
			"deploy it again: same source, same salt, a manifest without that entitlement"},
		1218: {"runtime", "system actor is paused", "governance has paused it", "wait until the block it names; `cowboy gov paused` lists them"},
		1220: {"runtime", "actor not found", "no actor has this address", "check the address; deploy first"},
		1226: {"runtime", "mailbox full", "the target's mailbox holds 1,000,000 bytes", "wait until it is drained"},
		1230: {"runtime", "permission denied", "the sender may not call this handler", "call as a permitted sender, or tag the handler @public"},
		1299: {"runtime", "not available yet", "this version of the protocol does not have the call yet", "do without it for now"},
		1401: {"token", "token not found", "no token has this identifier", "check the identifier; `cowboy token list` has all of them"},
		1402: {"token", "terms refused", "a name has 1 to 64 bytes, a symbol 1 to 16, decimals are at most 18", "change what the message names"},
		1403: {"token", "insufficient balance of the token", "the holder has fewer tokens than are to move or burn", "send fewer"},
		1404: {"token", "allowance", "the owner has approved fewer tokens than this moves", "ask the owner to approve more, or move fewer"},
		1405: {"token", "account frozen", "the freeze authority has frozen the account for this token", "ask the freeze authority"},
		1406: {"token", "not authorized", "the token's owner, or its authority for this, is somebody else", "send as the owner or the authority"},
		1407: {"token", "more than the maximal supply", "the token's own limit, or 10^30, would be passed", "mint fewer"},
		1408: {"token", "rejected by the hook", "the token's hook does not allow the transfer, or could not be asked", "ask who runs the token"},
		1409: {"token", "batch with a hook", "a token with a hook cannot be moved in a batch", "move it by itself"},
		1410: {"token", "the token's hook is running", "nothing changes a token while its hook runs", "change it afterwards"},
		1411: {"token", "hook out of cycles", "the hook used the 50,000 cycles it has", "ask who runs the token"},
		1412: {"token", "hook out of cells", "the hook used the 50,000 cells it has", "ask who runs the token"},
		1413: {"token", "permit expired", "the block is above the permit's deadline", "have a new one signed"},
		1414: {"token", "permit not signed by the owner", "the signature is not the owner's over this permit on this chain", "have it signed again"},
		1415: {"token", "wrong nonce of a permit", "permits of an owner are used in order, each once", "sign with the owner's next nonce"},
		1416: {"token", "zero address", "nobody has the key of the zero address", "burn tokens to destroy them"},
		1500: {"timer", "timer refused", "height, payer, limit or expiry is not allowed", "check the arguments against the timer parameters"},
		1501: {"timer", "timer not found", "the timer has fired, was cancelled or has expired, or there never was one", "nothing to do"},
		1502: {"timer", "deferred transaction not justified", "its origin does not declare it", "nothing to do"},
		1503: {"timer", "too many timers", "an actor may have 1,024 active timers", "cancel some"},
		1504: {"timer", "too many deferred transactions", "an actor may have 64 pending", "wait a block"},
		1505: {"timer", "timer expired", "its expiry came before it could fire", "give it a later expires_at, or extend it in time"},
		1506: {"timer", "the timer's payer held too little", "the price of a fire's whole limit is taken beforehand, and what is not used comes back",
			"fund the payer before the timer's block, or give the timer a lower gas_limit"},
		1507: {"timer", "timer skipped too often", "there was no room for it in many blocks", "set it again, with a higher bid"},
		1900: {"internal", "the node failed", "this node could not answer", "look at the node's log; try again"},
	}
	for _, more := range []map[int]entry{
		runnerEntries(), teeEntries(), volumeEntries(), accountEntries(), secretEntries(), bankEntries(), gatewayEntries(), eventEntries(), streamEntries(),
		paymentEntries(), ingressEntries(),
	} {
		maps.Copy(all, more)
	}
	return all
}

// runnerEntries are those about runners and what they give back.
func runnerEntries() map[int]entry {
	return map[int]entry{
		1920: {"runner", "jobs are not polled for here", "this node pushes jobs to runners and does not answer polls",
			"`cowboy-runner` connects to them by itself; or ask another node"},
		1601: {"runner", "runner not found", "no runner has this address", "register first: `cowboy runner register`"},
		1602: {"runner", "wrong public key", "a runner registers with the key of its own address, and keeps it", "send from the account of the key"},
		1603: {"runner", "declaration refused", "a rate card, a list of capabilities or an attestation is not in order", "change what the message names"},
		1604: {
			"runner", "a runner's result is refused", "the job failed, or its result does not fit what was asked for",
			"catch RunnerValidationError at the await",
		},
		1605: {"runner", "stake too small", "10,000 CBY and one and a half times the largest declared job value are needed", "stake more, or declare less"},
		1606: {"runner", "rate card changed too soon", "a card stays for 3,600 blocks, or for its own cooldown where that is longer", "wait"},
		1607: {"runner", "runner is leaving", "it has deregistered and waits for its stake", "wait until the stake is paid out, then register again"},
		1608: {"runner", "runner is suspended", "its stake fell below the floor", "register again with what is missing"},
		1611: {"runner", "the runner takes no such delegation", "governance has not switched delegation on, or the runner takes none of this account",
			"look at `cowboy runner delegations --runner`"},
		1612: {"runner", "amount refused", "the amount is zero, below the minimum, more than was delegated, or would leave less than 1,000 CBY in a tranche",
			"take another amount"},
		1613: {"runner", "no room for the delegation", "a bound on delegators, tranches or the runner's delegated stake is reached",
			"claim what has unbonded, or choose another runner"},
		1614: {"runner", "the runner's own stake is too small", "a runner's own stake is at least a tenth of its effective stake",
			"delegate less, or choose another runner"},
		1615: {"runner", "no such tranche", "the sender has no tranche of this number, or the tranche is active or still unbonding",
			"look at `cowboy runner delegations --account`"},
		1616: {"runner", "model refused", "the model is published already, or not published, or somebody else's, or banned; or no more models can be marked",
			"read the message"},
		1610: {"runner", "a value differs between runners", "the runners were to give the same result", "ask for what is the same everywhere"},
		1620: {"runner", "job specification refused", "the specification is malformed, or a field is outside its bounds", "`cowboy job check` names the field"},
		1621: {
			"runner", "no capable runners", "too few runners pass all filters: recent heartbeat, reputation, capability, price, free capacity",
			"pay more, ask for less, or ask later",
		},
		1622: {"runner", "unknown pool", "the name of a pool has 1 to 64 bytes", "name another pool, or none"},
		1623: {"runner", "job not found", "no job has this identity, or it was forgotten a week after its end", "check the identity"},
		1624: {"runner", "job in another status", "the job's status does not allow this", "see `cowboy job status`"},
		1625: {"runner", "another's job", "only its submitter may cancel a job", "send from that account"},
		1626: {"runner", "runner not selected", "the job was given to others", "see `cowboy job runners`"},
		1627: {"runner", "committed already", "a runner commits to one result of a job, once", "reveal what was committed to"},
		1628: {"runner", "nothing committed", "a runner reveals a result only after it has committed to it", "commit before the deadline"},
		1629: {"runner", "revealed already", "this runner's result is recorded already", "nothing is left to do"},
		1630: {"runner", "deadline over", "the blocks for commitments, or for reveals, are over", "answer sooner"},
		1631: {"runner", "reveal does not match", "keccak256 of output and salt is not the commitment", "reveal what was committed to"},
		1632: {"runner", "too many candidates", "more than 16,384 runners can do the job", "ask for a capability that fewer runners have, or name a pool"},
		1633: {"runner", "job not taken", "its callback is a continuation of an actor", "name a handler of your own"},
		1634: {
			"runner", "not the runner's signature", "the proof of a reveal is not the runner's over this output and job, or an attestation is not the sender's",
			"sign the hash of the job and the output; sign an attestation with the runner's own key",
		},
		1635: {"runner", "crashed already", "the runner has attested this crash", "nothing: it counts once"},
		1636: {
			"runner", "results cannot be verified as asked",
			"a schema, path, check or trusted environment the network does not know, or similarity without a model", "change what the text names",
		},
		1637: {
			"runner", "no claim", "a challenge is about a runner whose result was not agreed on, or claims what no node can decide",
			"name one who agreed, and reveal_mismatch, usage, not_reproduced of a deterministic job, or wrong_model with its evidence",
		},
		1638: {
			"runner", "no bond", "a challenge comes with 100 CBY exactly, and of not_reproduced with max_price and tip of the job beside it",
			"send it with the challenge",
		},
		1639: {"runner", "no window", "there is no result yet, or it is older than 900 blocks and paid for", "nothing"},
		1640: {"runner", "challenged already", "a challenge against the runner was right", "nothing"},
		1641: {"runner", "run again already", "a job is run again once, and a second run never", "`cowboy job get` shows what became of the second run"},
		1651: {"container", "image not allowed", "no image of this name is in the Container Registry", "`cowboy container list` prints the images there are"},
		1652: {"container", "image digest mismatch", "the registered image of this name has another", "name the digest that `cowboy container list` prints"},
		1653: {"container", "unknown resource class", "there is no resource class of this name", "`cowboy container list` prints the classes"},
		1654: {"container", "container limits exceeded", "a container has more than a job may, or states no resources", "name a resource class, or state less"},
		4004: {"validation", "not found", "nothing is known by that name", "check the spelling, and that the node is of the network you mean"},
		4000: {"validation", "bad request", "the request is not what the call takes", "correct what the reason names; /api-docs/openapi.json has each call"},
		4010: {"validation", "no longer kept", "the node keeps only the newest part of the chain", "ask for something newer, or a node in archive mode"},
		4013: {"validation", "body too large", "the body is over the limit of this call", "send less at once"},
		4029: {"validation", "too many requests", "this node answers a limited number of requests a second", "slow down"},
		8000: {"validation", "faucet refused", "the faucet serves local and development networks only", "use a funded account"},
	}
}

// NewError makes the error body of a code; why replaces the catalogue's general reason when it is not empty.
func NewError(code int, why string) Error {
	e, ok := catalogue(code)
	if !ok {
		e, _ = catalogue(1200)
		switch {
		case code >= 1000 && code < 1100:
			e, _ = catalogue(1000)
		case code >= 1500 && code < 1600:
			e, _ = catalogue(1500)
		}
	}
	if why == "" {
		why = e.why
	}
	slug := "E" + strconv.Itoa(code)
	return Error{
		Code: code, Slug: slug, Category: e.category, Message: e.what, What: e.what, Why: why, Fix: e.fix,
		DocsURL: ErrorPath + "#" + slug,
	}
}
