// Package rpc is the node's HTTP interface: a supervised subsystem that owns a listener and answers from finalized state.
//
// Commands it takes: a listener failure. It owns no chain state; a restart loses open connections and nothing else, and
// binds the same port again. What it remembers, messages of the newest blocks and small receipts of final ones, is bounded and
// saves reading only. Requests run on goroutines of net/http, read immutable snapshots through Backend and hand
// transactions to the lanes; a slow or hostile client costs its own connection only, because bodies, rates, page sizes
// and waits are bounded here.
//
// Spec: node-rpc-cli §1, §2, §3.
package rpc
