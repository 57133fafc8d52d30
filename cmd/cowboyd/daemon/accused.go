package daemon

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/replica"
)

const (
	// accusedDir is the directory of the blocks of which this validator accused their proposers.
	accusedDir = "accused"
	// accusedMax bounds them: each view has one of as many places, and the newest block of a place stays.
	accusedMax = 16
)

// saveAccused logs a proposal of which this validator accuses its leader, and saves the bytes of the block, so that "verify --block" can execute it.
func saveAccused(s *settings, p *replica.BadProposal, log zerolog.Logger) {
	a := p.Accusation
	log.Warn().Uint32("validator", a.Accused).Str("block", a.Subject.BlockHash.String()).Uint64("height", a.Subject.Height).
		Uint64("view", a.Subject.Round.View).Str("flaw", a.Flaw.String()).Str("reason", p.Reason).Msg("a proposal is accused")
	if s.memory || len(p.Block) == 0 {
		return
	}
	go func() { // once a view at most; agreement does not wait for it
		if err := writeAccused(filepath.Join(s.dataDir, accusedDir), a.Subject.Round.View, p.Block); err != nil {
			log.Error().Err(err).Msg("the accused block could not be written")
		}
	}()
}

// writeAccused puts a block into the place of its view.
func writeAccused(dir string, view uint64, block []byte) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.block", view%accusedMax)), block, 0o644)
}
