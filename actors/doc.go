// Package actors is ring 3: one supervised protoactor package per subsystem of the node.
//
// The directory holds no code of its own. Every package below has the same files: doc.go (what it takes, owns, loses
// and rebuilds on a restart), inbox.go (its commands and the typed handle others hold), actor.go (one switch), state.go
// (its decisions, without the actor framework) and state_test.go.
package actors
