// Package bare is an example.
package bare
