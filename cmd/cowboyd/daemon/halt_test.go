package daemon

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/supervision"
)

// TestHaltIsWrittenOnAFullDisk: where no byte can be added to the disk, the reason goes where room was kept for it, however long it is.
func TestHaltIsWrittenOnAFullDisk(t *testing.T) {
	full := func(path string, _ []byte) error {
		// What os.WriteFile does on a full disk: the name is there, and nothing in it.
		return errors.Join(os.WriteFile(path, nil, 0o644), syscall.ENOSPC)
	}
	for _, size := range []int{10, reserveBytes - 1_000, 10 * reserveBytes} {
		dir := t.TempDir()
		halt := supervision.Halt{Subsystem: "node/core/ledger", Reason: "disk is full", Report: &supervision.Report{Stack: strings.Repeat("x", size)}}
		if err := keepHalt(dir, halt, full); err == nil {
			t.Error("nothing was kept, and nothing told")
		}
		reserveHalt(&settings{dataDir: dir}, zerolog.Nop())
		if info, err := os.Stat(filepath.Join(dir, reserveFile)); err != nil || info.Size() != reserveBytes {
			t.Fatal(info, err)
		}
		if err := keepHalt(dir, halt, full); err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(dir, haltFile))
		if err != nil {
			t.Fatal(err)
		}
		var back supervision.Halt
		if err := json.Unmarshal(raw, &back); err != nil || back.Reason != "disk is full" || back.Subsystem != halt.Subsystem || len(raw) > reserveBytes {
			t.Errorf("%d bytes of stack: %v, %d bytes: %.100s", size, err, len(raw), raw)
		}
		if whole := back.Report != nil; whole != (size < reserveBytes) {
			t.Errorf("%d bytes of stack: kept %v", size, whole)
		}
	}
}
