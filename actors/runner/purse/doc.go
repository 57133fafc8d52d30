// Package purse counts what a runner is paid and what it loses, by what the verifier on the chain announces.
//
// # What it does, as upon-event bullets
//
//   - upon its start: it goes on where it was when it ended; the first time it begins with the newest event, and says in which block that was.
//   - every 5 seconds: events behind the last one are read from the runner's node, at most 20 pages of 100, and the count is kept with the place of the last.
//   - upon a failure: it is asked again 5 seconds later, and the failure is told with the count.
//
// # On a restart
//
// Count and place are kept in one file, which takes the place of the one before: an event is counted once. A file that cannot be read is named, and not written
// over.
//
// Spec: runner-marketplace §5.2, §8.1.
package purse
