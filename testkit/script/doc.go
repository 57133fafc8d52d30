// Package script runs the real executables through .txtar scenarios: commands on top, files below, exact phrases checked.
//
// Besides testscript's own commands a scenario has `ready` (waits until the node at $COWBOY_RPC_URL serves finalized state) and
// `capture NAME REGEXP` (sets $NAME to the first group found in the last standard output).
package script
