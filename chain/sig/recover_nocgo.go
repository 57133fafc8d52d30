//go:build !cgo

package sig

// Default is the fastest Recoverer of this build.
func Default() Recoverer { return Pure{} }
