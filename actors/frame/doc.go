// Package frame reads and writes journals: files in which a program remembers what it must not forget and must not do twice, such as what a key has signed or
// what a runner has committed to. A journal is a sequence of frames, length(4) ‖ crc32c(4) ‖ payload; the first frame is a title that says whose file it is. A
// frame is written and synced before the next one begins, so that only the last can be torn; a torn one was never acted on. A bad frame with a good one behind
// it is damage.
//
// Spec: commonware §3.5.
package frame
