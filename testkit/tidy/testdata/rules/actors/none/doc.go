// Package none is an example.
package none
