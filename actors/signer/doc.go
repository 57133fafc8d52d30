// Package signer keeps a validator's voting key on a machine of its own and signs for its node over TLS. The node's side is Client; whoever has
// another signer, such as one in a hardware module, serves the protocol below.
//
// # What lives here, and what does not
//
// Every use of the voting key: votes, NEW_VIEW, accusations, header proofs, introductions to peers, and what a dealer and a player of a key
// ceremony sign. The node gets two secrets that follow from the key and tell nothing of it: one seals its shares of the round seed on disk, one
// goes into the polynomials it deals. The shares themselves stay with the node. They are worth nothing without a quorum of others, convict nobody,
// and change with the set.
//
// # Never twice
//
// A vote or a NEW_VIEW is in the journal, synced, before its signature leaves. What excludes something in the journal is refused: two blocks
// notarized in a view, two committed, a view given up and committed, a block notarized in a view that was given up. The same request again gets the
// same signature. Epochs ascend, and nothing is signed more than 4,096 views below the highest: what lies there is forgotten. The rules know no
// time and no node, so that any number of nodes may ask.
//
// The guard cannot judge blocks: a node that was broken into can have this validator propose an invalid block, which is punished as well.
//
// # Protocol
//
// TCP, TLS 1.3, both sides with a certificate that the other one holds a copy of; the signer's is for the name "signer". A message is length(4) ‖
// body, and a body has at most 4,096 bytes. The node asks, one question at a time:
//
//	id(8) ‖ 00 ‖ version(1) ‖ genesis(32)                               hello      → key(48) ‖ sealing(64) ‖ dealing(32)
//	id(8) ‖ 01 ‖ kind(1) ‖ Subject ‖ bool [‖ parent Subject]            vote       → signature(96) [‖ of the commit of the parent(96)]
//	id(8) ‖ 02 ‖ Round ‖ Round of the highest certificate ‖ hash(32)    NEW_VIEW   → signature(96) ‖ of the highest certificate(96)
//	id(8) ‖ 03 ‖ Subject ‖ UInt accused ‖ flaw(1)                       accusation → signature(96)
//	id(8) ‖ 04 ‖ Bytes epoch seed ‖ UInt height                         header proof → signature(96)
//	id(8) ‖ 05 ‖ Bytes pre-image of domain _DEAL or _PEER               word       → signature(96)
//
// and is answered id(8) ‖ 00 ‖ result, or id(8) ‖ 01 ‖ Bytes reason where the signer refuses, or id(8) ‖ 02 ‖ Bytes reason where it cannot.
// kind is 0 to notarize and 2 to commit. The version is 1. The first question is hello; a genesis of another chain is refused. Numbers, Subject, Round and
// Bytes are encoded as on the chain (chain/codec, chain/sig). Nothing else is ever signed, whoever asks.
//
// # Commands, bounds, restarts
//
// Subsystem takes questions, one at a time, from at most 8 connections, each of which waits for its answer. Its state is the journal, which every
// instance reads anew. A journal that cannot be written is a supervision.Fatal; one that is missing or damaged lets nothing start.
//
// Spec: commonware §3.3 (invariants), §3.5, §3.7.
package signer
