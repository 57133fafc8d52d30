package daemon

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// newLog writes lines for people to a terminal and JSON to anything else, unless the format is chosen.
func newLog(out io.Writer, level, format string) (zerolog.Logger, error) {
	parsed, err := zerolog.ParseLevel(level)
	if err != nil {
		return zerolog.Nop(), fmt.Errorf("--log-level %q: want debug, info, warn or error", level)
	}
	switch format {
	case "text", "json":
	default:
		return zerolog.Nop(), fmt.Errorf("--log-format %q: want text or json", format)
	}
	if format == "text" {
		out = zerolog.ConsoleWriter{Out: out, NoColor: !terminal(out), TimeFormat: "15:04:05.000"}
	}
	zerolog.TimeFieldFormat = time.RFC3339Nano
	return zerolog.New(out).Level(parsed).With().Timestamp().Logger(), nil
}

func terminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// blockLine logs a finalized block: height, what ran, how full it was, what was burned, how long ago it was proposed.
func blockLine(log zerolog.Logger, f *ledger.Final, now time.Time) {
	h := &f.Block.Header
	var burned unit.Amount
	var counts [block.Hooks + 1]int
	failed := 0
	for _, x := range f.Receipts {
		burned += x.FeeBurned
		counts[x.Kind]++
		if x.Status != block.Success {
			failed++
		}
	}
	what := []string{plural(counts[block.Transaction], "tx", "txs")}
	if n := counts[block.Timer]; n > 0 {
		what = append(what, plural(n, "timer", "timers"))
	}
	if n := counts[block.Message]; n > 0 {
		what = append(what, plural(n, "message", "messages"))
	}
	if n := counts[block.Deferred]; n > 0 {
		what = append(what, plural(n, "deferred", "deferred"))
	}
	if n := counts[block.Hooks]; n > 0 {
		what = append(what, plural(n, "batch of hooks", "batches of hooks"))
	}
	if failed > 0 {
		what = append(what, fmt.Sprintf("%d failed", failed))
	}
	line := log.Info()
	if h.CyclesUsed > 0 {
		line = line.Uint64("cycles", uint64(h.CyclesUsed)).Uint64("cells", uint64(h.CellsUsed)).Str("burned", burned.CBY())
	}
	age := now.Sub(time.UnixMilli(int64(h.TimestampMs))).Round(time.Millisecond)
	line.Str("final", age.String()).Msgf("block %d  %x  %s", h.Height, f.Hash[:4], strings.Join(what, ", "))
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// observe logs what the supervision tree reports.
func observe(log zerolog.Logger, e supervision.Event) {
	line := log.Debug()
	if e.Kind == supervision.EventStarted && e.Instance > 1 {
		log.Info().Str("subsystem", e.Subsystem).Uint64("instance", e.Instance).Dur("loading", e.Loading).Msg("the subsystem runs again")
		return
	}
	switch e.Kind {
	case supervision.EventFailed, supervision.EventEscalated, supervision.EventHung:
		line = log.Warn()
	case supervision.EventRenewed:
		line = log.Info()
	}
	line.Str("subsystem", e.Subsystem).Str("event", string(e.Kind)).Msg(e.Text)
}
