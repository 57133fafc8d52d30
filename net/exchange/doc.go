// Package exchange sends requests over QUIC: a stream carries one request and its answer, and servers are known by the hash of their certificate's key.
//
//	question   kind(1) ‖ be4 length ‖ body
//	answer     status(1) ‖ be4 length ‖ body
//
// A server shows a certificate that nobody signed; a client takes it if SHA-256 of its public key (SubjectPublicKeyInfo) is the one it expects. Clients may
// show one too, whose hash the handler is told: what a stranger may not ask is refused before it is read. What else has to be of somebody is signed inside of
// the body.
//
// # Bounds
//
// Of a question and of an answer in bytes, and of all that are under way; of streams at a time on a connection; of questions a second from one source; of the
// time that a stream and a silent connection may last; package door bounds handshakes and connections, altogether and from one source. What is beyond a bound
// is reset, and nothing is allocated for it. When all memory is taken, a source with few questions under way has others' given up.
//
// Deliberately absent: names, retries, and what the bodies mean.
package exchange
