// Package net is where bytes between peers belong. It knows nothing of the chain: payloads are opaque.
//
//	layout     byte shapes of the network's own messages
//	transport  who is connected: QUIC over TLS 1.3, identities, channels with budgets, the Link seam
//	discovery  who else there is: signed records, a Kademlia table, lookups (pure)
//	book       whom to call and whom not: addresses, scores, bans, redial (pure but for its file)
//
// The directory holds no code of its own.
package net
