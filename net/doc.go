// Package net holds nothing itself: the packages below it are where bytes between
// peers belong. They know nothing of the chain; a frame is a run of bytes that
// somebody else reads.
//
//	transport  who is connected: QUIC over TLS 1.3, identities proven by keys, channels with budgets
//	discovery  who else there is: signed records, a Kademlia table, lookups; pure, time is an argument
//	book       whom to dial and whom not: addresses, scores, bans, when to dial again; pure but for its file
//	door       takes connections of strangers in: how many, of whom, and who has to make room
//	mutual     questions and answers, or streams, between peers that both show a key
//	exchange   questions and answers; whoever asks need not show a key
//	layout     byte shapes of the network's own messages
//
// Start with transport: Listen binds an address, Dial connects, Send queues a
// frame and says at once whether there was room. The example connects two nodes.
// A stranger decides how much of this runs, so every queue, table and rate has a
// bound; Limits of transport and Config of book and discovery name them.
//
// Nothing below imports another ring: package actors/peers puts the parts
// together and gives the node's subsystems a simpler view of them, actors/link.
package net
