package token

import (
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
)

// Registry is the token registry for another chapter's execution, which pays for hooks and says in Faults what it refuses.
//
// Spec: tokens §5, §6.
func Registry(e *chapter.Env) *token.Registry { return registry(e) }

// Faults are the rejects of package chain/token, for chapters that move tokens.
func Faults() []chapter.Fault { return faults() }
