// Package usage answers a wrong command line the same way in all programs: what is wrong, what was probably meant, and where to read more.
package usage
