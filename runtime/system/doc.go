// Package system is the one list of the specification's chapters (list.go), and what walks it: whose turn an instruction, a message or a call to a reserved
// address is (Run, Answer), what chapters do at both ends of a block (Begin, End), the coin they hold (Escrow), and what they found at genesis (Found).
//
// A chapter is a value of package chapter, made by a package below this one; a new chapter is one line in the list. One that is not built is a line too:
// its addresses answer with drain.FaultUnavailable and its syscalls with NotAvailableError, both naming the chapter. Nothing is kept here.
//
// Deliberately absent: the chapters of WP §9 that the list calls absent.
//
// Spec: WP §9, §13.1; scheduler-timers §8; runner-marketplace §3; governance-staking part A.
package system
