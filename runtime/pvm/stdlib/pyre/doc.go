// Package pyre is the module re: patterns, matches and the module's functions on top of package regex.
//
// # Charging
//
// Compiling a pattern costs compileBase and compileUnit for each of its characters, whether or not the compiled
// program is still kept from an earlier use: keeping programs changes speed, never cycles. Matching costs one cycle for each step of
// the matcher, taken off the meter as it goes: a match gets what the meter holds as fuel. Results cost one
// cycle for each character they copy.
//
// # Memory
//
// Compiled patterns count for their programs by formula. Programs kept for reuse are bounded by the length of their patterns.
//
// Deliberate differences to CPython 3.11: no warnings; DEBUG prints nothing; LOCALE means the C.UTF-8 locale, which is ASCII for
// bytes; RegexFlag is an int type of its own with the names and operators of an IntFlag but without the rest of enum's
// machinery; the undocumented Scanner class and template() are absent.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (module list); Python 3.11 library reference, re.
package pyre
