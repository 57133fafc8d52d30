package daemon

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/transition"
)

// verifyCommand executes the whole chain of a data directory again from genesis.
func verifyCommand(s *settings, out io.Writer) *cobra.Command {
	validators, file := 1, ""
	c := &cobra.Command{
		Use: "verify", Short: "Execute every finalized block again from genesis and compare all roots", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if _, err := os.Stat(s.dataDir); err != nil {
				return err
			}
			if err := s.load(cmd); err != nil {
				return err
			}
			spec, err := s.spec(validators)
			if err != nil {
				return err
			}
			chain, err := openStore(s, spec, false, saying(out))
			if err != nil {
				return explain(s, err)
			}
			defer chain.Close()
			if why := chain.Rebuilt(); why != nil {
				fmt.Fprintf(out, "%v: the file of checkpoints was made anew from the log\n", why)
			}
			if file == "" {
				return errors.Join(verify(spec, chain, nil, out), s.verifyRest(spec, chain, out))
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			accused, err := block.Decode(raw)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			return verify(spec, chain, accused, out)
		},
	}
	c.Flags().IntVar(&validators, "validators", validators, "validators of the development network the directory is of")
	c.Flags().StringVar(&file, "block", file, "execute the block in this file on its parent, and say whether it is valid")
	return c
}

// verifyRest looks at the files beside the chain: what the node would not start over is an error.
func (s *settings) verifyRest(spec *genesis.Spec, chain *ledger.Disk, out io.Writer) error {
	first, err := chain.Block(0)
	if err != nil {
		return err
	}
	var damage error
	for _, f := range s.inspect(spec, first.Hash()) {
		switch f.level {
		case "warn":
			fmt.Fprintf(out, "%s\n", f.what)
		case "fail":
			damage = errors.Join(damage, fmt.Errorf("%s\n  %s", f.what, f.advice))
		}
	}
	return damage
}

// verify re-executes a chain in memory. Each block must be valid, give its header and its receipts, and no transaction may
// come twice. With an accused block it goes as far as that block's parent and executes the accused one on it.
func verify(spec *genesis.Spec, chain *ledger.Disk, accused *block.Block, out io.Writer) error {
	if first := chain.First(); first > 0 {
		return fmt.Errorf("the directory holds blocks from %d on, and verifying needs all of them\n  verify the directory of a node in archive mode", first)
	}
	began := time.Now()
	memory, err := ledger.NewMemory(spec, state.Config{})
	if err != nil {
		return err
	}
	tip := transition.Parent{Header: memory.Header(), State: memory.State()}
	runner := host.New(host.NewPrograms())
	seen := map[digest.Hash]unit.Height{}
	last := chain.Header().Height
	for height := unit.Height(1); height <= last; height++ {
		if accused != nil && tip.Header.Hash() == accused.Header.ParentHash {
			break
		}
		result, err := verifyBlock(spec, chain, tip, runner, height)
		if err != nil {
			return fmt.Errorf("block %d: %w", height, err)
		}
		for _, v := range result.Txs {
			if before, twice := seen[v.Hash()]; twice {
				return fmt.Errorf("block %d: transaction %v is in block %d already", height, v.Hash(), before)
			}
			seen[v.Hash()] = height
		}
		final := &ledger.Final{Block: &block.Block{Header: result.Header}, Hash: result.Header.Hash(), State: result.State}
		if err := memory.Append(final); err != nil {
			return err
		}
		tip = transition.Parent{Header: &result.Header, State: memory.State()}
	}
	if accused != nil {
		return judge(spec, tip, accused, runner, out)
	}
	if err := transition.CheckSupply(tip.State); err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "verified %d blocks with %d transactions in %s: state root %v\n", last, len(seen),
		time.Since(began).Round(time.Millisecond), tip.State.Root())
	return err
}

func verifyBlock(spec *genesis.Spec, chain *ledger.Disk, tip transition.Parent, runner *host.Host, height unit.Height) (*transition.Result, error) {
	b, err := chain.Block(height)
	if err != nil {
		return nil, err
	}
	result, err := execute(spec, tip, b, runner)
	if err != nil {
		return nil, err
	}
	kept, err := chain.Receipts(height)
	if err != nil {
		return nil, err
	}
	if len(kept) != len(result.Receipts) {
		return nil, errors.New("the kept receipts are not those of the execution")
	}
	for i, x := range result.Receipts {
		if x.Hash() != kept[i].Hash() {
			return nil, fmt.Errorf("receipt %d is not that of the execution", i)
		}
	}
	return result, nil
}

func execute(spec *genesis.Spec, tip transition.Parent, b *block.Block, runner *host.Host) (*transition.Result, error) {
	txs := make([]tx.Verified, len(b.Txs))
	for i, t := range b.Txs {
		var err error
		if txs[i], err = tx.Verify(t, spec.ChainID, sig.Default()); err != nil {
			return nil, fmt.Errorf("transaction %d: %w", i, err)
		}
	}
	return transition.Apply(tip, transition.Job{Mode: transition.Verify, Header: b.Header, Txs: txs}, runner)
}

// judge says what comes of a block on its parent. The signatures in its header are agreement's to look at.
func judge(spec *genesis.Spec, tip transition.Parent, b *block.Block, runner *host.Host, out io.Writer) error {
	if tip.Header.Hash() != b.Header.ParentHash {
		return fmt.Errorf("the parent of block %v, at height %d, is not on this chain", b.Hash(), b.Header.Height)
	}
	if _, err := execute(spec, tip, b, runner); err != nil {
		_, err = fmt.Fprintf(out, "block %v at height %d is invalid: %v\n", b.Hash(), b.Header.Height, err)
		return err
	}
	_, err := fmt.Fprintf(out, "block %v at height %d executes to its roots; the signatures in its header were not looked at\n", b.Hash(), b.Header.Height)
	return err
}
