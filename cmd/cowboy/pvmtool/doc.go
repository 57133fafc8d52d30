// Package pvmtool shows people what the Python machine did with their program: a profile as text, as folded stacks and as
// a flame graph, and a syntax error the way CPython prints it. It also sets Go's collector for a process that runs one
// program.
//
// Nothing here runs a program; package cli does, and hands over what package pvm measured.
package pvmtool
