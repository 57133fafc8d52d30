// Package mutual sends requests over QUIC between peers that both show a key: a stream for each request, one frame in each direction.
//
//	frame   version u8 = 1 ‖ length u32, big-endian ‖ body
//
// Both sides present a self-signed certificate with an Ed25519 key; TLS 1.3 makes each prove it. Whoever dials says which key it wants; whoever answers is
// told the key of whoever asks. Names, chains and dates in certificates are not looked at. There is no resumption and no early data.
//
// # Bounds
//
// A server has Limits.Connections, of which one address holds at most PerAddress; a connection has Streams questions at a time and PerSecond of them; all
// frames that are being read take at most Memory bytes; a question that is not there whole after Within is given up. When half of the connections are taken,
// dialers must prove their address first (QUIC Retry). A frame beyond MaxBody ends its stream.
//
// Deliberately absent: what is asked and who may ask it, which belongs to whoever owns a server.
//
// Spec: storage-cbfs §3.3.
package mutual
