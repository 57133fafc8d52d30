package daemon

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/replica"
)

const (
	// accusedDir is where the blocks lie that this validator accused their proposers of.
	accusedDir = "accused"
	// accusedMax bounds them: each view has one of as many places, and the newest block of a place stays.
	accusedMax = 16
)

// keepSuspect tells of a proposal this validator accuses its leader of and keeps its bytes, which "verify --block" executes.
func keepSuspect(s *settings, p *replica.Suspect, log zerolog.Logger) {
	a := p.Accusation
	log.Warn().Uint32("validator", a.Accused).Str("block", a.Subject.BlockHash.String()).Uint64("height", a.Subject.Height).
		Uint64("view", a.Subject.Round.View).Str("flaw", a.Flaw.String()).Str("reason", p.Reason).Msg("a proposal is accused")
	if s.memory || len(p.Block) == 0 {
		return
	}
	go func() { // once a view at most; agreement does not wait for it
		if err := writeSuspect(filepath.Join(s.dataDir, accusedDir), a.Subject.Round.View, p.Block); err != nil {
			log.Error().Err(err).Msg("the accused block could not be written")
		}
	}()
}

// writeSuspect puts a block into the place of its view.
func writeSuspect(dir string, view uint64, block []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.block", view%accusedMax)), block, 0o644)
}
