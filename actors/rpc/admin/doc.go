// Package admin is the operator's side of the HTTP interface: liveness, readiness, metrics, profiles and log levels.
//
// It is served on a loopback port of its own and nowhere else, because profiles and log levels are not for strangers.
// Metrics are named as CometBFT names them where they mean the same, in the namespace cowboy. Gauges are read when they
// are scraped; only what would be lost between two scrapes is counted as it happens, by Observe.
package admin
