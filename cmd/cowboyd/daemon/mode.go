package daemon

import (
	"fmt"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/config"
)

// kept is how much of the chain a node keeps, and how it gets there when it is far behind.
type kept struct {
	mode     string
	window   uint64 // blocks of state; 0: all
	blocks   uint64 // blocks with receipts; 0: all
	snapshot uint64 // blocks behind at which a state is fetched; 0: never
}

func (k *kept) flags(flags *pflag.FlagSet) {
	d := config.Default().Chain
	flags.StringVar(&k.mode, "mode", d.Mode.Word, "full: a window of states, blocks and receipts; archive: everything since genesis")
	flags.Uint64Var(&k.window, "history", d.History, "full: blocks of state history to keep for reads and proofs; 0 keeps all")
	flags.Uint64Var(&k.blocks, "keep-blocks", d.Blocks, "full: blocks to keep with their receipts; 0 keeps all")
	flags.Uint64Var(&k.snapshot, "snapshot", d.Snapshot, "full: blocks behind the others at which a state is fetched instead of blocks; 0 never does")
}

// configured takes what a configuration says and no flag does.
func (k *kept) configured(c *config.Chain, unless func(flag string, take func())) {
	unless("mode", func() { k.mode = c.Mode.Word })
	unless("history", func() { k.window = c.History })
	unless("keep-blocks", func() { k.blocks = c.Blocks })
	unless("snapshot", func() { k.snapshot = c.Snapshot })
}

// arguments are the flags that say the same.
func (k *kept) arguments() []string {
	return []string{
		"--mode", k.mode, "--history", strconv.FormatUint(k.window, 10), "--keep-blocks", strconv.FormatUint(k.blocks, 10),
		"--snapshot", strconv.FormatUint(k.snapshot, 10),
	}
}

// check holds the mode to its two words.
func (k *kept) check() error {
	if k.mode != config.Full && k.mode != config.Archive {
		return fmt.Errorf("--mode %s: the modes are %s and %s", k.mode, config.Full, config.Archive)
	}
	if k.mode == config.Full && k.blocks != 0 && k.window != 0 && k.blocks < k.window {
		return fmt.Errorf("--keep-blocks %d: a node keeps at least the blocks of its states, --history %d", k.blocks, k.window)
	}
	return nil
}

// options are those of the store.
func (k *kept) options() store.Options {
	if k.mode == config.Archive || k.window == 0 {
		return store.Options{Window: store.Archive}
	}
	return store.Options{Window: k.window, Blocks: k.blocks}
}

// behind is node.Config.Snapshot.
func (k *kept) behind() unit.Height {
	if k.mode == config.Archive {
		return 0
	}
	return unit.Height(k.snapshot)
}

// fetching adds to what stands in the way of a node's readiness the state it is fetching, or why it stopped.
func fetching(status func() catchup.Status, others func() []string) func() []string {
	return func() (list []string) {
		if others != nil {
			list = others()
		}
		at := status()
		switch {
		case at.Snapshot && at.Height == 0:
			list = append(list, "the state of a recent block is sought")
		case at.Snapshot:
			list = append(list, fmt.Sprintf("the state of block %d is being fetched: %d of %d operations", at.Height, at.Operations, at.Total))
		case at.Trouble != "":
			list = append(list, "no state could be fetched: "+at.Trouble)
		}
		return list
	}
}
