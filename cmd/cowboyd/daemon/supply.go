package daemon

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/founding"
)

// validatorBalance is what the account of a genesis validator begins with beside its stake, in CBY, unless the dealer says otherwise.
const validatorBalance = "1000"

// supply is what a dealer says about a genesis.
type supply struct {
	accounts    []string
	rest        string
	faucet      bool
	balance     string
	epochBlocks uint64
}

// flags adds them to a command; when says when they matter.
func (p *supply) flags(c *cobra.Command, when string) {
	flags := c.Flags()
	flags.StringArrayVar(&p.accounts, "account", nil, when+"first balance of an account, ADDRESS=CBY; may be repeated")
	flags.StringVar(&p.rest, "rest", "", when+"address that gets the rest of the supply")
	flags.BoolVar(&p.faucet, "faucet", false, when+"give the rest to the faucet whose key everybody knows: local and development networks only")
	flags.StringVar(&p.balance, "validator-balance", validatorBalance, when+"first balance of each validator's account beside its stake, in CBY")
	flags.Uint64Var(&p.epochBlocks, "epoch-blocks", 0, when+"blocks of an epoch, for networks that are tried out (default 3600)")
}

// terms are what the dealer's flags say.
func (s *settings) terms(p *supply) (founding.Terms, error) {
	t := founding.Terms{ChainID: s.chainID, TimestampMs: uint64(time.Now().UnixMilli()), Faucet: p.faucet, EpochBlocks: p.epochBlocks}
	var err error
	if t.Balance, err = unit.ParseCBY(p.balance); err != nil {
		return t, fmt.Errorf("--validator-balance: %w", err)
	}
	if p.epochBlocks != 0 {
		if _, err := params.NewCalendar(p.epochBlocks); err != nil {
			return t, fmt.Errorf("--epoch-blocks is %d to %d", params.MinEpochBlocks, params.MaxEpochBlocks)
		}
	}
	for _, text := range p.accounts {
		address, amount, _ := strings.Cut(text, "=")
		a, err := account.ReadAddress(address)
		if err != nil {
			return t, fmt.Errorf("--account %s: want ADDRESS=CBY: %w", text, err)
		}
		balance, err := unit.ParseCBY(amount)
		if err != nil {
			return t, fmt.Errorf("--account %s: want ADDRESS=CBY: %w", text, err)
		}
		t.Accounts = append(t.Accounts, genesis.Allocation{Address: a, Balance: balance})
	}
	switch {
	case p.faucet && p.rest != "":
		return t, errors.New("--faucet and --rest both name who gets the rest")
	case p.faucet && !s.developing():
		return t, fmt.Errorf("--faucet is for chains %d and %d: everybody knows its key", wire.ChainLocal, wire.ChainDev)
	case p.faucet:
		t.Rest = genesis.DevFaucet().Address()
	case p.rest == "":
		return t, errors.New("--rest ADDRESS says who gets the rest of the supply")
	default:
		a, err := account.ReadAddress(p.rest)
		if err != nil {
			return t, fmt.Errorf("--rest: %w", err)
		}
		t.Rest = a
	}
	return t, nil
}
