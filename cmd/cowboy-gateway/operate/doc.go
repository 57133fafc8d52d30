// Package operate is the command line of cowboy-gateway: one command that serves, and the client of the node behind it.
//
// Spec: gateway-payments-streams §B.
package operate
