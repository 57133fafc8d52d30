// Package transport connects nodes: QUIC version 1 over TLS 1.3, and nothing else.
//
// Network is the seam. Commands go in (Send, Dial, Drop, Block), events come out at a Handler (Up, Down, Failed, Receive), and neither
// side ever waits for the other. Transport is the Network over sockets; a simulation's Network is a queue of future deliveries.
//
// # Who is who
//
// A node's identity is an ed25519 key, its ID the SHA-256 digest of "_COWBOY_NET_PEER" ‖ key. Both sides present a self-signed
// certificate holding the key; TLS 1.3 makes each sign the handshake's transcript with it, which is the proof. Chains, names and
// dates in certificates are not looked at. There is no resumption and no early data. The ALPN name is "cowboy" for every version.
//
// # Hello
//
// The dialer opens one bidirectional stream. Each side writes one message, u16 length ‖ body, at most 512 bytes:
//
//	hello (dialer)        "CWBY" ‖ version high u16 ‖ version low u16 ‖ purpose u8 (0 full, 1 lookup) ‖ instance u64
//	                      ‖ genesis 32 ‖ bytes network (1..64) ‖ bytes agent (0..64) ‖ listen port u16
//	answer (dialed)       bytes hello ‖ 0                                   taken
//	                      bytes hello ‖ 1 ‖ code u16 ‖ bytes text (0..255)  refused
//
// Names are printable ASCII. A hello whose high version is above ours may end in fields we do not know. The version spoken is
// the lower of the two highs. Nodes of another network, genesis or version learn from the answer, or from QUIC's closing frame,
// what each of them is; the codes are listed at Code and cross the wire as QUIC application error codes.
//
// # Channels
//
// After the hello each side opens at most one unidirectional stream per channel, when it first has something to say there:
//
//	stream    channel u8 ‖ frame*
//	frame     length (base 128, least significant group first, minimal, 1 to 4 bytes, not 0) ‖ payload
//
// Channels are 0 discovery, 1 consensus, 2 transactions, 3 blocks, 4 sync; a lookup connection has discovery only. A second stream
// for a channel, an unknown channel, a stream that ends and a frame beyond its channel's limit end the connection.
//
// # A flood on one channel never delays another
//
//   - Each channel has its own streams, its own queue and sender, its own reader.
//   - A connection's flow control window covers all its streams at their full windows, so unread bytes of one never block another.
//   - The sender serves consensus before the other streams, and those in turn, packet by packet.
//   - A reader that is over its channel's rate, or whose frames are not handled (Frame.Done), stops reading. Flow control
//     then slows the peer on that channel alone.
//
// # Bounds
//
// A stranger costs at most: one handshake slot of Limits.Pending, for Limits.Handshake; then one place of Limits.Inbound or
// Lookups, of which one address holds at most PerAddress; seven windows of unread bytes; per channel one frame being read, whose
// memory grows with the bytes that came and not with the length announced, and Budget.Unhandled bytes delivered; Budget.QueueBytes
// waiting for it. Over all connections the frames that are being read or wait to be sent take Limits.Frames bytes at most, of which strangers who dialed
// use three quarters; a frame beyond that is read over and dropped, and one to be sent is shed. A frame that makes no progress for Limits.Stall, read or
// written, ends the connection. When half of Limits.Pending is taken, dialers must prove their address first (QUIC Retry).
//
// Config.Reserved identities are outside the caps, so that strangers who fill them lock out nobody a node depends on.
//
// There is one connection per pair of nodes. Of two that dial each other at the same time both keep the one dialed by the smaller
// ID; a peer that restarted (another instance) takes the place of its former self at once.
//
// # Deliberately absent
//
// Name resolution, choosing whom to dial, scores (net/book); retransmission of dropped frames, which belongs to whoever knows what
// is still worth sending; NAT traversal, which the specification leaves to operators; 0-RTT; datagrams.
//
// Spec: WP §6.2 and "Network Layer".
package transport
