// Package shape reads from an actor's source which arguments its handlers take, and generates random payloads of that shape.
//
// A handler's fields come from, in this order: its parameters and their annotations, where it has several or they are not plain payloads; its
// docstring, where it writes the payload as the examples do (payload: JSON {"to": address, "amount": tokens}); and the keys it, and what it calls
// on itself, takes out of maps. Where none of these says anything, the payload is followed through the handler: int(payload),
// payload.decode().split(","), Address.from_hex(word), through helpers and loops, say what its words are. Numbers, also those with a name or a
// formula, and texts of the source are drawn more often than others: what a program compares with is what decides.
//
// Drawing is a function of the random source alone. Nothing of this reaches a chain but the payloads.
package shape
