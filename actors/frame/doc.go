// Package frame is the form of the files that remember what a program must not forget and must not do twice: what a key has signed, what a runner has
// committed to. Each is frames one behind the other, length(4) ‖ crc32c(4) ‖ payload; the first is a title that says whose file it is. A frame is written
// and synced before the next one begins, so that only the last can be torn; a torn one was never acted on. A bad frame with a good one behind it is damage.
//
// Spec: commonware §3.5.
package frame
