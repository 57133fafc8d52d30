// Package api is the client of the node's HTTP interface that the cowboy command stands on.
package api
