package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// Keys that were used make a validator rejoin when their journal is gone, over restarts, until an epoch has begun after its start.
//
// Spec: commonware §3.5 (a validator that lost its journal).
func TestRejoin(t *testing.T) {
	s := &settings{dataDir: t.TempDir()}
	r := keyring.Ring{Dir: filepath.Join(s.dataDir, "keys")}
	if err := r.Make(); err != nil {
		t.Fatal(err)
	}
	journal := filepath.Join(s.dataDir, "journal")
	rejoins := func(want bool, when string) {
		t.Helper()
		if got, err := s.rejoin(r); err != nil || got != want {
			t.Errorf("%s: %v, %v", when, got, err)
		}
		if err := os.MkdirAll(journal, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	rejoins(false, "first start")
	rejoins(false, "second start")
	if err := os.RemoveAll(journal); err != nil {
		t.Fatal(err)
	}
	rejoins(true, "the journal is gone")
	rejoins(true, "the start after")

	started := time.UnixMilli(1_000)
	final := s.rejoined(started)
	for i, b := range []block.Header{
		{Height: 7, Epoch: 0, TimestampMs: 900}, {Height: 8, Epoch: 1, TimestampMs: 1_100}, // the anchor is older than the process
		{Height: 15, Epoch: 1, TimestampMs: 1_200},
	} {
		final(&ledger.Final{Block: &block.Block{Header: b}})
		if _, err := os.Stat(filepath.Join(s.dataDir, rejoinFile)); err != nil {
			t.Errorf("block %d: the mark is gone", i)
		}
	}
	final(&ledger.Final{Block: &block.Block{Header: block.Header{Height: unit.Height(16), Epoch: 2, TimestampMs: 1_300}}})
	rejoins(false, "an epoch began")
}
