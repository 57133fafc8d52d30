// Package check finds, before anything runs, what consensus forbids an actor's
// source to contain.
//
// Check walks a resolved tree and returns every finding, in source order, so
// that a developer sees them all at once; deployment refuses a source that has
// any. What cannot be seen in the text (identity of two computed strings, an
// attribute set on a module, a file outside /tmp, an import inside a function)
// is refused when it happens.
//
//	reflection    eval, exec, compile, __import__, breakpoint, input by name, unless the module gives the name a meaning of its own
//	namespaces    changing globals() or vars() of the module through the mapping
//	frames        attributes that lead to frames and to a function's globals
//	identity      is and is not with a literal number or string
//	finalizers    a method __del__
//	integers      literals of more than 4,096 bits
//	tasks         asyncio.gather
//	imports       at module level, neither available nor guarded
//
// An import is guarded by try with a handler that catches ImportError, by "if
// TYPE_CHECKING" and by "if __name__ == '__main__'".
//
// Invariants: the result depends on the tree and the options alone; nothing in
// the tree is changed.
//
// Spec: WP "Forbidden Operations"; WP-January "Forbidden Operations and Patterns";
// sdk §17.
package check
