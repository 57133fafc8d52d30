// Package secrets gets the secrets of a runner's jobs: it asks t of n proxies for partials, opens the data key, and decrypts the payload, in memory alone.
//
// Each release has a nonce and an X25519 key of its own, which the runner's signed requests name, one request for each proxy. As many proxies as the threshold
// are asked at a time; one that refuses, is silent for 1,500 ms or answers wrongly is made up for by another. The envelope shows whether the partials were
// right; only if it does not open they are looked at one by one, and a proxy that signed a wrong one is reported to the chain with what it signed.
//
// A proxy that did not answer is challenged 416 to 480 blocks later, unless its receipt is on the chain: then its answer was lost on the way. What is to be
// challenged is in memory, and gone with a restart.
//
// A worker that joined from another machine has no runner's key. It asks its dispatcher, which gets the values and seals them to a key that the worker drew and
// signed (Remote, Giver): the queue between them reads nothing.
//
// Spec: secrets-cbss §3, §4 (runner use), §5 (liveness challenge), §10.
package secrets
