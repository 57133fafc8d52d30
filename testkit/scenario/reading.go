package scenario

import (
	"regexp"

	"github.com/cowboyinc/cowboy-go/chain/state"
)

// reference is the place of an address in a payload.
var reference = regexp.MustCompile(`\$\{[^}]*\}`)

// reading lets rules read a state that nothing may write.
type reading struct{ state.Reader }

func (reading) Set(_, _ []byte) { panic("scenario: a query writes state") }
func (reading) Delete([]byte)   { panic("scenario: a query writes state") }
