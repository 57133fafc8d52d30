package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of the bank's transactions, in cycles and cells.
const (
	bankCycles = 60_000
	bankCells  = 6_000
)

// bankCommand is about banks and their cards. Every other instruction of the bank is sent by `cowboy tx`.
//
// Spec: gateway-payments-streams §G.2.
func (a *app) bankCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "bank", Short: "Issue and fund prepaid cards that pay an agent's fees",
		Long: "A card pays the fees of its agent's transactions, within the caps that its owner sets. The agent names the card as the payer of\n" +
			"its fees (--fee-payer); an actor's timers are paid by its default card. `cowboy tx` sends what has no command here.",
	}
	cmd.AddCommand(a.bankList(), a.bankCard(), a.bankCards(), a.bankIssue(), a.bankDeposit(), a.bankWithdraw(),
		a.onCard("close", "Close a card for good and take back what is on it", func(card, me account.Address) tx.Instruction {
			return &tx.CloseCard{Card: card, RefundTo: me}
		}),
		a.onCard("freeze", "Freeze a card of a bank that the wallet operates", func(card, _ account.Address) tx.Instruction { return &tx.Freeze{Card: card} }),
		a.onCard("unfreeze", "Undo a freeze", func(card, _ account.Address) tx.Instruction { return &tx.Unfreeze{Card: card} }),
	)
	return cmd
}

func (a *app) bankList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print the banks, and the tokens that cards may pay in", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Banks{Banks: []wire.Bank{}}
			err := pages(cmd.Context(), a, "/banks", func(page *wire.Banks) string {
				all.Banks, all.Tokens = append(all.Banks, page.Banks...), page.Tokens
				return behind(uint64(page.NextCursor))
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, b := range all.Banks {
				fmt.Fprintf(&text, "%d  %s  %s  operator %s\n", b.ID, b.Name, b.Status, b.Operator)
			}
			for _, t := range all.Tokens {
				fmt.Fprintf(&text, "token %s  %d units for %s\n", t.TokenID, t.Units, cby(t.Per))
			}
			return a.show(all, "%s", text.String())
		},
	}
}

func (a *app) bankCard() *cobra.Command {
	return &cobra.Command{
		Use: "card CARD", Short: "Print a card: its status, balance, caps, and what it has spent", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			var c wire.Card
			if err := a.node().Read(cmd.Context(), "/card/"+addr.String(), &c); err != nil {
				return err
			}
			return a.show(c, "%s", wire.CardText(c))
		},
	}
}

func (a *app) bankCards() *cobra.Command {
	var who string
	cmd := &cobra.Command{
		Use: "cards", Short: "Print the cards that an account owns, and those it is the agent of", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := a.addressFlag(who)
			if err != nil {
				return err
			}
			all := wire.Cards{Owned: []string{}, Held: []string{}}
			err = pages(cmd.Context(), a, "/account/"+addr.String()+"/cards", func(page *wire.Cards) string {
				all.Owned, all.Held, all.Default = append(all.Owned, page.Owned...), append(all.Held, page.Held...), page.Default
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, c := range all.Owned {
				fmt.Fprintf(&text, "Owns: %s\n", c)
			}
			for _, c := range all.Held {
				fmt.Fprintf(&text, "Agent of: %s\n", c)
			}
			if all.Default != nil {
				fmt.Fprintf(&text, "Default card: %s\n", *all.Default)
			}
			return a.show(all, "%s", text.String())
		},
	}
	cmd.Flags().StringVar(&who, "address", "", "the account; the wallet unless told")
	return cmd
}

func (a *app) bankIssue() *cobra.Command {
	var agent string
	caps := [bank.Tiers]string{}
	in := &tx.IssueCard{}
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "issue", Short: "Issue a card that pays in coins", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(agent)
			if err != nil {
				return err
			}
			in.Agent = addr
			for t, place := range [...]**unit.Uint128{&in.Policy.PerHourCap, &in.Policy.PerDayCap, &in.Policy.PerMonthCap} {
				if caps[t] == "" {
					continue
				}
				most, err := unit.ParseCBY(caps[t])
				if err != nil {
					return err
				}
				wide := unit.Wide(uint64(most))
				*place = &wide
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().Uint64Var(&in.BankID, "bank", 1, "the bank's number")
	cmd.Flags().StringVar(&agent, "agent", "", "whose fees the card pays")
	for t, name := range [...]string{"hour-cap", "day-cap", "month-cap"} {
		cmd.Flags().StringVar(&caps[t], name, "", "the most that the card spends in "+bank.Tier(t).String()+", in CBY; no cap unless told")
	}
	require(cmd, "agent")
	flags.register(cmd, bankCycles, bankCells)
	return cmd
}

func (a *app) bankDeposit() *cobra.Command {
	return a.bankMoney("deposit", "Put coins of the wallet on a card", func(card, _ account.Address, coins unit.Uint128) tx.Instruction {
		return &tx.Deposit{Card: card, Amount: coins}
	})
}

func (a *app) bankWithdraw() *cobra.Command {
	return a.bankMoney("withdraw", "Take coins off a card of the wallet's", func(card, me account.Address, coins unit.Uint128) tx.Instruction {
		return &tx.Withdraw{Card: card, To: me, Amount: coins}
	})
}

func (a *app) bankMoney(name, short string, make func(card, me account.Address, coins unit.Uint128) tx.Instruction) *cobra.Command {
	var amount string
	cmd := a.onCard(name, short, func(card, me account.Address) tx.Instruction {
		coins, err := unit.ParseCBY(amount)
		if err != nil {
			return nil
		}
		return make(card, me, unit.Wide(uint64(coins)))
	})
	cmd.Flags().StringVar(&amount, "amount", "", "how much, in CBY")
	require(cmd, "amount")
	return cmd
}

// onCard sends an instruction about a card.
func (a *app) onCard(name, short string, make func(card, me account.Address) tx.Instruction) *cobra.Command {
	var card string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			at, err := parseAddress(card)
			if err != nil {
				return err
			}
			me, err := a.addressFlag("")
			if err != nil {
				return err
			}
			in := make(at, me)
			if in == nil {
				return fmt.Errorf("--amount is a number of CBY with at most 9 decimals")
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&card, "card", "", "the card's address")
	require(cmd, "card")
	flags.register(cmd, bankCycles, bankCells)
	return cmd
}
