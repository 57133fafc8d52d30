// Package scenario runs stories about actors: a .txtar archive whose files are actors and whose comment is a list of commands with
// the output they must have. A story runs on testkit.Chain, which is the node's own transition, drain, host and Python machine.
//
// # Form
//
// A line is a command, and the lines after it that begin with "> " are what it must print, in order. Blank lines and lines beginning with #
// are remarks. With Options.Update the expected lines are rewritten by what was printed; the rest of the archive is kept as it is.
//
//	account NAME                              an account with 5,000 CBY
//	deploy BY NAME FILE [PAYLOAD]             deploy a file of the archive or beside it, with a payload for init
//	call BY ACTOR HANDLER [PAYLOAD]           a transaction in a block of its own: what it returned, its events, its fault
//	pay BY ACTOR HANDLER CBY [PAYLOAD]        the same with coins for the actor
//	send BY ACTOR HANDLER [PAYLOAD]           a transaction for the next block
//	query ACTOR HANDLER [PAYLOAD]             a read on the state as it is
//	why                                       where the newest failure was: file, line and frames, through actors that were called
//	trace                                     what the newest transaction led to: the tree of what ran, called, was sent and waits
//	transfer BY TO CBY, fund BY ACTOR CBY     coins
//	mine [N], to HEIGHT, advance SECONDS      blocks, a second each: what ran in them besides transactions
//	balance NAME, height, root                one line
//	root NAME                                 notes the root; from then on, whether it is the noted one
//	events ACTOR [TOPIC], storage ACTOR, timers ACTOR, mailbox ACTOR
//	job TYPE ok|error|lost [PAYLOAD]          what the runners answer to jobs of a type from now on
//	job TYPE votes [RESULT, …]                the same, by majority of what several answer; null is a runner that failed
//	job TYPE late N copies N ok …             the same, so many blocks late, delivered so often; TYPE all is every type that has none of its own
//	panic TURN [TIMES]                        the worker panics in a turn of the next block, which is executed again
//	set balance NAME CBY                      what an address holds, in a block; the difference is the faucet's
//	set storage ACTOR KEY [VALUE]             an entry of an actor, as the SDK stores JSON, or its removal
//	as FROM ACTOR HANDLER [PAYLOAD]           a message from any address, delivered in the next block
//	snapshot NAME, revert NAME                take the chain back
//	token BY NAME UNITS [HOOK]                a token of the registry, called by its symbol, with a supply in smallest units
//	give BY TOKEN TO UNITS                    tokens; what the hook emits, or the fault
//	holding NAME TOKEN                        what an address has of a token
//	gas                                       cycles and cells of every handler since the last gas
//
//	invariant COMMAND                         a reading command; what it prints must hold, see below
//	fuzz ACTOR [HANDLER [SHAPE]]              what may be called, see below
//
// What actors print is printed before the outcome, a line each. Of a command that does not print what it must, the failures are shown as why shows them.
//
// # Fuzzing
//
// Fuzz runs a story up to its first fuzz command, then calls the named actors from there, again and again, in sequences drawn from a seed:
// handlers, payloads of the shape their source shows (package shape) or of the SHAPE given, where $address, $number, $text and $flag are drawn,
// coins where a handler looks at those that came, senders among the story's accounts, blocks between. After every block every invariant of the
// story must print what it says. For each invariant that breaks, a sequence is shortened and written as a story.
//
// # Texts
//
// A payload is the rest of the line; ${NAME} in it is the address of an account or actor, or the
// identifier of a token, in hex. Addresses in the output are shown by their
// names.
package scenario
