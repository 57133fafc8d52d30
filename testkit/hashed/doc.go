// Package hashed is agreement's cryptography for tests and simulations, a thousand times cheaper than the real one: a signature is a hash of the signer's
// key and the preimage, an aggregate the exclusive or of its parts, a seed a hash of its round. It tells a signature from any other, so that what is
// damaged or misattributed is found, and keeps nothing from a forger who knows the scheme: nobody in a test may use it for that.
//
// Deliberately absent: keys that are secret; evidence in court (package simplex verifies that with any Scheme).
package hashed
