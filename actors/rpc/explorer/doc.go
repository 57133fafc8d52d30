// Package explorer draws the node for people: plain HTML pages rendered by the node itself from finalized state, which
// need no script, follow the chain live where one runs, and read well on a telephone, in light and in dark.
//
// The wall draws the chain live with plain JavaScript modules: blocks as a river, the ring of coming timers, the messages between actors, the supervision
// tree and what followed from one cause. It asks for GET /explorer/live after each block; whoever wants less motion sees pictures that stand still.
//
// Pages read through Source only and never touch block production. What a page may read is bounded: at most pageRows rows,
// and the blocks of the charts are kept as small summaries, so that a page costs the same under load. What a stranger wrote is cut, and shown without
// markup and without characters that change how their neighbours read; a page with its styles and scripts stays below 200 KB.
// Every page has a permanent address; nothing is fetched from elsewhere and the content policy forbids it.
//
// The page of an actor calls handlers with the key of a wallet file, which stays in the page: in a secure context alone, that is over https or from this
// machine. A page that a node serves is as safe as that node; whoever does not trust it takes the command that the page shows.
//
// Absent: entitlements beyond the manifest and grants that the page of an actor shows.
package explorer
