// Package relay keeps shards of volumes, beside a node or far from it: it talks to a node's HTTP interface, to clients and to other relays.
//
// # What it does, as upon-event bullets
//
//   - upon a question of a client or a relay: the Responder answers it (package protocol), after it has held the token to the chain, its holder's certificate
//     and the key of the connection.
//   - upon a poll that shows a commit whose table and chunks are here and durable: it confirms its slot, and from then on answers for it.
//   - upon one whose table or chunks are not here, since they were never brought, are rotten, or the slot was given to it just now: it mends the slot. It
//     fetches the pages of the table that it lacks from the other holders, and of each chunk it lacks k others, from which it makes its own; each is held to
//     its root. Where an earlier commit was whole here, it looks at what was touched since; at everything every 3,600 blocks, and when something was found
//     rotten. A table that has more bytes than its commit says is not mended, and so never confirmed.
//   - upon an open challenge: it reads the one chunk that is asked about and sends the proof. If the chunk is gone it mends first.
//   - upon a degraded slot of a volume it holds too: the live holder with the lowest slot, and the slot's own relay when it drains, has the chain draw another
//     one; the version of the placement decides between two of them.
//   - upon a slot that was whole here and is another relay's now: it brings that one the chunks it says it lacks.
//   - upon a live holder that has not confirmed a commit: the one with the lowest slot of those that have brings it the table.
//   - upon a repair it asked for: it tells the other holders, which look at the chain before their next poll. Nothing depends on this nor on what is brought:
//     whoever is given a slot fetches what it lacks.
//   - upon a hundred blocks without one: it sends a heartbeat. Upon 600 blocks: it collects what nobody names any more.
//   - upon an audit of a retention contract it provides for: it sends the pieces that are asked for, with their paths (Retainer, package retained).
//
// # Parts
//
// The Responder answers from many goroutines and holds no decision. The Keeper polls and decides (state.go). Workers do what takes time: one speaks to the
// chain, one thing after another, so that a challenge never waits for the mending of a slot; four others mend a slot each, or bring others
// what they lack. The Store (package store) is a directory or a bucket. The Retainer has a poll and a store of its own, always a directory.
//
// # On a restart
//
// Everything is read again: the store from its directory, what to do from the chain. Nothing is kept between.
//
// # Bounds
//
// What is brought and not committed takes an eighth of the capacity for each volume and half of it for all, so that slots can be mended whatever clients bring;
// it is forgotten with the orphans. Only of volumes that have a slot here anything is kept. Eight changes of tables are taken at a time, two of a volume, and
// 64 MiB of them are made at a time; proofs and paths are made two at a time, one for a source. What is mended at a time, of all slots together, has 64 MiB in
// memory: chunks of others, and those made of them. It begins with 20 MiB and grows while chunks come quickly, so that slow lines are not asked for more than
// they bring in time. Package mutual bounds connections, questions and their memory. What is looked up for strangers (package reach) has a pace of its own, for
// each source and for all of them, and takes nothing from what the Keeper looks up.
//
// What others push is bounded by the slots that are here: a chunk is taken where the newest commit's table names it and it is missing. A relay pushes four
// chunks of a slot at a time. Of 65,536 chunks it is remembered who brought them, so that they can be taken back.
//
// Deliberately absent: usage reports.
//
// Spec: storage-cbfs §3.3, §4, §6, §8.
package relay
