// Package api is the client of a node's HTTP interface that the cowboy command uses.
package api
