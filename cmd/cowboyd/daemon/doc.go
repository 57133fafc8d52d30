// Package daemon is the cowboyd command: flags, log and signals around the node's tree.
//
// With no arguments it is a development network of one validator: chain id 1, RPC on port 4000, a funded faucet, blocks every
// second, its data in .cowboyd. Exit status: 0 an orderly stop, 1 the node could not start, 2 wrong usage, 3 the node halted
// because it could not be sure of something; the reason is on standard error and in HALTED in the data directory.
//
// `cowboyd start` runs a node of any other network: what config.toml in its data directory says, which `cowboyd init` makes; flags override it. `cowboyd
// genesis` founds a network with others, `cowboyd keys` keeps its keys. Passwords come from a file, the environment or the terminal. Two processes
// never vote with the same keys: the data directory and the directory of keys are locked, and keys that were used do not vote without their journal
// before an epoch has begun after the start. docs/operating.md is the operator's side of it.
//
// `cowboyd devnet --validators N` is a network of N validators over QUIC on loopback, in one process or, with --processes, one each. One
// validator of such a network by hand: `cowboyd --validators N --rank I --p2p-port P`, with the ports of the others beside P or named by --peers.
//
// Spec: node-rpc-cli §6; commonware §3.5.
package daemon
