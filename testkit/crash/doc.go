// Package crash kills a loaded node with SIGKILL at random moments and holds every restart to what the node had said before:
// no finalized block, receipt or event lost or changed, no transaction executed twice. At the end `cowboyd verify` executes
// the whole chain again from genesis, undisturbed, and compares every root.
package crash
