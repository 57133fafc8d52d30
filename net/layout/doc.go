// Package layout reads and writes the byte shapes of the network's own messages.
//
// Integers of fixed width are big-endian. A variable integer ("uv") is base 128, least significant group first, at most
// nine bytes, and minimal: exactly one encoding of a value is accepted. A byte string ("bytes") is uv length followed by that
// many bytes; every reader names the greatest length it takes.
//
// A Reader remembers its first error and answers zero values from then on, so that a decoder is a straight list of fields
// ended by Finish. It never allocates: byte strings are windows into the input.
//
// Payloads of the chain have a codec of their own (chain/codec), which net may not import; nothing here is part of consensus.
package layout
