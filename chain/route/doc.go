// Package route is the Route Registry at 0x0E: names that lead to actors, and the routes of an actor. Its rules are functions over a state.Store.
//
// # Names
//
// A label has 3 to 64 characters of [a-z0-9-], neither first nor last a hyphen. It is registered under one of three ends, each a name space of its own:
// .cowboy.network, .cow and .cowboy. Whoever registers a name owns it and says which actor it leads to: itself, one it deployed, or one that gave it the
// entitlement for the method. That actor declares ingress.http.
//
// # Life of a name
//
//	free ─register─► ACTIVE ─height reaches expires─► grace ─► auction ─► free
//	                   ▲──────────renew───────────────┘           │
//	                   └──────────────register at its price───────┘
//
// The state follows from the record and the height: nothing happens to a record when a name expires, and the next registration replaces it. In the auction
// whoever comes first at the price of the block has the name; the next one of the same block finds it taken.
//
// # Money
//
// A fee is the price of the base for a period, times the premium of the length, times the share of the period, rounded up. The chapter shares it out by the
// split of the name space's pool: part is burned, part is the treasury's, and the rest the gateways' pool. Nothing of it stays here.
//
// # Routes of an actor
//
// An actor's manifest of routes has at most 100 to files of volumes and 100 to handlers, and 64 KiB. Every priority of a route to a handler is above every
// one to files by more than 1. Manifest.Find gives the route of a request: a gateway asks it for queries, the chain for commands.
//
// # Domains outside of the network
//
//	no record ─Attach─► PENDING ─Apply, proved─► ACTIVE ◄─Apply─► SUSPENDED ─► EXPIRED
//	                       └─ 43,200 blocks ─► EXPIRED    └─Detach─► DETACHED
//
// Each owner has a challenge of its own: a TXT record with its nonce, a CNAME or an SRV record to the network's edge, and a delegation of ACME. Ask begins a
// check, Apply takes what runners say. An attachment is proved again every 2,592,000 blocks; without that it is suspended 86,400 blocks later, which follows
// from the record and the height, and expires after 2,592,000 more. Prune deletes records 7,776,000 blocks after their end.
//
// # Layout, records of 0x0E
//
//	route:name/ ‖ domain                   Binding
//	route:actor/ ‖ actor(20) ‖ domain      nothing: which names lead to an actor
//	route:manifest/ ‖ actor(20)            Manifest
//	route:external/ ‖ domain               Attachment that was proved
//	route:challenge/ ‖ domain ‖ 0 ‖ owner  Attachment that is not
//	route:bound/ ‖ actor(20)               how many external domains lead to an actor
//	route:due/ ‖ be8 height ‖ key          records by the block at whose end they are looked at
//
// Deliberately absent: bindings of names below a name, which no text describes; the jobs that look records up, and the resolvers.
//
// Spec: gateway-payments-streams §A; storage-cbfs §3.2 (102); WP §9 (0x0E).
package route
