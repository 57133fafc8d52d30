// Package rpc is the node's HTTP interface: a supervised subsystem that owns a listener and answers from finalized state.
//
// Commands it takes: a listener failure. It owns no chain state; a restart loses open connections and nothing else, and
// binds the same port again, at once when it failed: whoever was connected to the failed instance is cut off meanwhile. What it remembers, messages of the
// newest blocks and small receipts of final ones, is bounded and saves reading only. Requests run on goroutines of net/http, read immutable snapshots
// through Backend and hand transactions to the lanes; a slow or hostile client costs its own connection only, because bodies, rates, page sizes
// and waits are bounded here. Connections are bounded too (door.ConnectionLimits), in all and for each client, so that they cannot take the descriptors
// that journal and chain need. Followers of the streams (GET /stream, GET /ws) read finalized blocks at their own speed: one that falls behind is
// told how many it does not get, one that takes nothing is cut off: its last message is whole, and when it reads again it reads why and the cursor with which
// it misses nothing ("cut", or close code 1013 of a WebSocket). A node that stops tells WebSocket clients (1001) and waits for their answer, for a second.
//
// Spec: node-rpc-cli §1, §2, §3.
package rpc
