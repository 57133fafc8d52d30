// Package gateway brings requests over HTTP to actors, as a part of a node, beside it or far from it, and keeps nothing that a restart could lose.
//
// # What it does
//
//	host            → name at 0x0E → actor and what its ingress.http allows
//	path            → route of the actor's manifest: a handler, or a file of a public volume; else a volume that its program mounts; else "http.request"
//	GET, HEAD       → the handler, read-only, on committed state
//	other methods   → IngressDispatch by the gateway's account; 202 with the address of the receipt, or its answer with "Prefer: wait=N"
//	/_cowboy/…      → the gateway's own: health, info, openapi.json, requests/{id}, mcp, events
//
// A Door is the http.Handler. The Sender is the supervised actor behind it that sends transactions one after another, in the order of their nonces, and the
// heartbeats; its inbox is bounded, and a request that finds it full is answered with 503. Node is the seam to the chain, and Paywall the one to payments,
// which are chapter payment's.
//
// # Bounds
//
// An actor has 100 requests a second and 1,000 at a time; headers have 32 KiB, bodies what the actor allows and 10 MiB at most; a body is read within 30
// seconds. At most 4,096 hosts are remembered for a second, and the buckets of at most 16,384 actors. The node is asked for at most 50 unknown hosts a second,
// while those with a name go on from memory; clients that wait for answers have 50 MiB, 10 KiB each, and the
// node is asked about their receipts 256 times a second. An actor has 64 streams of events and the gateway 512, each for ten
// minutes; a message is taken within 30 seconds.
//
// Where the newest block is known (Door.Newest), answers to requests that are alike are kept until the next one, in 16 MiB. Bodies and answers take three times
// their bytes from Door.Memory.
//
// # The newest block
//
// A gateway in a node reads it there. Another has a Head, which the Follower, a supervised actor, keeps by the node's stream of final blocks. Of a stream that
// is down, has been silent for three seconds, or tells of blocks whose own time is five seconds ago, nothing is believed, and each query is asked of the node.
// A client never sees an older block than the same gateway has shown it before, in an answer, a receipt, an event or the health: those move the head.
//
// # Payments
//
// A Paywall asks for payments before a request reaches its actor, and has them settled after it was answered with 2xx or 3xx; until then the answer is kept. A
// request that changes something has its amount held on the chain first. A payment is used by one request at a time; at most 1,024 are under way. An answer
// that takes longer than its client may wait is collected and settled when it is there, for 300 seconds, and not shown before.
//
// # On a restart
//
// What was sent is on the chain; receipts are read from there. A request that waited in the inbox is answered with 503.
//
// Files is the seam to volumes; cowboy-gateway reads them from relays.
//
// Certificates are an authority's of the gateway's own, or ordered by ACME (RFC 8555) and proved on its port (RFC 8737), for hosts that the chain names alone:
// Gate asks before any work is done.
//
// Spec: gateway-payments-streams §B, §C; sdk §19.2.
package gateway
