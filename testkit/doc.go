// Package testkit is for scripting the chain and testing the project: a whole chain in one process and one goroutine, with
// the node's own transition, drain, host and Python machine, and no network, clock or disk. Only tests and tools import it.
package testkit
