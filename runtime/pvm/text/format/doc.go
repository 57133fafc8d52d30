// Package format is Python's text formatting without Python's objects: the format mini-language (format(), f-strings,
// __format__ of int, float, complex and str), printf-style % formatting of str and bytes, and the replacement fields of
// str.format.
//
// Parsers read a format of any width (text.Unit) and answer plain structures; appliers take machine values (an int64 or
// *big.Int, the bits of a double, code points) and append to a slice of bytes or runes. Looking up fields,
// calling __format__, __str__ or __repr__ and counting arguments belong to the caller.
//
// # Work
//
// A width or a precision can ask for any amount of output. Every applier has its size told beforehand by
// Spec.Width, Spec.Precision and the value, and the caller charges that before it calls; OutputLimit says the largest
// width or precision that a parsed format has.
//
// # Locale
//
// The locale is C.UTF-8, so the presentation type 'n' groups nothing and its decimal point is '.'.
//
// # Errors
//
// *Error is a ValueError of Python, in CPython 3.11's words; ErrCharRange and ErrCharSize are OverflowErrors.
//
// Deliberately absent: string.Template, locale formatting, decimal.Decimal (its module formats itself with Parse and
// Spec).
//
// Spec: Python 3.11 library reference, "Format Specification Mini-Language", "Format String Syntax", "printf-style String
// Formatting"; WP "The Cowboy Actor VM (PVM)" (fixed locale).
package format
