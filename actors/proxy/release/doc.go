// Package release is the client of committees of proxies: it asks t of n of them for partials, and opens a data key with those.
//
// Each release has a nonce and an X25519 key of its own, which the signed requests name, one request for each proxy. As many proxies as the threshold are asked
// at a time; one that refuses, is silent for 1,500 ms or answers wrongly is made up for by another. The envelope shows whether the partials were right; only
// if it does not open they are looked at one by one, and a proxy that signed a wrong one is reported to the chain with what it signed.
//
// Runners ask for the secrets of their jobs and for the keys of volumes that are attached to them, accounts for the keys of volumes that they may use.
//
// Spec: secrets-cbss §3, §4 (runner use), §10, §11.
package release
