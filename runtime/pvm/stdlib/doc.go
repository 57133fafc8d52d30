// Package stdlib is the standard library of the Python machine: exactly the
// modules that consensus lists, and what they need.
//
// A module is made of up to three things. A native part, in a package of its own
// below this one, fills the namespace from Go. A Python source, embedded from
// this directory, runs in the same namespace when the module is imported. Further
// sources, the module's parts, run in it when one of their names is first asked
// for, through the module's __getattr__: what a program does not use costs it
// nothing.
//
// Sources are compiled when the process starts and shared by all machines. They
// are library code: their frames are left out of tracebacks.
//
// Deliberately absent: every other module of Python's; operator exists only
// inside the modules that need it.
//
// Spec: sdk §17.3 (W1's import list); WP "The Cowboy Actor VM (PVM)" (library whitelist).
package stdlib
