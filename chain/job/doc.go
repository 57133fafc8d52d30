// Package job is the job specification, what an actor or an account asks runners to do, in its three encodings.
//
// # Forms
//
//   - Append and Decode: the canonical bytes, which instructions and state hold. Fields in the order of Spec; numbers as UInt, an option as 00, or 01 and the
//     value, a list as its length and elements, a Decimal in 16 bytes, big-endian two's complement.
//   - FromJSON and JSON: what commands and the node's interface take and give.
//   - FromCBOR and CBOR: the same fields in the profile of the SDK, bytes as bytes.
//
// One description of the fields (Spec.fields) makes all three, so that what one can say all can. A form is read leniently and written in one way: bytes are
// read as bytes, as hexadecimal digits or as a list of numbers, modes and job types in all their spellings, decimals as text, numbers or floats. What is
// read is checked; two forms of one job are equal after reading.
//
// # Numbers
//
// Prices are base units. Quantities with a fraction (temperature, tolerances, limits, thresholds) are Decimals: integers of 128 bits, scaled by 10⁹. No float
// is in any canonical encoding (WP §2.5).
//
// # Choices where the sources are silent
//
//   - Identity, submitter and height of what is submitted are ignored: the chain sets them (Seal).
//   - A specification has at most MaxSpecBytes, so that it is one entry of state.
//   - A result without a schema may have 65,536 bytes; public clients leave the schema out.
//   - A price of zero is a price: public clients send it.
//   - A JSON value that runners interpret (arguments, schemas) is text here, in one form: no spaces, keys ascending.
//
// Deliberately absent: who may do a job, and what becomes of it (chain/market).
//
// Spec: CIP-2 §2; runner-marketplace §2.1, §2.2, §2.3, §2.4, §2.9, §14; node-rpc-cli §4.1; sdk §9.2, §9.3, §15; WP §2.5, §5.4.
package job
