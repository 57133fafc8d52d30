// Package eip712 hashes typed structured data as wallets of Ethereum show and sign it: what eth_signTypedData_v4 takes, an object of types, primaryType,
// domain and message, becomes the 32 bytes that are signed. It is pure.
//
// # The hash
//
//	digest          keccak256(0x19 ‖ 0x01 ‖ hashStruct(EIP712Domain, domain) ‖ hashStruct(primaryType, message))
//	hashStruct      keccak256(keccak256(encodeType) ‖ each field's word)
//	encodeType      Name(type name,…) and behind it, by name, every struct it refers to
//	a field's word  numbers and bool right-aligned, address in 20 of 32 bytes, bytesN left-aligned; the keccak256 of bytes, of a string's UTF-8 and of an
//	                array's words; hashStruct of a struct
//
// # What is taken
//
// Values are those of package cbor. A number is an integer, or the text of one, decimal or 0x and hexadecimal; bytes are octets or 0x and hexadecimal; an
// address is 20 octets or its text. Everything else is refused with an *Error: names that are no identifiers, so that no two lists of types read alike; fields
// of a value that its type lacks, since nobody signed them; fields that are missing; numbers beyond their type; a domain with other fields than the five of the
// standard, in another order, or none.
//
// # Bounds
//
// Whoever calls gives Pay, which is told of each field and of the bytes of each hash before they are worked on. Nesting is that of package cbor.
//
// Deliberately absent: the alias types int and uint, which the standard excludes; null for a struct that is missing.
//
// Source: EIP-712.
//
// Spec: WP §16.1 (EIP-712 signed data).
package eip712
