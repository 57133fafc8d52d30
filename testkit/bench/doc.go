// Package bench measures whole paths of the node that no single package owns, in the shape of the harnesses they are compared
// with.
package bench
