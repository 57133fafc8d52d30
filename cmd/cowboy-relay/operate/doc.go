// Package operate is the command line of cowboy-relay, the client of the node behind it, and what a relay is put together of (Relay), which `cowboyd devnet
// --relays` uses too.
//
// Spec: storage-cbfs §2.6, §3.3.
package operate
