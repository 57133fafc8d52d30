package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/runner"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// The limits of transactions about delegated stake, in cycles and cells: a claim of 32 tranches, and an undelegation of eight.
const (
	delegationCycles = 150_000
	delegationCells  = 4_000
)

// delegationCommands are those of `cowboy runner` about delegated stake. Spec: governance-staking C3.
func (a *app) delegationCommands() []*cobra.Command {
	return []*cobra.Command{a.runnerDelegate(), a.runnerIncrease(), a.runnerUndelegate(), a.runnerClaim(), a.runnerDelegations(), a.delegationConfig()}
}

func (a *app) runnerDelegate() *cobra.Command {
	var to, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "delegate", Short: "Delegate stake to a runner", Args: cobra.NoArgs,
		Long: "Delegate stake to a runner. It earns a part of what the runner earns, less the runner's commission, and is slashed with the\n" +
			"runner, 5 % in an epoch at most. It comes back 604,800 blocks after `cowboy runner undelegate`, with `cowboy runner claim`.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.RunnerDelegateStake{}
			var err error
			if in.Runner, err = parseAddress(to); err != nil {
				return err
			}
			if in.Amount, err = parseCBY(amount); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	delegationFlags(cmd, &to, &amount)
	flags.register(cmd, delegationCycles, delegationCells)
	return cmd
}

// delegationFlags are who is meant, and how much.
func delegationFlags(cmd *cobra.Command, to, amount *string) {
	cmd.Flags().StringVar(to, "runner", "", "the runner's address")
	cmd.Flags().StringVar(amount, "amount", "", "CBY")
	require(cmd, "runner", "amount")
}

func (a *app) runnerIncrease() *cobra.Command {
	var amount string
	var number uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "increase", Short: "Add to a tranche that you have delegated", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			more, err := parseCBY(amount)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.RunnerIncreaseDelegation{Tranche: number, Amount: more})
		},
	}
	cmd.Flags().Uint64Var(&number, "tranche", 0, "number of the tranche, as `cowboy runner delegations` prints it")
	cmd.Flags().StringVar(&amount, "amount", "", "CBY to add")
	require(cmd, "tranche", "amount")
	flags.register(cmd, delegationCycles, delegationCells)
	return cmd
}

func (a *app) runnerUndelegate() *cobra.Command {
	var from, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "undelegate", Short: "Take delegated stake back from a runner, the oldest tranches first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.RunnerUndelegateStake{}
			var err error
			if in.Runner, err = parseAddress(from); err != nil {
				return err
			}
			if in.Amount, err = parseCBY(amount); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	delegationFlags(cmd, &from, &amount)
	flags.register(cmd, delegationCycles, delegationCells)
	return cmd
}

func (a *app) runnerClaim() *cobra.Command {
	var numbers []uint
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "claim", Short: "Pay out tranches whose unbonding time is over", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.RunnerClaimUnbonded{}
			for _, n := range numbers {
				in.Tranches = append(in.Tranches, tx.TrancheID{ID: uint64(n)})
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().UintSliceVar(&numbers, "tranches", nil, "numbers of 1 to 32 tranches, ascending, with commas between")
	require(cmd, "tranches")
	flags.register(cmd, delegationCycles, delegationCells)
	return cmd
}

func (a *app) delegationConfig() *cobra.Command {
	var terms runner.DelegationTerms
	var most, least string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "delegation-config", Short: "Set the terms on which you, a runner, take delegated stake", Args: cobra.NoArgs,
		Long: "Set the terms on which you, a runner, take delegated stake. A changed commission holds from the next epoch on. Terms stay for 600 blocks at\n" +
			"least. Your own stake is a tenth of the effective stake at least.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var err error
			if terms.MaxDelegated, err = parseCBY(most); err != nil {
				return err
			}
			if terms.MinDelegation, err = parseCBY(least); err != nil {
				return err
			}
			if err := terms.Check(); err != nil {
				return usageError{err}
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.RunnerUpdateDelegationConfig{Config: terms})
		},
	}
	f := cmd.Flags()
	f.BoolVar(&terms.Accept, "accept", true, "take new stake")
	f.Uint32Var(&terms.CommissionBPS, "commission-bps", 1_000, "your part of what delegated stake earns, 500 to 10,000 basis points")
	f.StringVar(&most, "max", "0", "CBY of all delegators at most; 0 for any")
	f.StringVar(&least, "min", "1000", "CBY of one delegation at least")
	flags.register(cmd, delegationCycles, delegationCells)
	return cmd
}

func (a *app) runnerDelegations() *cobra.Command {
	var to, of string
	cmd := &cobra.Command{
		Use: "delegations", Short: "Print stake delegated to a runner, or by an account", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (to == "") == (of == "") {
				return usageError{fmt.Errorf("give --runner or --account")}
			}
			addr, err := parseAddress(to + of)
			if err != nil {
				return err
			}
			path, text := "/accounts/"+addr.String(), ""
			if to != "" {
				path = "/runners/" + addr.String()
				var s wire.DelegationStats
				if err := a.node().Read(cmd.Context(), path+"/delegation_stats", &s); err != nil {
					return err
				}
				text = statsText(s)
			}
			all := wire.Delegations{Delegations: []wire.Delegation{}}
			err = pages(cmd.Context(), a, path+"/delegations", func(page *wire.Delegations) string {
				all.Delegations = append(all.Delegations, page.Delegations...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			return a.show(all, "%s", text+delegationsText(all))
		},
	}
	cmd.Flags().StringVar(&to, "runner", "", "a runner's address")
	cmd.Flags().StringVar(&of, "account", "", "a delegator's address")
	return cmd
}

// statsText says in words what stands behind a runner.
func statsText(s wire.DelegationStats) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	if !s.DelegationsOpen {
		line("Delegation is off on this network")
	}
	if c := s.Config; c == nil || !c.AcceptDelegation {
		line("It takes no delegated stake")
	} else {
		line("Commission: %d basis points", c.CommissionBPS)
		if c.PendingCommissionBPS > 0 {
			line("From epoch %d on: %d basis points", c.PendingEffectiveEpoch, c.PendingCommissionBPS)
		}
		line("One delegation: %s at least", cby(c.MinDelegation))
		if c.MaxDelegatedStake > 0 {
			line("All delegations: %s at most", cby(c.MaxDelegatedStake))
		}
	}
	line("Own stake: %s", cby(s.SelfStake))
	line("Delegated: %s, of %d delegators", cby(s.TotalActive), s.DelegatorCount)
	line("Effective stake: %s", cby(s.EffectiveStake))
	return text.String()
}

func delegationsText(all wire.Delegations) string {
	var text strings.Builder
	for _, d := range all.Delegations {
		fmt.Fprintf(&text, "%d  %s  %s -> %s  %s", d.TrancheID, cby(d.Amount), d.Delegator, d.Runner, d.Status)
		if d.ClaimableAt > 0 {
			fmt.Fprintf(&text, " until block %d", d.ClaimableAt)
		}
		text.WriteByte('\n')
	}
	if len(all.Delegations) == 0 {
		text.WriteString("No stake is delegated.\n")
	}
	return text.String()
}
