// Package relays runs the relays of a development network inside cowboyd.
//
// Each relay is the real one (cmd/cowboy-relay/operate): a store, a UDP port on loopback, a key, a stake on the chain, blobs of retention contracts. Its folder
// is a data directory of that program, whose commands take seats of contracts while the relay runs here. All hang in one supervision tree, beside the node's
// and not below it. A relay that is not registered takes what it stakes from the faucet of the network, whose key everybody has, and registers; one whose port
// is another than the registered one registers that.
//
// Spec: governance-staking B10 (development networks); storage-cbfs §2.6, §7.
package relays
