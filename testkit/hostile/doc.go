// Package hostile attacks a whole chain: it deploys Python actors that loop, recurse, allocate, escape and lie, and sends transactions
// that break every rule of admission. Each attack has to end in its own typed fault, cost its sender the fee, leave nothing else in the
// state, and not keep the next block from working.
//
// The attacks are Python programs in testdata, one file per kind. A line "== name: outcome" begins a program; the outcome is the code of
// the fault of calling attack, "deploy N" when the deployment itself has to fail with that code, or "ok TEXT" when the call has to succeed
// and return that text, which says that the attempt achieved nothing.
//
// published.txt collects the escapes published for CPython's sandboxes, RestrictedPython, Jython, Starlark and Pyodide; the first line
// of each program says where the idea comes from.
//
// Spec: WP §3.2, §3.3 (limits, all-or-nothing handlers), §2.2 (validity of transactions); sdk §18 (fault codes).
//
// Deliberately absent: bounds on time, which no test can state; run with -v to see nanoseconds per cycle and bytes allocated.
package hostile
