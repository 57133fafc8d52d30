// Package script runs the real executables through .txtar scenarios: commands on top, files below, exact phrases checked.
//
// Besides testscript's own commands a scenario has `ready` (waits until the node at $COWBOY_RPC_URL serves finalized state),
// `capture NAME REGEXP` (sets $NAME to the first group found in the last standard output), `standin NAME TEXT` (a model and a site
// at $NAME that answer with a text) and `expand FROM TO` (writes a file with the variables of another replaced).
package script
