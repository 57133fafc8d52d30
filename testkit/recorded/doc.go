// Package recorded holds a chain of 10,000 blocks with every instruction that is built, actors that message, time and defer, jobs with scripted runners, and
// what fails in between. A file keeps the state root, and a digest of headers and receipts, of every hundredth block.
//
// A change of the code that claims to change no rule leaves the file as it is: `go test ./testkit/recorded -args -blocks 10000`. Without the flag the first
// blocks are played. A change of a rule rewrites the file with `-args -blocks 10000 -record` and says so.
//
// Deliberately absent: consensus and networks; the headers are the kit's.
package recorded
