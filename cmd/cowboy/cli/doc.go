// Package cli is the cowboy command: what developers, scripts and other clients run against a node.
//
// Flags and phrases that existing clients parse are kept to the letter; every command also answers in JSON with --json.
// Results go to standard output, errors to standard error, each error with the next thing to do. Spec: node-rpc-cli §4.
package cli
