// Package pvm is the Python machine of the chain: it compiles source, loads
// programs and calls their functions under a meter.
//
//	program, err := pvm.Compile("actor", source)   // *SyntaxError
//	m := pvm.New(pvm.Config{Meter: pvm.NewMeter(cycles, cells), …})
//	module, fault := m.Load(program)
//	result, fault := m.Call(handler, arguments…)
//
// A Program is immutable and shared; a Machine is one execution: a heap limited
// to 10 MiB, a stack of at most 256 frames, the modules it imported. Machines of
// one transaction share a Meter. Programs see the whole of Python 3.11 but for
// what consensus forbids, and the modules of Config.Natives, Config.Library and
// the standard library.
//
// Every outcome is a value, or a Fault: an exception that left the program, an
// empty meter, a limit, a failing host. A fault's text is for people and no part
// of the protocol.
//
// Inside: syntax (source to tree), resolve (names), compile (code), interp (the
// loop), object (values and types), cost (prices), text (Unicode, formatting,
// regular expressions), stdlib (modules).
//
// Deliberately absent: the calls an actor may make to the chain (package host),
// state between calls, threads, JIT compilation.
//
// Spec: WP "The Cowboy Actor VM (PVM)"; CIP-3 §2.2.
package pvm
