// Package door takes QUIC connections of strangers in, so many and no more, and shares what they hold among the places they come from.
//
// # Sources
//
// A source is what one party is taken to control: an IPv4 address, or 64 bits of an IPv6 address. Keys cost nothing, so nothing is counted by them.
//
// # Bounds
//
//	handshakes under way   HalfOpen of them. From half of them on dialers must prove their address (QUIC Retry), and of those that did a source has
//	                       perSource: spoofed addresses take half of the places, real ones cannot take the rest
//	connections            Connections in all, PerAddress of a source. When all are taken, a source with fewer connections has one of the source with most
//	                       of them closed (Shares)
//	unread bytes           what QUIC gives each connection from the start; what busy ones get beyond it comes out of one budget, Unread
//
// Shares is the rule for other things that strangers hold too, such as the memory of their questions: however many sources hold on to what they have, another
// one gets as much as each of them.
//
// Deliberately absent: who is let in, and what is said.
package door
