// Package sdk holds the Python source of cowboy_sdk, the library every actor imports.
//
// It is a thin layer over the native module pvm_host, which runtime/host provides and which enforces every rule: what is
// written here is convenience and the author-facing names of CIP-6, never a permission. The root module loads only what
// every actor needs; the rest loads when its name is first used, so that a small actor does not pay for all of it.
//
// Deliberately absent until their chapters are built: continuations (capture, bounded_loop, the runner module, TaskGroup),
// token wrappers, HTTP routes.
//
// Spec: sdk §2.
package sdk
