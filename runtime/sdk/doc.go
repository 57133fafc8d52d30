// Package sdk holds the Python source of cowboy_sdk, the library every actor imports.
//
// It is a thin layer over the native module pvm_host, which runtime/host provides and which enforces every rule: what is
// written here is convenience and the author-facing names of CIP-6, never a permission. The root module loads only what
// every actor needs; the rest loads when its name is first used, so that a small actor does not pay for all of it.
//
// # Modules
//
//	cowboy_sdk                root exports
//	runtime                   the chain's syscalls
//	runner                    llm, http, mcp, continuation, handle_runner_result
//	continuation              capture, Capture, bounded_loop, BoundedRange, check_iteration, save_cont, load_cont, delete_cont, new_cid
//	taskgroup                 TaskGroup
//	call                      call, send, call_builder
//	models, types, codec      CowboyModel; Address, BlockHeight, SoftFloat, ordered_set; canonical CBOR
//	guards                    reentrancy_guard, storage_guard, GuardedValue, GuardSet
//	verification              Verify, VerifyBuilder, Retry
//	errors                    every exception class
//	http, routes              handlers of HTTP requests; route, get … delete, mount, Pays: the table gateways read
//	vrf, collections          randomness by domain; ordered_set
//	pvm_random, pvm_time,     the prototype's names: a generator over the block's randomness, the block's time, chain and version
//	pvm_sys
//	token                     Token: a token of the registry as an object
//	streams                   messages and filters of streams; access to paid ones, at 0x0D
//	stream_actor              StreamActor: the standard interface of a stream, which an actor derives from
//	ingestion                 IngestingStream: a StreamActor whose messages are what jobs give
//	domains                   DomainKeeper: an actor that has its domains outside of the network checked in time
//	bank                      prepaid cards, at 0x13
//	entitlements              grants between addresses, at 0x07
//	secrets                   store: keeps a secret of the actor's that was sealed outside of the chain
//	payments                  what requests over HTTP cost, at 0x12, and who paid for one
//	rent                      pays and shows the rent of storage
//	_…                        private
//
// # Continuations
//
// Package lower rewrites continuations when a module is compiled; _continuation calls what it made. A record lies under __continuation:<cid>
// in the actor's storage (_records has its layout, _freeze how variables are kept in it). Every await has a cid of its own, so a result that is
// delivered twice finds nothing the second time. A job goes to the job dispatcher through submit_job, which a chain without one refuses; an
// asynchronous call goes to the other actor as a message, and the host answers it. A resumption that fails leaves its record, as everything else,
// as it was; records past their timeout block make room when an actor has 100.
//
// # Requests
//
// No signature of routes, Pays, mount and actor.handler is published; these are ours, over the published table and envelopes. @routes.get(path) and its
// kind, @http.handler and @http.command(path) make a method (self, request) or a function (ctx, request) a handler that the gateway, a query and the actor
// itself may call. A gateway calls the handler a route names, or "http.request", which looks the request up in the same table. What a command
// answers is kept under _http/results/<request_id> until a timer of the actor's removes it. A route the caller pays for is the gateway's to
// refuse; reached as "http.request" it is answered with 402.
//
// # Streams
//
// StreamActor keeps everything under _stream/ in the actor's storage: the configuration, one small record of where the stream is, a record for each message,
// key, subscription, place of a subscription that is pushed to, and entry of the list. No handler reads more of them than it was asked for, or than a
// block may push. Events are emitted when all is written, since their hooks may call the actor.
//
// Deliberately absent: cowboy_sdk.testing and cowboy_sdk.mock_host, which package testkit/pytest has and no deployment may import; the modules
// send, verify, … of the published package, whose names the root has.
//
// Spec: sdk §2, §19.2, §19.3; gateway-payments-streams §E.
package sdk
