// Package secrets gets the secrets of a runner's jobs: it asks t of n proxies for partials, opens the data key, and decrypts the payload, in memory alone.
//
// Each release has a nonce and an X25519 key of its own, which the runner's signed requests name, one request for each proxy. As many proxies as the threshold
// are asked at a time; one that refuses, is silent for 1,500 ms or answers wrongly is made up for by another. The envelope shows whether the partials were
// right; only if it does not open they are looked at one by one, and a proxy that signed a wrong one is reported to the chain with what it signed.
//
// Absent: challenges of proxies that do not answer; payloads in storage, which wait for volumes.
//
// Spec: secrets-cbss §3, §4 (runner use), §10.
package secrets
