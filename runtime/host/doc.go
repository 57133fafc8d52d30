// Package host is everything an on-chain actor may ask of the chain: the syscalls of the module pvm_host, the choice and
// calling of a handler, and the nested invocations of synchronous calls. Every rule an actor could bypass by importing pvm_host
// itself (purity, reserved keys, read-only, quotas, permissions) is enforced here and nowhere else.
//
// # A turn
//
// A Turn is one top-level execution of the drain: an actor transaction, a delivered message, a timer's fire or a deferred
// transaction. Run executes it on the overlay it is given, under one meter, and answers with an Outcome. Nested call() invocations
// belong to the turn that made them: they share its meter, its fan-out and its fractional cells; each invocation has its own heap
// limit, its own globals, its own handler mode and its own overlay mark, so a callee that raises leaves nothing but its cost.
//
// The caller reverts the overlay of a turn whose Outcome is a fault. An error out of Run is a failure of this machine (a state
// source that cannot be read), never a property of the block.
//
// # The module pvm_host
//
// Every function takes its arguments by position or by the names given here. "octets" stands for bytes, bytearray or
// memoryview, or str, which is taken as its UTF-8 bytes; an "address" is 20 octets, or a str of 40 hexadecimal digits with or
// without 0x, or any object with to_bytes() giving 20 bytes. Integers are non-negative and below 2^64 unless said otherwise. Costs are cycles/cells beyond the
// 10 cycles of any Python call. [d] marks an asynchronous effect: only in a deferred handler (PurityViolationError otherwise).
// [m] marks a mutation: traps in read-only execution (ReadOnlyError).
//
//	get_sender() -> bytes|None            0      20 bytes; None in a query without a caller
//	get_actor_address() -> bytes          0      alias self_address
//	get_block_height() -> int             100    alias current_block
//	get_timestamp_ms() -> int             100    the block's time
//	get_tx_hash() -> bytes                0      32 bytes; the origin transaction's for messages and deferred turns, zeros for a timer
//	get_chain_id() -> int                 100
//	get_pvm_version() -> str              0      "3.11.8-cowboy-1"
//	context() -> dict                     100    block_height, block_hash (the parent's), timestamp_ms, chain_id, tx_hash, sender,
//	                                             actor_addr, msg_id (32 bytes: message, timer or deferred id; zeros in a
//	                                             transaction), nonce, pvm_version, value (the coins that came with this invocation: a
//	                                             transaction's, a message's, a call's; 0 for timers and deferred calls)
//	gas_left() -> int                     0      cycles left to this invocation
//	cells_left() -> int                   0
//	charge_gas(n) -> None                 n
//
//	get_state(key) -> bytes|None          100/0.01 per byte of the value
//	set_state(key, value) -> None     [m] 200/len(key)+len(value)
//	delete_state(key) -> None         [m] 200/0
//	scan_state_prefix(prefix, limit=100)  100 per pair (at least 100)/0.01 per byte of keys and values
//	    -> list[tuple[bytes, bytes]]             ascending by key; limit is clamped to 1,000; keys over 32 bytes and reserved keys
//	                                             are not seen
//	    Keys are 1..256 octets. A key of at most 32 bytes is stored as it is, a longer one under its keccak256. A value is at
//	    most 64 KiB. Reserved keys (prefixes __OWNER__, __INITIALIZED__, __instance__, __continuation:, __runner_result:,
//	    __reentrancy:, __cowboy/) are refused with ForbiddenError. A write that takes the actor past its quota raises QuotaError.
//	record_get(key), record_set(key, value), record_delete(key)
//	                                             the same costs and limits for keys that begin with __continuation: or
//	                                             __runner_result: and for nothing else; for cowboy_sdk. Records count towards
//	                                             quota and are never returned by scan_state_prefix.
//	record_scan(prefix, limit=1000)              as scan_state_prefix over records; keys of at most 32 bytes
//
//	emit_event(name, payload=b"") -> dict|None
//	                                  [m] 500 + 5 per byte/0.5 per byte; bytes are name and payload together. None where nobody subscribed to it;
//	                                             else what its hooks did, and 100 cycles for each subscription, a cell for each byte of the
//	                                             payload (package runtime/system/event)
//	                                             payload: octets verbatim, None as empty, anything else as JSON with sorted keys
//	                                             and compact separators (bytes inside as lower-case hex text)
//	send_message(target, payload, structured=None, value=0) -> bytes
//	                                  [m][d] 80/the bytes of state it takes, 227 and the payload for an early one; message id. Octets are delivered as they
//	                                             are; any other value (or
//	                                             structured=True with octets that are canonical CBOR) is a CBOR payload and is
//	                                             delivered decoded. Delivery is at the start of the next block.
//	                                             value coins leave the balance at once (200 more) and are the target's if its
//	                                             handler succeeds; otherwise they return. Reserved addresses take none
//	                                             (InvalidInputError).
//	create_deferred_tx(handler, payload=b"") -> bytes
//	                                  [m][d] 80/the bytes of state it takes, 73 and both texts for an early one; id; a call of the actor's own
//	                                             handler in the next block
//	call_actor(target, method, payload=b"", cycles_limit=100000, value=0) -> bytes
//	                                      0/0    synchronous; the callee receives payload as exact bytes; returns the return bytes
//	call(target, method, args=None, cycles_limit=100000, value=0) -> value
//	                                      20 + bytes for each of args and result; args is dict (keywords), list or tuple
//	                                             (positional) or None; values cross as CBOR, so nothing is shared.
//	                                             [m] with value: 200 more; the coins are the callee's unless it raises
//	transfer(to, amount) -> None      [m] 400/0  moves base units from the actor's balance
//	get_balance(address=None) -> int      100    of the actor itself when omitted
//	spawn_actor(code, salt=b"", manifest=None, init_handler=None, init_payload=b"") -> bytes
//	                                  [m] 100,000 + 150 per byte of code/bytes of code, handler, payload and manifest; 20 bytes, the
//	                                             child's address, whose creator is this actor. The manifest (octets or a list of grants) is
//	                                             within what this actor may pass on; None passes all of that on. init_handler runs at once
//	                                             under what this actor has left; what it raises is ActorCallError, and the child is undone
//
//	set_timer(height, handler, data=b"", priority_tier_hint=None) -> bytes            [m][d] 200/len(handler)+len(data)
//	set_interval(every_n_blocks, handler, data=b"", priority_tier_hint=None) -> bytes [m][d] 200/len(handler)+len(data)
//	schedule_timer(height, payload=b"") -> bytes                                      [m][d] 200/len(payload)
//	schedule_timer_ex(height, payload=b"", fee_payer=None, gas_limit=None, expires_at=None, max_fee_per_cycle=None,
//	    max_priority_fee_per_cycle=None, priority_tier_hint=None) -> bytes            [m][d] 200/len(payload)
//	extend_timer(timer_id, new_expires_at) -> None                                    [m][d] 200/0
//	cancel_timer(timer_id) -> bool                                                    [m][d] 200/0  True if it was pending
//	    data that is not octets is stored as CBOR and delivered decoded. A schedule_timer payload that is a JSON object with a
//	    string _handler fires that handler with the compact JSON text of _payload; every other one fires handle_timer, or
//	    on_timer when the actor has no handle_timer. priority_tier_hint is "economy", "standard", "fast" or "urgent": 0.8, 1, 1.5 or 2.5
//	    times the default priority in the fee-market phase, nothing before it; anything else, and a hint beside a priority, is ValueError.
//
//	upgrade_self(new_code, new_manifest=None) -> None                             [m] 100,000/bytes of code and manifest; from the next invocation on
//	get_owner() -> bytes                  100/   20 bytes, b"" while unset, zeros after renouncing
//	transfer_ownership(new_owner) -> None [m] 200/29
//	renounce_ownership() -> None          [m] 200/29
//	assume_ownership_if_unowned() -> bytes [m] 200/29 when it sets, 100 otherwise
//	is_initialized() -> bool              100
//
//	keccak256(data) -> bytes              6 per 32 bytes, begun ones included
//	verify_signature(scheme, public_key, message, signature) -> bool
//	                                      5,000 ed25519, 10,000 secp256k1, 8,000 bls, and for the message 8 per 64 bytes begun,
//	                                             with secp256k1 6 per 32. The same whatever the answer is. Bytes that are no
//	                                             key or no signature of the scheme are False: a wrong length, a point off the
//	                                             curve, outside the subgroup or at infinity, one not written in its one form,
//	                                             a key of small order, a high or zero s. secp256k1 takes keys of 33 or 65 bytes
//	                                             and r ‖ s over the keccak256 of the message; bls keys of 48 bytes (G1) and
//	                                             signatures of 96 in BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_. Another
//	                                             scheme is InvalidInputError. A block checks signatures of a weight of 5,120,
//	                                             bls 25, ed25519 2, secp256k1 1; the next is QuotaError.
//	verify_typed_data(typed_data, signature, address) -> bool
//	                                      10,000, 20 + bytes of its CBOR, 60 for each field, 120 for each hash, 30 per 32 bytes of it. What wallets sign for
//	                                             eth_signTypedData_v4: a dict of types, primaryType, domain and message (EIP-712), at most
//	                                             64 KiB; what is none is InvalidInputError. A signature that is none (r ‖ s ‖ v, v 0, 1, 27 or
//	                                             28) is False. It weighs 1 in what a block checks.
//	randomness(domain) -> bytes       [m] 1,000  HKDF-SHA256 of the parent round's seed signature, info = domain
//	cbor_encode(value) -> bytes           20 + bytes   CodecError for what CBOR cannot carry
//	cbor_decode(data) -> value            20 + bytes   CodecError unless canonical
//
//	submit_job(payload) -> None       [m][d] 80/len(payload)  payload: CBOR octets or a value; goes to 0x02 as a message
//	                                             NotAvailableError (E1299) on a chain without a job dispatcher: all but developers' networks
//	token_*(…)                                   of package runtime/system/token, which has their prices
//	subscribe_event(…), update_bid(…), …         of package runtime/system/event
//	mode() -> "fsm"; is_production() -> True; is_development() -> False; is_checkpoint_mode() -> False; require_fsm() -> None;
//	runtime_config() -> dict (mode, pvm_version, chain_id)
//
// For cowboy_sdk itself:
//
//	register_actor(cls) -> None           declares cls the module's actor class; the last registration of the module load wins
//	register_errors(classes) -> None      dict name -> exception class. From then on an error of that name raises
//	                                      classes[name](message) instead of HostError; the class should derive from HostError
//	register_mapping(cls) -> None         a decoded map that is delivered as a handler's argument becomes cls(dict)
//	module_form() -> dict                 {"permissions": bool, "modes": bool}: whether the actor's module names public,
//	                                      callable_by, OWNER or SELF, and whether it names pure or deferred. False is the older
//	                                      form: open handlers, deferred by default
//	check_access(tags) -> None            the permission rule below for the current sender; PermissionDeniedError. The first call
//	                                      within an invocation whose handler is a class's method passes: it is the wrapper of the
//	                                      handler the host has just admitted (which an open init window may have decided)
//	is_intra() -> bool                    sender is the actor itself
//	handler_mode() -> "pure"|"deferred"   of the current invocation
//	register_handlers(table) -> None      dict name -> function, or the name of a method: what answers to names that need not be
//	                                      identifiers; read when a handler is looked up
//	register_routes(table) -> None        what a deployment publishes; the list is read when the deployment ends
//	publish_routes(table) -> None     [m] 200/13 + bytes; replaces the route table under __cowboy/routes after checking it
//	published_routes() -> list            100/0.01 per byte
//	lock(name) -> bool, unlock(name)      one flag per (actor, name) for the whole turn: False when it is already held. Freed at
//	                                      the end of the invocation that took it, whatever way that ends
//	next_counter() -> int                 0, 1, 2, … within the turn
//
// # Errors
//
// HostError (a RuntimeError) is the class of every error the host raises, with attributes code (1 OutOfGas, 2 InvalidInput, 3
// NotFound, 4 StorageError, 5 Forbidden, 6 Internal, 7 MissingEntitlement, 8 limit), slug ("E1205") and name. Also in the
// module: OutOfGasError (a HostError), NonDeterministicError (a HostError) and DeterministicValidationError (a ValueError). The
// names and slugs the host raises:
//
//	PurityViolationError E1205 (5)   ReadOnlyError E1205 (5)        ForbiddenError E1205 (5)      CallDepthExceeded E1205 (5)
//	PermissionDeniedError E1230 (5)  ActorNotFoundError E1220 (3)   ActorCallError E1206 (6)      CodecError E1213 (2)
//	InvalidInputError E1202 (2)      AddressError E1202 (2)         QuotaError E1208 (8)          FanoutError E1208 (8)
//	MailboxFullError E1226 (8)       MessageDepthError E1205 (5)    TimerError E1500 (2)          TimerNotFoundError E1501 (3)
//	DeferredError E1502 (2)          TimerLimitError E1503 (8)      DeferredLimitError E1504 (8)  TimerOwnerError E1230 (5)
//	InsufficientBalanceError E1003 (2)                              MissingEntitlementError E1207 (7)   CycleLimitExceeded E1201 (1)
//	EntitlementQuotaError E1208 (8)                                 NotAvailableError E1299 (6)           ActorPausedError E1218 (5)
//	EntitlementParamError E1202 (2)  ActorNonExecutableError E1217 (5)  SystemEntitlementError E1207 (7)  ActorExistsError E1215 (2)
//
// The text of an error that ENT §11 names begins with that name: ERR_MISSING_ENTITLEMENT, ERR_ENTITLEMENT_QUOTA_EXCEEDED,
// ERR_ENTITLEMENT_PARAM_INVALID (EntitlementParamError), ERR_ACTOR_NON_EXECUTABLE, ERR_SYSTEM_ENTITLEMENT_UNAUTHORIZED (SystemEntitlementError).
//
// A wrong argument type raises TypeError, as a Python function would; the zero address as a new owner raises ValueError. Running
// out of cycles or cells is not an exception an actor can catch. A call whose callee uses up the cycles it was given raises CycleLimitExceeded
// in the caller.
//
// An exception that leaves a callee reaches the caller of call() and call_actor() as ActorCallError whose message names the
// class and text, except HostError classes, which arrive as they are. Attribute __cause_name__ holds the class name.
//
// # How a handler is found
//
// The program is the canonical source of the account. Module code runs on every turn, with the module cowboy_sdk and the others of the
// white list importable. The name is looked up among the registered ones, then as a module-level callable defined by the module itself, then as a method of the
// class given to register_actor, then as a method of a class literally named Actor. A name that begins with an underscore, or
// is not found, is an unknown method: AttributeError, E1206. A class is instantiated without arguments. For a class that is not
// registered (form C) the instance's public attributes are kept as one canonical CBOR map under __instance__: restored instead of calling
// __init__ when present, saved after a handler that returns.
//
// The host reads these attributes of the function (following __wrapped__ at most eight times, the outermost answer counting):
//
//	__cowboy_access__        tuple of "public", "owner", "self" and 20-byte addresses
//	__cowboy_mode__          "pure" or "deferred"
//	__cowboy_continuation__  true: a starter, deferred unless tagged otherwise
//	__cowboy_internal__      true: a resume step, only for deliveries by the chain and answers of actors called
//
// A module-level function without tags takes those of the registered class's method of its name.
//
// Permission: the sender is the actor itself, or the delivery is the chain's own (timer, deferred, a system actor's message, but for the answer to a job
// that somebody else submitted, who chose the handler: no resume step takes that) — admitted;
// a resume step (also every name ending in __resume) from anyone else — denied; init while the actor is not initialised —
// admitted; tagged — admitted if one tag matches; untagged — a module-level function without a class method of its name is
// open, everything else is open exactly if the module is of the older permission form. Denied is E1230.
//
// Mode: the tag, else deferred for a continuation and in the older form, else pure. The mode of the innermost invocation counts.
//
// Payload: external transactions, raw messages, schedule_timer payloads and deferred calls arrive as exact bytes; a callable
// that takes no argument is called without it. A CBOR payload arrives decoded: a list or tuple of call() by position; a dict
// of call() as the only argument if the callable has exactly one parameter named msg or payload, else as keywords; a message,
// or a timer's data, as the only argument if the callable has exactly one parameter, else (a dict) as keywords without the
// routing entry.
//
// A plain message (and a transaction that names no handler) goes to the handler named by the string at "handler", "method" or "reply_handler" of a map
// payload, in this order, else to on_message. No such handler: the delivery fails with a receipt and the mailbox moves on.
//
// A message whose map says kind "actor_async_call", with cid, method, args and reply_handler, is an asynchronous call: the handler runs with
// args as call() would bind them, must be deferred, and what it returns or raises goes back to the sender as a map with kind
// "actor_result", cid, status "ok" or "error", result and reply_handler. Such an answer may enter a resume step if the continuation
// record of its cid names the sender.
//
// Return: bytes are the return data verbatim, None is empty, anything else its CBOR; 1 cell per byte. After init (or the
// handler a deployment names) returns, the actor is initialised.
//
// # Entitlements
//
// A deployment's manifest is held against the registry of package entitlement and kept in its canonical form. An actor without one is in the older
// form, as every program printed in the specification is: nothing but sys.upgrade is withheld from it. One with a manifest, an empty one
// included, may do what it lists and no more. Where governance requires manifests (params.EntitlementConfig), a deployment without one has an
// empty one:
//
//	the actor's storage           storage.kv, to read, list, write and remove entries and records, to keep attributes and to write the owner; max_bytes
//	                              bounds the storage
//	timers                        timer.schedule; max_timers counts active ones
//	transfer, send and call with coins   econ.transfer; max_amount, max_per_block over all turns of the block
//	receiving coins               econ.hold_balance, or they are gone again when the turn ends: those of a transfer, a message or a call here, those of
//	                              transactions in runtime/transition, where Transfer and FundActor fail and a deployer gets what lay at the address
//	                              before. The rest of a fee comes back to whoever paid it
//	jobs, whatever way they leave oracle.llm (max_tokens, max_requests per turn), http.fetch (host of the URL; max_requests; also MCP servers
//	                              with a URL), sec.tee_required, secrets.read
//	publish_routes                ingress.http (max_routes, static_volumes)
//	spawn_actor                   exec.spawn; max_children counts the children of a life. Withheld from an actor without a manifest too
//	upgrade_self, UpgradeActor    sys.upgrade, which only administrators of the network may deploy with; the new manifest asks for no more, and
//	                              holds sys.upgrade still
//
// Missing is MissingEntitlementError, too much EntitlementQuotaError; a manifest that is invalid or states none of a grant's parameters fails the
// deployment with 1202, sys.upgrade from somebody else with 1207. The first look at a manifest in a turn costs 100 cycles, and 20 and a cycle per
// byte for decoding it.
//
// An entitlement that governance has deprecated works, with an event EntitlementDeprecated of 0x07 for every deployment that uses it, until its
// window is over. From then on a manifest that names it is refused, and an actor that holds it runs nothing (1217): transactions, messages, timers
// and calls that reach it fail, nobody schedules a timer for it. Deploying the same source with the same salt again, by the same creator, gives it
// its new manifest and nothing else; no init handler is called.
//
// # The top level of a program
//
// A module's body and its imports are paid on every turn and start from nothing on every turn. Where the top level asks nothing of the chain,
// what it makes is a constant of the program: after four runs the host keeps a template of it (object.Template) and copies that for the turns
// that follow. Cycles, cells, memory, identities and results are those of running it, which tests hold field by field; a turn that cannot pay
// for the whole top level runs it, and so does a program that asks the chain or holds what cannot be copied. Templates count as part of the
// bounded cache of programs.
//
// # Scratch space
//
// Every invocation has a /tmp of its own, empty at first and gone at its end (package pyio): 256 KiB, a cell for each byte written.
//
// # Routes
//
// A module that names routes or mount of cowboy_sdk has its table published when it is deployed, for which a deployment without an init handler runs
// the module. Afterwards the actor itself publishes.
//
// # Fractional cells
//
// Reads cost a hundredth and events half a cell per byte. A turn adds hundredths in one counter (1 per byte read, 50 per event byte) and
// charges whole cells as ceil(counter/100) grows: rounded up once per turn, not once per call.
//
// # Reading and looking
//
// Ask runs a handler on a committed state for a reader: whatever writes or causes something raises ReadOnlyError, in actors that are called too. A host
// with a Watch tells it where a turn failed, call by call through called actors, and what was printed. What it tells is for people; no outcome depends on
// there being a watch, and a node that executes blocks has none.
//
// # For tools
//
// Compile and Check do to a source what a deployment does, without deploying. Programs.Offline makes a machine that imports cowboy_sdk outside of a
// chain, with a Scratch that says what surrounds it; NewInstrumented a cache whose actors are changed before they run; no node uses either. A source that
// imports cowboy_sdk.testing is refused.
//
// Spec: sdk §3–§8, §11, §12, §16–§19; ENT §6, §7, §9.11, §11; WP §3, §15 (syscall gate), §17.3, §17.4; CIP-3 §2.2; scheduler-timers §2, §10, §11.
//
// Deliberately absent: a least time between two route tables, storage bonds, account libraries.
package host
