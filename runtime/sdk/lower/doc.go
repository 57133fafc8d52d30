// Package lower rewrites the continuations of an actor's module before it is compiled: async methods under
// @runner.continuation or @actor.continuation become plain functions that can be left at an await and entered again there in a
// later block, from a saved record and nothing else. There is never a suspended coroutine.
//
// # The rewriting
//
// Awaits are numbered from 1 in source order; number 0 means "running". The function keeps its structure. Every stretch of statements
// without an await is guarded by "state is 0"; a compound statement with awaits is entered when the state is 0 or one of the awaits inside it;
// an await, when running, saves the record and returns, and when it is the state, sets the state to 0 and binds the result. A loop
// keeps what it iterates over, and how far it came, in variables of its own. An except clause with an await notes which one it is, and what
// follows from its first await on stands behind the try statement, under that note. So control flow after a resumption is the control flow of
// the source.
//
// What a record holds: the number, and the local variables that are read after that await before they are assigned again. A variable is
// saved without being asked for where the analysis is certain: it is assigned on every path to the await, and everything it can hold can be
// saved. Otherwise loading fails and names the variable.
//
// Accepted around an await: sequences, if/else, try/except (in an except clause without finally, and without the exception behind the await), early
// returns, for over a range, a slice or a display of constant length, the body of an @bounded_loop function awaited in one place, async with TaskGroup()
// without an await of its own. Refused: while and for without a bound, with, match, an await in a finally clause, in a lambda or
// comprehension, inside another await, behind a call or subscript of the same expression; yield; async for; more than 8 awaits outside
// bounded loops.
//
// Names that programs cannot write (they begin with a dot) hold the machinery; cowboy_sdk._continuation is what they refer to.
//
// Deliberately absent: any knowledge of storage, jobs or records, which the Python side has.
//
// Spec: sdk §10.
package lower
