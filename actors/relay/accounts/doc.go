// Package accounts is the account API of relays over HTTP (RAS): whoever holds a certificate of a wallet asks any relay about the wallet's account and volumes,
// and hands in changes that the wallet has signed.
//
// # A request, step by step
//
//   - upon POST /ras/challenge with a certificate: a challenge is made, 32 random bytes that hold for 30 seconds, for requests with this certificate.
//   - upon any other request: the headers, the certificate's network and life, the clock and the challenge are looked at, then the body is read, then the
//     signature of the certificate's key over all of it (Message) and the wallet's signature of the certificate. The challenge is used up, and the chain asked
//     whether the wallet has revoked the key.
//   - upon a question: it is answered from what the relay remembers of the chain, at most 15 seconds old, 60 while no node answers, and not at all after that.
//   - upon a change: the transaction in the body has to be signed by the certificate's wallet, and to call at 0x0A the handler and the volume that the path
//     names. Then the relay's node has it, and the answer is the transaction's hash, or why the node refuses it. The relay has no key of anybody's.
//
// # Calls
//
//	POST   /ras/challenge                 a challenge
//	GET    /ras/auth/me                   whose certificate it is, and until when
//	POST   /ras/auth/revoke               revoke_key: ends a key of the wallet's
//	GET    /ras/accounts/balance          the wallet's coins, and sums over its volumes
//	GET    /ras/volumes                   its volumes, page by page
//	POST   /ras/volumes                   create_volume
//	GET    /ras/volumes/{name}            a volume, what it pays, and where its shards are
//	DELETE /ras/volumes/{name}            delete_volume
//	PUT    /ras/volumes/{name}/{handler}  any other call of the owner's about a volume
//
// # Bounds
//
// A source is an IPv4 address, or 64 bits of an IPv6 address. It has 16 of 256 connections, 20 requests a second, 256 of 8,192 challenges and 16 of them for
// one certificate; when all challenges are taken, a source that has fewer gets one of the source with most. A header has 5 seconds and 16 KiB, a request 15
// seconds, a body as many bytes as a transaction takes in hex; it is read after the challenge was found alone. What is looked up has the pace of strangers
// (package reach).
//
// Deliberately absent: TLS, which the listener of the program has or not; tokens for the relay protocol, which the certificate's key makes without a relay.
//
// Spec: storage-cbfs §2.5, §3.4.
package accounts
