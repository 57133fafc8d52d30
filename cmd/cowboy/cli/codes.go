package cli

import (
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// Limits of an upload: what a source of 128 KiB takes.
const (
	uploadCycles = 21_000_000
	uploadCells  = 200_000
)

func (a *app) govUpload() *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "upload FILE", Short: "Upload a Python program that a system actor may be given; a year's rent of its bytes is burned", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			if source, err = pvm.CanonicalSource(source); err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "Code hash: %v\n", account.CodeHash(source))
			return a.sendAndShow(cmd.Context(), flags, &tx.DeployCode{Code: source})
		},
	}
	flags.register(cmd, uploadCycles, uploadCells)
	return cmd
}

// proposing are the flags that say how an upgrade is asked for.
type proposing struct {
	title      string
	signatures []string
	now, print bool
	send       sendFlags
}

func (p *proposing) register(cmd *cobra.Command) {
	cmd.Flags().StringVar(&p.title, "title", "", "propose it under this title and description; their hash goes on chain")
	cmd.Flags().BoolVar(&p.now, "now", false, "as an administrator of a local network, without a vote")
	cmd.Flags().StringArrayVar(&p.signatures, "signature", nil, "signature of a member of the council, for a fast-track; seven are needed")
	cmd.Flags().BoolVar(&p.print, "print-payload", false, "send nothing, and print the payload, for `cowboy gov council sign --payload`")
	cmd.MarkFlagsMutuallyExclusive("title", "now", "print-payload")
	cmd.MarkFlagsOneRequired("title", "now", "print-payload")
	p.send.register(cmd, instructionCycles, instructionCells)
}

// ask proposes a payload, or sends what an administrator may.
func (a *app) ask(cmd *cobra.Command, p *proposing, payload govern.Payload, direct tx.Instruction) error {
	encoded := govern.EncodePayload(payload)
	switch {
	case p.print:
		return a.show(map[string]any{"payload": hex.EncodeToString(encoded)}, "%x\n", encoded)
	case p.now:
		return a.sendAndShow(cmd.Context(), &p.send, direct)
	}
	joined, err := joinSignatures(p.signatures)
	if err != nil {
		return err
	}
	config, err := a.governanceConfig(cmd.Context())
	if err != nil {
		return err
	}
	const tier = 3
	return a.sendAndShow(cmd.Context(), &p.send, &tx.SubmitProposal{
		Tier: tier, Title: digest.Keccak256([]byte(p.title)), Payload: encoded, Deposit: config.Tiers[tier].Deposit, Signatures: joined,
	})
}

func (a *app) govUpgrade() *cobra.Command {
	var p proposing
	var native uint32
	var python, handler string
	var delay, window, cycles uint64
	cmd := &cobra.Command{
		Use: "upgrade ADDRESS", Short: "Propose other code for a system actor: a native edition, or an uploaded Python program", Args: cobra.ExactArgs(1),
		Long: "Propose other code for a system actor. It is switched when the proposal could be executed first, and --delay blocks later. A migration runs\n" +
			"before that, within its cycles; if it fails the upgrade does not happen. Until the end of the window it can be rolled back.",
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			code := govern.Native(native)
			if python != "" {
				hash, err := digest.ParseHash(python)
				if err != nil {
					return usageError{errors.New("--python is the code hash that `cowboy gov upload` printed")}
				}
				code = govern.Python(hash)
			} else if native == 0 {
				return usageError{errors.New("--native is the number of an edition, from 1 on")}
			}
			if window == 0 {
				config, err := a.governanceConfig(cmd.Context())
				if err != nil {
					return err
				}
				window = uint64(config.Blocks(params.RollbackHours))
			}
			return a.ask(cmd, &p, &govern.SystemActorUpgrade{
				Target: target, Code: code, Delay: delay, Window: window, Migration: govern.Migration{Handler: handler, Cycles: unit.Cycles(cycles)},
			}, &tx.UpgradeSystemActor{
				Actor: target, Code: code.Append(nil), Delay: delay, Window: window, Handler: []byte(handler), Cycles: cycles,
			})
		},
	}
	flags := cmd.Flags()
	flags.Uint32Var(&native, "native", 0, "edition of its native code")
	flags.StringVar(&python, "python", "", "code hash of an uploaded program")
	flags.Uint64Var(&delay, "delay", 0, "blocks between the end of the timelock and the switch")
	flags.Uint64Var(&window, "window", 0, "blocks in which it can be rolled back (default: the least, 7 days)")
	flags.StringVar(&handler, "migration", "", "handler of the program that takes over the state")
	flags.Uint64Var(&cycles, "migration-cycles", 0, "cycles that a migration may use; 0: there is none")
	cmd.MarkFlagsMutuallyExclusive("native", "python")
	cmd.MarkFlagsOneRequired("native", "python")
	p.register(cmd)
	return cmd
}

func (a *app) govRollback() *cobra.Command {
	var p proposing
	cmd := &cobra.Command{
		Use: "rollback ADDRESS", Short: "Propose to take an upgrade of a system actor back", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			target, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			return a.ask(cmd, &p, &govern.SystemActorRollback{Target: target}, &tx.UpgradeSystemActor{Act: tx.ActRollback, Actor: target})
		},
	}
	p.register(cmd)
	return cmd
}

func (a *app) govCodes() *cobra.Command {
	return &cobra.Command{
		Use: "codes", Short: "Print the code of the system actors that were upgraded, and the programs uploaded for them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.Codes
			if err := a.node().Read(cmd.Context(), "/governance/codes", &all); err != nil {
				return err
			}
			var b strings.Builder
			if len(all.Codes) == 0 {
				b.WriteString("No system actor was upgraded: all run the code of the node's program.\n")
			}
			for _, c := range all.Codes {
				fmt.Fprintf(&b, "%s  %s since block %d", c.Address, c.Code, c.Since)
				if c.Until > 0 {
					fmt.Fprintf(&b, ", can be rolled back to %s until block %d", c.Former, c.Until)
				}
				if c.At > 0 {
					fmt.Fprintf(&b, ", %s from block %d", c.Next, c.At)
				}
				if c.Missing {
					b.WriteString(", which this node's program does not have")
				}
				b.WriteString("\n")
			}
			for _, hash := range all.Uploads {
				fmt.Fprintf(&b, "uploaded  python %s\n", hash)
			}
			return a.show(all, "%s", b.String())
		},
	}
}
