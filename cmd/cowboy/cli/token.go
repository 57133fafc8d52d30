package cli

import (
	"context"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/token"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// tokenCommand has the commands about tokens. Amounts are in a token's smallest units, whatever its decimals.
//
// Spec: tokens §9; sdk §20.
func (a *app) tokenCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "token", Short: "Create, move and look at tokens",
		Long: "A token is an object of the protocol. Amounts are whole numbers of its smallest units; decimals change what people are shown and nothing\n" +
			"else. What is missing here, such as hooks and permits, `cowboy tx` sends by the instruction's name.",
	}
	cmd.AddCommand(
		a.tokenCreate(),
		a.tokenSend("transfer", "Send tokens to somebody", []string{"token-id", "to", "amount"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenTransfer{TokenID: f.id, To: f.to, Amount: f.amount}
		}),
		a.tokenSend("approve", "Let somebody spend so many of your tokens", []string{"token-id", "spender", "amount"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenApprove{TokenID: f.id, Spender: f.spender, Amount: f.amount}
		}),
		a.tokenSend("mint", "Make new tokens, as the mint authority", []string{"token-id", "to", "amount"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenMint{TokenID: f.id, To: f.to, Amount: f.amount}
		}),
		a.tokenSend("burn", "Destroy tokens of yours", []string{"token-id", "amount"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenBurn{TokenID: f.id, Amount: f.amount}
		}),
		a.tokenSend("freeze", "Freeze an account for a token, as the freeze authority", []string{"token-id", "address"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenFreeze{TokenID: f.id, Account: f.address}
		}),
		a.tokenSend("unfreeze", "Undo a freeze", []string{"token-id", "address"}, func(f *tokenFlags) tx.Instruction {
			return &tx.TokenUnfreeze{TokenID: f.id, Account: f.address}
		}),
		a.tokenInfo(), a.tokenBalance(), a.tokenList(),
	)
	return cmd
}

// The limits of a transaction about tokens, in cycles and cells: both phases of a hook fit. What is not used is refunded.
const (
	tokenCycles = 150_000
	tokenCells  = 150_000
)

// tokenFlags are what the commands about a token are told, read from their texts.
type tokenFlags struct {
	id                   token.ID
	to, spender, address account.Address
	amount               unit.Uint128
}

// takers read the text of a flag, by its name.
func (f *tokenFlags) take(name, text string) (err error) {
	switch name {
	case "token-id":
		f.id, err = parseToken(text)
	case "to":
		f.to, err = parseAddress(text)
	case "spender":
		f.spender, err = parseAddress(text)
	case "address":
		f.address, err = parseAddress(text)
	case "amount":
		f.amount, err = parseUnits(name, text)
	}
	return err
}

func parseToken(text string) (token.ID, error) {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) != len(token.ID{}) {
		return token.ID{}, usageError{fmt.Errorf("%q is not a token: want 64 hex digits, with or without 0x", text)}
	}
	return token.ID(raw), nil
}

func parseUnits(flag, text string) (unit.Uint128, error) {
	n, err := unit.ParseUint128(text)
	if err != nil {
		return n, usageError{fmt.Errorf("--%s %q is not a whole number of the token's smallest units", flag, text)}
	}
	return n, nil
}

var tokenFlagTexts = map[string]string{
	"token-id": "token, 64 hex digits", "to": "receiving address", "spender": "address that may spend", "address": "account",
	"amount": "how many, in the token's smallest units",
}

// tokenSend sends an instruction that some of the flags make up.
func (a *app) tokenSend(name, short string, takes []string, make func(f *tokenFlags) tx.Instruction) *cobra.Command {
	flags, texts := &sendFlags{}, map[string]*string{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			f := &tokenFlags{}
			for _, flag := range takes {
				if err := f.take(flag, *texts[flag]); err != nil {
					return err
				}
			}
			return a.sendAndShow(cmd.Context(), flags, make(f))
		},
	}
	for _, flag := range takes {
		texts[flag] = cmd.Flags().String(flag, "", tokenFlagTexts[flag])
	}
	require(cmd, takes...)
	flags.register(cmd, tokenCycles, tokenCells)
	return cmd
}

