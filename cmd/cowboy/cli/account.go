package cli

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func (a *app) accountCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "account", Short: "Read accounts and ask the faucet"}
	cmd.AddCommand(
		a.accountRead("balance", "Print an account's balance", func(r wire.Account) string {
			return fmt.Sprintf("Balance: %s CBY\n", unit.Amount(r.Balance).CBY())
		}),
		a.accountRead("nonce", "Print an account's next nonce", func(r wire.Account) string {
			return fmt.Sprintf("Nonce: %d\n", r.Nonce)
		}),
		a.accountRead("info", "Print an account", func(r wire.Account) string {
			return fmt.Sprintf("Address: %s\nBalance: %s CBY\nNonce: %d\n", r.Address, unit.Amount(r.Balance).CBY(), r.Nonce)
		}),
		a.accountFaucet(),
	)
	return cmd
}

// addressFlag reads -a/--address, the wallet's own address when it is absent.
func (a *app) addressFlag(text string) (account.Address, error) {
	if text == "" {
		key, err := a.key("")
		if err != nil {
			return account.Address{}, err
		}
		return addressOf(key)
	}
	return parseAddress(text)
}

func (a *app) accountRead(name, short string, text func(wire.Account) string) *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			reply, err := a.node().Account(cmd.Context(), target.String())
			if err != nil {
				return err
			}
			return a.show(reply, "%s", text(reply))
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "account (default: the wallet)")
	return cmd
}

func (a *app) accountFaucet() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "faucet", SuggestFor: []string{"fund"}, Short: "Ask a development network for coins", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			target, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			reply, err := a.node().Faucet(cmd.Context(), target.String())
			if err != nil {
				return err
			}
			note := ""
			if reply.Finality == "pending" {
				note = "The coins come with the next block\n"
			}
			return a.show(reply, "Funded %s with %s CBY\nTransaction hash: %s\n"+note, target, unit.Amount(reply.Amount).CBY(), reply.TxHash)
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "account (default: the wallet)")
	return cmd
}
