// Package book remembers other nodes: where they can be dialed, how they behaved, who is banned, and whom to dial next.
//
// A Book is a plain value: time is an argument, jitter and choice are drawn from a seed, and what it wants done is returned.
// File keeps its bytes on disk.
//
// # Whom to dial
//
// Persistent peers are dialed whenever they are not connected and their delay has passed, for ever. Beyond them the book fills
// Config.Outbound places, from addresses that led to a peer before and from new ones in turn, at most Config.Group of them in one
// IPv4 /16 or IPv6 /32, so that whoever owns one network cannot surround a node. Private and loopback addresses are one's own and
// are not counted.
//
// Need adds up to 64 places, as many of them outside the groups' bound, while a validator does not reach all the others: the first Outbound places keep the
// bound that protects from being surrounded.
//
// After n failures in a row an address waits Initial·2ⁿ⁻¹, at most Max (PersistentMax for a persistent peer), of which the upper
// half is jitter.
//
// # Scores and bans
//
// A misdeed costs points; points halve every HalfLife. At BanPoints the peer is banned: for BanFirst, and twice as long each
// time after that, at most BanMax. A day without a ban forgets the count. Bans end by themselves.
//
// # Bounds
//
// At most Config.Entries nodes are remembered. When the book is full, a new address takes the place of one that never worked,
// never of one that did; persistent and connected nodes are never forgotten.
//
// # On disk
//
//	"cowboy-peers 1 " ‖ SHA-256 of what follows the line, in hexadecimal ‖ "\n" ‖ JSON
//
// The file is replaced as a whole by rename. One that does not have its digest is ErrCorrupt: it is set aside and the book is
// rebuilt from the persistent peers and from discovery. Nothing in it is needed for correctness.
//
// # Deliberately absent
//
// Name resolution; trust. A good score opens no door that the transport's caps close.
package book
