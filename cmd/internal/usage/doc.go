// Package usage answers wrong usage of a command line alike everywhere: what is wrong, what was probably meant, and what to type to read more.
package usage
