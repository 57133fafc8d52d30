// Package govern is the chapter of governance at 0x09: proposals, votes and the Security Council, whose rules are package chain/govern's, uploads of programs
// for system actors, and the instructions by which, on a local network, an administrator replaces a parameter group or a system actor's code from the next
// block on.
//
// Deliberately absent: what package chain/govern names.
//
// Spec: WP §11, §13.1; governance-staking part B.
package govern
