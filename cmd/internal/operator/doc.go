// Package operator has what the programs for operators (runner, proxy, relay) share: reading a configuration, the checks of `doctor`, asking the running
// program for its status, and serving that and the page of metrics within bounds.
package operator
