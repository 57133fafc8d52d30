// Package operate is the command line of cowboy-relay and the client of the node behind it. Relay puts the parts of a relay together; `cowboyd devnet
// --relays` uses it too.
//
// Spec: storage-cbfs §2.6, §3.3.
package operate
