// Package timers is the chapter of timers: their scheduling by transaction, and at 0x09 what governance may do to any of them. Actors' own timers are
// syscalls of the host, and what a block does with those that are due is package transition's.
//
// Spec: WP §5.1a, §5.1b; scheduler-timers §4, §8.
package timers
