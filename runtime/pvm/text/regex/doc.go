// Package regex is the engine of the PVM's re module: the pattern language, the matching rules and the error messages of
// CPython 3.11's, metered.
//
// # Use
//
//	program, err := regex.Compile(pattern, isText, flags)     // pattern as code points; bytes as Latin-1
//	m := regex.NewMatcher(program, fuel)
//	ok, err := regex.Run(m, subject, start, regex.Search)      // subject: []byte or []rune
//	lo, hi := m.Span(0)
//
// A Program is immutable. A Matcher belongs to one call and can be run again and again: it keeps its memory and its fuel.
//
// # Matching
//
// A backtracking machine over a flat program, with no recursion: a stack of choices still open, and a trail
// of the slots (group marks, loop counters, saved heights) to restore when a choice is taken up again. Dropping choices
// without touching the trail is what makes atomic groups, possessive repeats and look-around work.
//
// Repeats of one character never push a choice per character: a choice holds a range of positions.
//
// # Work and memory
//
// Every character looked at takes one unit of fuel, two where a lazy repetition takes it, and every instruction
// InstructionFuel, taken before the work; without fuel the match ends with ErrFuel. So a hostile pattern ends when its
// caller's cycles do. Choices and trail are bounded (ErrMemory), as is the nesting of a pattern (ErrNesting).
// Compiling takes time linear in the pattern (n log n in a character set).
//
// # Differences to CPython that programs cannot see
//
// Repeats that cannot profit from giving characters back do not keep them; a search skips starts that cannot match. Both
// only spend less fuel.
//
// # Deliberate differences
//
// The locale is C.UTF-8 on every machine, so LOCALE behaves like ASCII. Warnings about patterns whose meaning may change in
// future versions are not given. DEBUG prints nothing. Four defects of CPython 3.11 are not repeated; the documented
// meaning holds:
//
//   - a group inside a possessive repeat that is entered and left again keeps its old span ((?:(a)|b)++ on "ab");
//   - a search looks at the flags of a scoped group before it skips a start ((?a:\W) on "\u00e9");
//   - capitals beyond the basic plane in a set match themselves under IGNORECASE ([\u00e9\U00010400]);
//   - ranges beyond the basic plane fold nothing under ASCII and IGNORECASE.
//
// Spec: Python 3.11 library reference, re; WP "The Cowboy Actor VM (PVM)" (Unicode 14.0, fixed locale).
package regex
