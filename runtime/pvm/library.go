package pvm

import "github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib"

// standard returns the module of the standard library called name.
func standard(name string) (NativeModule, bool) { return stdlib.Module(name) }
