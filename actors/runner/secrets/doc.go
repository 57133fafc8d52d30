// Package secrets gets the secrets of a runner's jobs, and the keys of the private volumes that are attached to them: package actors/proxy/release opens the
// data key, and the payload of a secret is decrypted, in memory alone.
//
// A proxy that did not answer is challenged 416 to 480 blocks later, unless its receipt is on the chain: then its answer was lost on the way. What is to be
// challenged is in memory, and gone with a restart.
//
// A worker that joined from another machine has no runner's key. It asks its dispatcher, which gets the values and seals them to a key that the worker drew and
// signed (Remote, Giver): the queue between them reads nothing.
//
// Spec: secrets-cbss §4 (runner use), §5 (liveness challenge), §11.
package secrets
