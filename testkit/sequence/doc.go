// Package sequence searches for a sequence of calls after which an invariant is broken, and shortens the sequence it finds.
//
// A Space says what may be called and by whom; Draw makes a Call of it. Search draws sequences, each of a generator of its own made from the seed and the
// sequence's number, and gives them to a function that takes them from one start and says what breaks. A sequence that breaks something is
// shortened: calls are left out, many at once first, then single ones are made plainer, as long as the same thing breaks. The search goes on for
// the other rules. A Tally counts how often each handler was called and how often it did something: a search whose calls all fail finds nothing.
//
// What is found depends on the options and on that function alone. Who runs the calls, and in what language they and what must hold are
// written, is for packages scenario and pytest.
package sequence
