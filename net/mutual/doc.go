// Package mutual sends requests between peers that both show a key, one frame in each direction: over QUIC with a stream for each request, or over TCP with a
// connection for each that is under way.
//
//	frame   version u8 = 1 ‖ length u32, big-endian ‖ body
//
// Both sides present a self-signed certificate with an Ed25519 key; TLS 1.3 makes each prove it. Whoever dials says which key it wants; whoever answers is
// told the key of whoever asks. Names, chains and dates in certificates are not looked at. There is no resumption and no early data.
//
// A server listens on UDP and TCP ports of the same number. A client tries TCP first, where a byte takes a quarter of the processor time, and uses QUIC if
// nobody answers there.
//
// # Bounds
//
// Package door bounds handshakes, connections and unread bytes, in all and of one source, and gives sources that hold little a part of those that hold much:
// connections over both ways together, over TCP from the first packet on. A connection over QUIC has Streams questions at a time, one over TCP has one, a
// source PerSecond of them, of which one that is refused takes ten, and so does a handshake over TCP. Questions and answers take at most Memory
// bytes; when it is all taken, a source that holds few has others' slow questions given up. A question that is not there whole, or an answer that is not read,
// after Within is given up. A frame beyond MaxBody ends its stream.
//
// Deliberately absent: what is asked and who may ask it, which belongs to whoever owns a server.
//
// Spec: storage-cbfs §3.3.
package mutual
