package testkit

import (
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/host"
)

// NewRunner runs turns as the node does: Python handlers on the Python machine, native ones by the system actors' rules.
func NewRunner() drain.Runner { return host.New(host.NewPrograms()) }
