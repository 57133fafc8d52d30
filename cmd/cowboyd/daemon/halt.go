package daemon

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/supervision"
)

const (
	// reserveFile keeps room on the disk for HALTED: a disk that is full is what a node halts over.
	reserveFile  = haltFile + ".reserve"
	reserveBytes = 64 << 10
)

// reserveHalt makes room for the file that says why the node halted. Without it the log alone does.
func reserveHalt(s *settings, log zerolog.Logger) {
	if s.memory {
		return
	}
	path := filepath.Join(s.dataDir, reserveFile)
	if info, err := os.Stat(path); err == nil && info.Size() == reserveBytes {
		return
	}
	if err := os.WriteFile(path, make([]byte, reserveBytes), 0o644); err != nil {
		log.Warn().Err(err).Msg("there is no room kept for the file " + haltFile)
	}
}

// writeHalt tells whoever looks at the data directory why the node stopped by itself.
func writeHalt(dir string, halt supervision.Halt) {
	_ = keepHalt(dir, halt, func(path string, text []byte) error { return os.WriteFile(path, text, 0o644) })
}

// keepHalt writes the file by write, or where that fails into the room that was kept for it.
func keepHalt(dir string, halt supervision.Halt, write func(path string, text []byte) error) error {
	path := filepath.Join(dir, haltFile)
	text, err := haltText(halt)
	if err != nil {
		return err
	}
	failed := write(path, text)
	if failed == nil {
		return nil
	}
	if len(text) > reserveBytes {
		halt.Report = nil // its stack is in the log
		halt.Reason = halt.Reason[:min(len(halt.Reason), reserveBytes/8)]
		if text, err = haltText(halt); err != nil {
			return errors.Join(failed, err)
		}
	}
	reserve := filepath.Join(dir, reserveFile)
	f, err := os.OpenFile(reserve, os.O_WRONLY, 0)
	if err != nil {
		return errors.Join(failed, err)
	}
	_, err = f.WriteAt(text, 0) // its blocks are there already
	if err == nil {
		err = f.Truncate(int64(len(text)))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(failed, err)
	}
	return os.Rename(reserve, path)
}

func haltText(halt supervision.Halt) ([]byte, error) {
	text, err := json.MarshalIndent(halt, "", "  ")
	return append(text, '\n'), err
}
