// Package dead finds functions that nobody reaches: from no command, or from tests alone.
//
// The whole project is built as a program in SSA form, and rapid type analysis follows what its commands and its tests can call, through interfaces and
// function values too. A function that is reached from no root is dead. One that only tests reach belongs into a test file, or is on a list with a reason.
package dead
