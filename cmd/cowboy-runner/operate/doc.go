// Package operate is the command line of a runner: init, start, worker, status, drain, doctor; its configuration, its metrics, and the chain over RPC.
//
// A data directory has config.toml, the key of the runner (runner.pem), the keys of the fleet (dispatcher.nk, worker.nk), the journal, the queues, and, while
// the runner is up, a socket that status and drain ask.
//
// Absent so far: commands that register a runner and change its rate card, which are transactions of `cowboy tx`.
//
// Spec: runner-marketplace §9; node-rpc-cli §2.4.
package operate
