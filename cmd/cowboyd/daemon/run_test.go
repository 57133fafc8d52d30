package daemon

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
)

// A node that is told to stop while it starts ends in order, and leaves a data directory that opens again.
//
// Spec: ARCHITECTURE "The supervision tree" (ordered start, reverse stop).
func TestStopWhileStarting(t *testing.T) {
	s := &settings{}
	nodeFlags(&cobra.Command{}, s)
	s.dataDir, s.chainID, s.validators = filepath.Join(t.TempDir(), "data"), wire.ChainLocal, 1
	stopped, stop := context.WithCancel(t.Context())
	stop()
	for range 2 {
		if err := run(stopped, s, io.Discard); err != nil {
			t.Fatal(err)
		}
	}
}
