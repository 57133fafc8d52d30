// Package pyjson is the module json: loads, dumps, load, dump, JSONDecoder, JSONEncoder and JSONDecodeError with the
// behaviour of CPython 3.11's, on top of package jsontext.
//
// # Canonical output
//
// What a call does not say is canonical: keys sorted, separators "," and ":" without spaces, characters outside ASCII as they
// are. So dumps(x) is the one text of x that every node writes. A call that names sort_keys, separators, indent or
// ensure_ascii gets what it asks for, as in CPython; with indent and without separators the separators are "," and
// ": ", as there. Keys that Python cannot order (a mixture of strings and numbers) are sorted by their text, unless the call
// itself asked for sort_keys, which then raises TypeError as in CPython.
//
// The whitepaper says that JSON output, which is for non-canonical surfaces only, MUST have sorted keys and compact separators (§4.2). What the rule is
// for, one text on every node, holds for every option: the order of a dict's entries, the indentation and the separators are functions of the program
// and its values. Nothing of the protocol hashes, compares or prices a JSON text that an actor laid out itself: consensus types have the binary
// encoding, messages, storage and jobs canonical CBOR, and JSON that the host writes for an actor (an event's payload) always has the
// prescribed form, whatever the actor says. So options are obeyed, as the library reference has it and its tests demand. A strict reader loses
// this: two actors that ask for different layouts write different texts for equal values, and texts of actors that ask for any must be
// compared after loads.
//
// # Charging
//
// Reading costs 20 cycles, one for each unit of the document and a few for each value; writing 20 and one for each
// byte. Nesting is bounded by the machine's recursion limit.
//
// Deliberate differences to CPython 3.11: the defaults above; bytes must be UTF-8 (with or without a byte order mark);
// iterencode yields the whole text at once; a subclass of JSONEncoder or JSONDecoder that replaces the undocumented scanner
// attributes is not asked.
//
// Spec: WP "The Cowboy Actor VM (PVM)" (JSON output on non-canonical surfaces: sort_keys=True, separators=(",", ":")); WP-January "Serialization"
// (ensure_ascii=False); CIP-3 §2.2.1 (Object Serialization Determinism: 20 + total_bytes); Python 3.11 library reference, json.
package pyjson
