// Package codec is the chain's one canonical binary encoding: every value has
// exactly one byte form and a decoder accepts nothing else.
//
// Spec: WP §2.5; commonware §1.1–1.3.
//
// Writing is appending: the Append functions extend a byte slice and cannot
// fail. Reading goes through a Reader, whose first error sticks: after it every
// read gives a zero value, so a decoder reads straight through and asks Err (or
// Finish) once.
//
//	r := codec.NewReader(input)
//	id, payload := r.Uint(), r.Bytes(maxPayload)
//	if err := r.Finish(); err != nil { … }
//
// Invariants
//   - decode(encode(v)) = v and encode(decode(b)) = b.
//   - Lengths are compared with the caller's limit and with the bytes that are
//     left before anything is allocated.
//   - Slices a Reader returns alias its input, with their capacity clipped. The
//     owner of the input must not modify it afterwards.
//
// Deliberately absent: text (it is a byte string), floating point (never in a
// consensus value), reflection.
package codec
