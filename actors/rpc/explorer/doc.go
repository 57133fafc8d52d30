// Package explorer draws the node for people: plain HTML pages rendered by the node itself from finalized state, which
// need no script, follow the chain live where one runs, and read well on a telephone, in light and in dark.
//
// Pages read through Source only and never touch block production. What a page may read is bounded: at most pageRows rows,
// and the blocks of the charts are kept as small summaries, so that a page costs the same under load.
// Every page has a permanent address; nothing is fetched from elsewhere and the content policy forbids it.
//
// Absent until their chapters are built: runners and jobs other than the scripted ones of a developer's network, entitlements, and the history of
// parameters.
package explorer