func (a *app) tokenCreate() *cobra.Command {
	var supply, most string
	flags, in := &sendFlags{}, &tx.TokenCreate{}
	var name, symbol string
	cmd := &cobra.Command{
		Use: "create", Short: "Create a token, own it and get its first supply", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			in.Name, in.Symbol = []byte(name), []byte(symbol)
			if in.InitialSupply, err = parseUnits("initial-supply", supply); err != nil {
				return err
			}
			if most != "" {
				limit, err := parseUnits("max-supply", most)
				if err != nil {
					return err
				}
				in.MaxSupply = &limit
			}
			result, err := a.send(cmd.Context(), flags, in)
			if err != nil {
				return err
			}
			creator, err := account.ParseAddress(result.Sender)
			if err != nil {
				return err
			}
			result.Token = token.IDOf(creator, in.Symbol, result.Nonce).String()
			return a.showSent(result, "Token ID: "+result.Token+"\n", "")
		},
	}
	f := cmd.Flags()
	f.StringVar(&name, "name", "", "name, at most 64 bytes")
	f.StringVar(&symbol, "symbol", "", "symbol, at most 16 bytes")
	f.StringVar(&supply, "initial-supply", "", "how many there are from the beginning, in smallest units")
	f.Uint64Var(&in.Decimals, "decimals", 0, "decimal places that people are shown, at most 18")
	f.StringVar(&most, "max-supply", "", "how many there may ever be (default: 10^30)")
	require(cmd, "name", "symbol", "initial-supply")
	flags.register(cmd, tokenCycles, tokenCells)
	return cmd
}

func (a *app) tokenInfo() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "info", Short: "Print a token", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, err := parseToken(id)
			if err != nil {
				return err
			}
			var t wire.Token
			if err := a.node().Read(cmd.Context(), "/token/"+key.String(), &t); err != nil {
				return err
			}
			return a.show(t, "%s", tokenText(t))
		},
	}
	cmd.Flags().StringVar(&id, "token-id", "", tokenFlagTexts["token-id"])
	require(cmd, "token-id")
	return cmd
}

func tokenText(t wire.Token) string {
	var b strings.Builder
	line := func(name string, value any) { fmt.Fprintf(&b, "%-17s %v\n", name+":", value) }
	either := func(name string, value *string, otherwise string) {
		if value != nil {
			otherwise = *value
		}
		line(name, otherwise)
	}
	line("Token ID", t.TokenID)
	line("Name", t.Name)
	line("Symbol", t.Symbol)
	line("Decimals", t.Decimals)
	line("Total supply", t.TotalSupply)
	either("Maximal supply", t.MaxSupply, "none of its own")
	line("Owner", t.Owner)
	line("Mint authority", t.MintAuthority)
	either("Freeze authority", t.FreezeAuthority, "nobody")
	either("Transfer hook", t.TransferHook, "none")
	either("Metadata", t.MetadataURI, "none")
	line("Created in block", t.CreatedAt)
	return b.String()
}

func (a *app) tokenBalance() *cobra.Command {
	var id, address string
	cmd := &cobra.Command{
		Use: "balance", Short: "Print what an account has of a token", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			key, err := parseToken(id)
			if err != nil {
				return err
			}
			who, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			var held wire.TokenBalance
			if err := a.node().Read(cmd.Context(), "/token/"+key.String()+"/balance/"+who.String(), &held); err != nil {
				return err
			}
			frozen := ""
			if held.Frozen {
				frozen = " (frozen)"
			}
			return a.show(held, "Balance: %s%s\n", held.Balance, frozen)
		},
	}
	cmd.Flags().StringVar(&id, "token-id", "", tokenFlagTexts["token-id"])
	cmd.Flags().StringVarP(&address, "address", "a", "", "account (default: the wallet)")
	require(cmd, "token-id")
	return cmd
}

// tokenList prints a JSON array with or without --json, since that is what clients read.
//
// Spec: tokens §9; node-rpc-cli §4.1.
func (a *app) tokenList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print all tokens as a JSON array", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			list, err := a.allTokens(cmd.Context())
			if err != nil {
				return err
			}
			return a.showJSON(list)
		},
	}
}

func (a *app) allTokens(ctx context.Context) ([]wire.Token, error) {
	all := []wire.Token{}
	err := pages(ctx, a, "/tokens?limit=1000", func(page *wire.Tokens) string {
		all = append(all, page.Tokens...)
		return page.NextCursor
	})
	return all, err
}
