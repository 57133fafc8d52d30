// Package version holds the release number of the three executables.
package version

// Version is the release, digits and dots only; the build sets it.
var Version = "0.1.0"
