// Package project reads and writes what a developer's folder holds: .cowboy/config.json with its environments, the key
// files beside it, and the starter files of `cowboy init`. Unknown keys of the configuration survive a rewrite, because
// other clients keep their own settings there. Spec: node-rpc-cli §5.
package project
