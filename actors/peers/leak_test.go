package peers_test

import (
	"testing"

	"go.uber.org/goleak"
)

// Nothing of a network runs on after its tree has stopped.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
