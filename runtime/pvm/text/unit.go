package text

// Unit is one element of text: a byte (ASCII text, bytes, bytearray), or a code point.
type Unit interface{ ~uint8 | ~uint16 | ~int32 }
