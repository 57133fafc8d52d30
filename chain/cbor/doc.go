// Package cbor is the canonical CBOR profile spoken between actors' Python code and the runtime: storage values, messages,
// call arguments and results, continuation records.
//
// # The profile
//
// One value has exactly one encoding, and decoding refuses every other:
//
//   - core deterministic encoding of RFC 8949 §4.2: shortest heads, definite lengths only, map entries sorted by the bytes
//     of their encoded keys, no key twice;
//   - types: null, false, true, integers, byte strings, text strings (valid UTF-8), arrays, maps whose keys are
//     integers, byte strings or text strings, and doubles;
//   - integers beyond 64 bits are bignums (tags 2 and 3) with as few bytes as possible, up to MaxIntBits bits;
//   - doubles take nine bytes and are never shortened; there is one NaN, 7ff8000000000000; -0.0 is kept;
//   - nesting is at most MaxDepth arrays and maps;
//   - nothing else: no undefined, no other simple value, no other tag, no half or single float.
//
// Doubles may stand in values at the boundary between SDK and runtime only, never in structures of the chain.
//
// # Use
//
// An Encoder is written to value by value. Decode reads and hands what it reads to a Builder, which makes values of
// whatever type its owner has. Append and Parse do both for plain Go values.
//
// # Bounds
//
// Decoding allocates in proportion to its input before anything has been validated, and recurses at most MaxDepth
// deep. An Encoder stops at its Limit.
//
// Spec: sdk §15; RFC 8949 §3, §4.2.
package cbor
