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
//	models, types, codec      CowboyModel; Address, BlockHeight, SoftFloat, ordered_set; canonical CBOR
//	guards                    reentrancy_guard, storage_guard, GuardedValue, GuardSet
//	verification              Verify, VerifyBuilder, Retry
//	errors                    every exception class
//	vrf, http, collections    randomness by domain; HTTP handlers; ordered_set
//	secrets, rent             say that their chapters are not available
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
// Deliberately absent: routes, Pays and mount, for which no signature is published; actor.handler; the prototype's pvm_random, pvm_time and
// pvm_sys; cowboy_sdk.testing, which package testkit/pytest has and no deployment may import.
//
// Spec: sdk §2.
package sdk
