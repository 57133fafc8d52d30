// Package whole is an example.
package whole
