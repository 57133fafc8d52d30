package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/payment"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Limits of calls to the PaymentGate.
const (
	paymentCycles = 300_000
	paymentCells  = 30_000
)

// paymentCommand is about what requests over HTTP cost, and paying for them.
//
// Spec: gateway-payments-streams §F.
func (a *app) paymentCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "payment", Short: "Set the prices of an actor's requests over HTTP, and pay for requests",
		Long: "An actor's policy says what its paths cost. A gateway answers 402 to a request that is not paid for; `cowboy payment sign` makes the header\n" +
			"that pays for it. Of every payment 5 % are the protocol's.",
	}
	count := func(use, short, method, name, price string) *cobra.Command {
		return a.paymentBuy(use, short, method, name, price)
	}
	cmd.AddCommand(a.paymentSet(), a.paymentPolicy(), a.paymentHolder(), a.paymentDeposit(), a.paymentWithdraw(),
		count("pass", "Buy credits, each of which pays for a request", "purchase_pass", "credits", "pass_config.price_per_credit"),
		count("epoch", "Subscribe for so many epochs more", "purchase_epoch", "epochs", "epoch_config.fee_per_epoch"), a.paymentSign())
	return cmd
}

// fromJSON gives JSON as CBOR has it: numbers are integers.
func fromJSON(v any) (any, error) {
	switch v := v.(type) {
	case json.Number:
		n, ok := new(big.Int).SetString(v.String(), 10)
		if !ok {
			return nil, fmt.Errorf("%s is no integer", v)
		}
		return n, nil
	case []any:
		for i := range v {
			one, err := fromJSON(v[i])
			if err != nil {
				return nil, err
			}
			v[i] = one
		}
	case map[string]any:
		m := cbor.Map{}
		for key, value := range v { // order-free: CBOR sorts the keys
			one, err := fromJSON(value)
			if err != nil {
				return nil, err
			}
			m = append(m, cbor.Pair{Key: key, Value: one})
		}
		return m, nil
	}
	return v, nil
}

func (a *app) paymentSet() *cobra.Command {
	var actor, file string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "set", Short: "Replace the policy of an actor of yours", Args: cobra.NoArgs,
		Long: "The file is JSON with the fields of a policy: price_table (a list of path_pattern, methods, model, amount, asset), default_mode,\n" +
			"budget_config, pass_config, epoch_config, treasury, enabled. Amounts are base units.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			d := json.NewDecoder(bytes.NewReader(data))
			d.UseNumber()
			var v any
			if err := d.Decode(&v); err != nil {
				return usageError{fmt.Errorf("%s: %w", file, err)}
			}
			plain, err := fromJSON(v)
			form, ok := plain.(cbor.Map)
			if err != nil || !ok {
				return usageError{fmt.Errorf("%s is no policy: %v", file, err)}
			}
			in, err := methodOf(account.PaymentGate, "set_policy", 0, append(form, cbor.Pair{Key: "actor", Value: addr[:]}))
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor")
	cmd.Flags().StringVar(&file, "policy", "", "file with the policy")
	require(cmd, "actor", "policy")
	flags.register(cmd, paymentCycles, paymentCells)
	return cmd
}

func (a *app) paymentPolicy() *cobra.Command {
	return &cobra.Command{
		Use: "policy ACTOR", Short: "Print what an actor's paths cost, and its budget", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			var v wire.PaymentPolicy
			if err := a.node().Read(cmd.Context(), "/actor/"+addr.String()+"/payments", &v); err != nil {
				return err
			}
			var text []string
			for _, x := range v.Prices {
				methods := "any method"
				if len(x.Methods) > 0 {
					methods = strings.Join(x.Methods, ",")
				}
				amount := x.Amount + " of " + x.Asset
				if n, err := unit.ParseUint128(x.Amount); err == nil && n.Hi == 0 && x.Asset == payment.AssetName {
					amount = unit.Amount(n.Lo).CBY() + " CBY"
				}
				text = append(text, fmt.Sprintf("%s  %s  %s  %s", x.Pattern, methods, amount, x.Model))
			}
			state := "on"
			if !v.Enabled {
				state = "off"
			}
			return a.show(v, "Policy: %s\n%sTreasury: %s\nBudget: %s, %s spent today\n", state, textLines(text, "Nothing has a price."), v.Treasury,
				cby(v.Balance), cby(v.SpentToday))
		},
	}
}

func (a *app) paymentHolder() *cobra.Command {
	return &cobra.Command{
		Use: "holder ACTOR ADDRESS", Short: "Print what an account has of an actor's passes and epochs", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			actor, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			who, err := parseAddress(args[1])
			if err != nil {
				return err
			}
			var v wire.PaymentHolder
			if err := a.node().Read(cmd.Context(), "/actor/"+actor.String()+"/payments/"+who.String(), &v); err != nil {
				return err
			}
			return a.show(v, "Pass: %s\nCredits: %d until block %d\nSubscribed until block: %d\n", v.PassID, v.Credits, v.ExpiresAt, v.ActiveUntil)
		},
	}
}

// paymentBuy is the purchase of a number of things, whose price the policy has.
func (a *app) paymentBuy(use, short, method, name, price string) *cobra.Command {
	var actor string
	var n uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs, Long: short + ". What the policy's " + price + " makes of the number is sent along.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			var v wire.PaymentPolicy
			if err := a.node().Read(cmd.Context(), "/actor/"+addr.String()+"/payments", &v); err != nil {
				return err
			}
			text := ""
			switch {
			case name == "credits" && v.Pass != nil:
				text = v.Pass.Credit
			case name == "epochs" && v.Epoch != nil:
				text = v.Epoch.Fee
			default:
				return usageError{fmt.Errorf("the actor sells no %s", name)}
			}
			one, err := unit.ParseUint128(text)
			if err != nil {
				return err
			}
			coins, err := unit.Amount(one.Lo).Mul(n)
			if err != nil {
				return err
			}
			in, err := methodOf(account.PaymentGate, method, coins, cbor.Map{{Key: "actor", Value: addr[:]}, {Key: name, Value: n}})
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor")
	cmd.Flags().Uint64Var(&n, name, 1, "how many")
	require(cmd, "actor")
	flags.register(cmd, paymentCycles, paymentCells)
	return cmd
}

func (a *app) paymentDeposit() *cobra.Command {
	return a.paymentBudget("deposit", "Put coins into an actor's budget, which pays for its clients", func(addr account.Address, coins unit.Amount) (
		string, unit.Amount, cbor.Map) {
		return "deposit_budget", coins, cbor.Map{{Key: "actor", Value: addr[:]}}
	})
}

func (a *app) paymentWithdraw() *cobra.Command {
	return a.paymentBudget("withdraw", "Take coins out of the budget of an actor of yours", func(addr account.Address, coins unit.Amount) (
		string, unit.Amount, cbor.Map) {
		return "withdraw_budget", 0, cbor.Map{{Key: "actor", Value: addr[:]}, {Key: "amount", Value: uint64(coins)}}
	})
}

func (a *app) paymentBudget(use, short string, of func(account.Address, unit.Amount) (string, unit.Amount, cbor.Map)) *cobra.Command {
	var actor, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			coins, err := parseCBY(amount)
			if err != nil {
				return err
			}
			method, value, args := of(addr, coins)
			in, err := methodOf(account.PaymentGate, method, value, args)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor")
	cmd.Flags().StringVar(&amount, "amount", "", "CBY")
	require(cmd, "actor", "amount")
	flags.register(cmd, paymentCycles, paymentCells)
	return cmd
}
