// Package collect carries reveals from the members of a committee to its aggregator, over HTTP.
//
//	POST {endpoint}/reveals/{job, 64 hexadecimal digits}     body: runner(20) ‖ proof(65) ‖ output
//	202 it is kept, and will be posted    425 ask again    403 post it yourself    503 busy    anything else: likewise no promise
//
// The salt is keccak256 of the proof (runner-marketplace §5), so a body says all of a reveal. A reveal proves itself: its hash is on the chain, and its proof a
// signature of its runner. So nobody is asked who it is, and a plain connection will do: what is read or changed on the way is public, or refused.
//
// # Bounds
//
// A connection has one question at a time, so as many bodies are in memory as there may be connections: 256 of 66 KiB. At most Most of them are with the
// dispatcher. Client goes to public addresses alone, or to ranges that are allowed besides, follows nothing, and reads little.
//
// Deliberately absent: what is made of a reveal, which is the dispatcher's (package runner).
//
// Spec: CIP-2 §8; runner-marketplace §2.5 (endpoint), §4.6, §5.
package collect
