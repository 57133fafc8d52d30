package cli

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// govCouncil prints the council, signs its acts and sends them.
func (a *app) govCouncil() *cobra.Command {
	cmd := &cobra.Command{
		Use: "council", Short: "Print the Security Council, sign an act of it, or send one that seven members signed", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var c wire.Council
			if err := a.node().Read(cmd.Context(), "/governance/council", &c); err != nil {
				return err
			}
			var b strings.Builder
			fmt.Fprintf(&b, "Rotation %d, next nonce %d, %d warnings\n", c.Rotation, c.Nonce, c.Warnings)
			for _, m := range c.Members {
				fmt.Fprintln(&b, m)
			}
			return a.show(c, "%s", b.String())
		},
	}
	cmd.AddCommand(a.councilSign(), a.councilSend("cancel NUMBER", "Cancel a queued proposal of tiers 0 to 3"),
		a.councilSend("pause ADDRESS", "Pause a system actor"))
	return cmd
}

// councilSign signs with the wallet's key.
func (a *app) councilSign() *cobra.Command {
	var m motion
	var cancel uint64
	var pause, by, title string
	cmd := &cobra.Command{
		Use: "sign", Short: "Sign the council's next act with the wallet's key", Args: cobra.NoArgs,
		Long: "Sign the council's next act with the wallet's key: --cancel or --pause, or the fast-track of what --by will propose with --title and the\n" +
			"flags of `cowboy gov propose`. The signature is good for the council's present nonce alone.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var act []byte
			switch {
			case cmd.Flags().Changed("cancel"):
				act = govern.CancelAct(cancel)
			case pause != "":
				target, err := parseAddress(pause)
				if err != nil {
					return err
				}
				act = govern.PauseAct(target)
			default:
				if err := a.settings(cmd.Context(), &m); err != nil {
					return err
				}
				payload, _, err := m.read()
				if err != nil {
					return err
				}
				proposer, err := parseAddress(by)
				if err != nil {
					return err
				}
				act = govern.FastTrack(proposer, digest.Keccak256([]byte(title)), payload)
			}
			var c wire.Council
			if err := a.node().Read(cmd.Context(), "/governance/council", &c); err != nil {
				return err
			}
			raw, err := a.senderKey("")
			if err != nil {
				return err
			}
			key, err := sig.ParsePrivateKey(raw[:])
			if err != nil {
				return err
			}
			s := key.Sign(govern.Digest(c.ChainID, c.Rotation, c.Nonce, act))
			return a.show(map[string]any{"signature": hex.EncodeToString(s[:]), "nonce": c.Nonce}, "%x\n", s[:])
		},
	}
	m.register(cmd)
	cmd.Flags().Uint64Var(&cancel, "cancel", 0, "number of the proposal to cancel")
	cmd.Flags().StringVar(&pause, "pause", "", "system actor to pause")
	cmd.Flags().StringVar(&by, "by", "", "who will propose what is fast-tracked")
	cmd.Flags().StringVar(&title, "title", "", "its title and description")
	cmd.MarkFlagsOneRequired("cancel", "pause", "by")
	cmd.MarkFlagsMutuallyExclusive("cancel", "pause", "by")
	return cmd
}

// councilSend sends an act with its signatures.
func (a *app) councilSend(use, short string) *cobra.Command {
	var signatures []string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var c wire.Council
			if err := a.node().Read(cmd.Context(), "/governance/council", &c); err != nil {
				return err
			}
			in := &tx.CouncilAct{Nonce: c.Nonce}
			var err error
			if cmd.Name() == "pause" {
				in.Act = tx.ActPause
				in.Actor, err = parseAddress(args[0])
			} else {
				in.Proposal, err = proposalNumber(args[0])
			}
			if err != nil {
				return err
			}
			if in.Signatures, err = joinSignatures(signatures); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringArrayVar(&signatures, "signature", nil, "signature of a member, as `cowboy gov council sign` prints it; seven are needed")
	require(cmd, "signature")
	flags.register(cmd, instructionCycles, instructionCells)
	return cmd
}
