package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/paid"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of transactions about sessions, in cycles and cells.
const (
	sessionCycles = 60_000
	sessionCells  = 1_000
)

// sessionCommand opens sessions of payment, signs and settles vouchers, and ends them.
//
// Spec: gateway-payments-streams §D.
func (a *app) sessionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "session", Short: "Open a session with a runner and pay it by vouchers",
		Long: "A session holds coins for one runner. Each voucher says how much of them the runner may take in all, and only the newest has to reach\n" +
			"the chain. Of what a runner settles a tenth is burned and a hundredth is the treasury's.",
	}
	cmd.AddCommand(
		a.sessionTerms(), a.sessionOpen(), a.sessionDeposit(), a.sessionAsk(), a.sessionVoucher(), a.sessionSettle(),
		a.sessionEnd("close", "Begin to end a session of yours: 75 blocks later anybody can finalize it", func(id digest.Hash) tx.Instruction {
			return &tx.SessionClose{SessionID: id}
		}),
		a.sessionEnd("finalize", "End a session that closed 75 blocks ago, or has expired: what was not spent goes back", func(id digest.Hash) tx.Instruction {
			return &tx.SessionFinalize{SessionID: id}
		}),
		a.sessionShow(),
	)
	return cmd
}

func (a *app) sessionOpen() *cobra.Command {
	var to, most, deposit, prices string
	var blocks uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "open", Short: "Put coins aside for a runner", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.SessionOpen{}
			var err error
			if in.Runner, err = parseAddress(to); err != nil {
				return err
			}
			if in.Deposit, err = parseCBY(deposit); err != nil {
				return err
			}
			in.MaxAmount = unit.Wide(uint64(in.Deposit))
			if most != "" {
				limit, err := parseCBY(most)
				if err != nil {
					return err
				}
				in.MaxAmount = unit.Wide(uint64(limit))
			}
			if prices != "" {
				if in.PriceAdvertDigest, err = parseHash(prices); err != nil {
					return err
				}
			}
			var h wire.Height
			if err := a.node().Read(cmd.Context(), "/height", &h); err != nil {
				return err
			}
			in.ExpiresAt = h.Height + blocks
			result, err := a.send(cmd.Context(), flags, in)
			if err != nil {
				return err
			}
			after := ""
			if r := result.Receipt; r != nil && r.Success {
				after = "Session: 0x" + r.ReturnData + "\n"
			}
			return a.showSent(result, "", after)
		},
	}
	f := cmd.Flags()
	f.StringVar(&to, "runner", "", "the runner's address")
	f.StringVar(&deposit, "deposit", "", "CBY put aside now")
	f.StringVar(&most, "max", "", "CBY that deposits may come to, the first one unless told")
	f.Uint64Var(&blocks, "blocks", 86_400, "blocks from now on until anybody can end it")
	f.StringVar(&prices, "price-advert", "", "hash of the prices you agreed on")
	require(cmd, "runner", "deposit")
	flags.register(cmd, sessionCycles, sessionCells)
	return cmd
}

func (a *app) sessionDeposit() *cobra.Command {
	var id, amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "deposit", Short: "Put more coins into a session of yours", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.SessionDeposit{}
			var err error
			if in.SessionID, err = parseHash(id); err != nil {
				return err
			}
			if in.Amount, err = parseCBY(amount); err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	sessionFlag(cmd, &id)
	cmd.Flags().StringVar(&amount, "amount", "", "CBY to add")
	require(cmd, "amount")
	flags.register(cmd, sessionCycles, sessionCells)
	return cmd
}

func sessionFlag(cmd *cobra.Command, id *string) {
	cmd.Flags().StringVar(id, "session", "", "the session's identity, as `cowboy session open --wait` prints it")
	require(cmd, "session")
}

func (a *app) sessionVoucher() *cobra.Command {
	var id, more, usage, key, out string
	var blocks uint64
	cmd := &cobra.Command{
		Use: "voucher", Short: "Sign the next voucher of a session of yours", Args: cobra.NoArgs,
		Long: "Sign the next voucher of a session of yours, above what was settled. It is for the runner, who settles it with `cowboy session settle`. With\n" +
			"--after FILE it follows a voucher that was not settled yet.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, r, health, err := a.running(cmd, id, key)
			if err != nil {
				return err
			}
			if after, _ := cmd.Flags().GetString("after"); after != "" {
				v, signature, err := readVoucher(after)
				if err != nil {
					return err
				}
				if err := r.Accept(*v, signature, 0, unit.Height(health.BlockHeight)); err != nil {
					return usageError{fmt.Errorf("%s: %w", after, err)}
				}
			}
			amount, err := parseCBY(more)
			if err != nil {
				return err
			}
			var digestOf digest.Hash
			if usage != "" {
				if digestOf, err = parseHash(usage); err != nil {
					return err
				}
			}
			v, signature, err := r.Raise(s, amount, unit.Height(health.BlockHeight+blocks), digestOf)
			if err != nil {
				return usageError{err}
			}
			written := paid.Sign(v, signature)
			if out == "" {
				return a.showJSON(written)
			}
			data, err := json.MarshalIndent(written, "", "  ")
			if err == nil {
				err = os.WriteFile(out, append(data, '\n'), 0o644)
			}
			if err != nil {
				return err
			}
			return a.show(written, "Voucher %d of %s CBY in all, until block %d: %s\n", v.Nonce, unit.Amount(v.Cumulative.Lo).CBY(), v.Expires, out)
		},
	}
	sessionFlag(cmd, &id)
	f := cmd.Flags()
	f.StringVar(&more, "amount", "", "CBY above what was settled, or above --after")
	f.String("after", "", "file with the voucher before it")
	f.Uint64Var(&blocks, "blocks", 3_600, "blocks from now on that it can be settled in")
	f.StringVar(&usage, "usage", "", "hash of what was used")
	f.StringVar(&key, "key", "", "file of the payer's key")
	f.StringVar(&out, "out", "", "file to write it to")
	require(cmd, "amount")
	return cmd
}

// running is a session as its payer signs for it.
func (a *app) running(cmd *cobra.Command, id, path string) (*sig.PrivateKey, *voucher.Running, wire.Health, error) {
	var health wire.Health
	var v wire.Session
	hash, err := parseHash(id)
	if err != nil {
		return nil, nil, health, err
	}
	raw, err := a.key(path)
	if err != nil {
		return nil, nil, health, err
	}
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, nil, health, err
	}
	if err := a.node().Read(cmd.Context(), "/health/detailed", &health); err != nil {
		return nil, nil, health, err
	}
	if err := a.node().Read(cmd.Context(), "/session/"+wire.Hash(hash), &v); err != nil {
		return nil, nil, health, err
	}
	if v.Payer != key.Address().String() {
		return nil, nil, health, usageError{fmt.Errorf("the session's payer is %s, not %s", v.Payer, key.Address())}
	}
	return key, &voucher.Running{
		ChainID: health.ChainID, Session: hash, Payer: key.Address(),
		Paid: voucher.Paid{Nonce: v.LastVoucherNonce, Spent: unit.Amount(v.Spent), Deposit: unit.Amount(v.Deposit)},
	}, health, nil
}

// readVoucher reads a voucher from a file.
func readVoucher(path string) (*voucher.Voucher, sig.Signature, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, sig.Signature{}, err
	}
	var w paid.Signed
	if err := json.Unmarshal(data, &w); err != nil {
		return nil, sig.Signature{}, usageError{fmt.Errorf("%s is not a voucher: %w", path, err)}
	}
	v, signature, err := w.Voucher()
	if err != nil {
		return nil, signature, usageError{fmt.Errorf("%s: %w", path, err)}
	}
	return &v, signature, nil
}

func (a *app) sessionSettle() *cobra.Command {
	var path string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "settle", Short: "Be paid, as the runner, what a voucher is above the last one", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v, signature, err := readVoucher(path)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.SessionSettle{
				SessionID: v.Session, CumulativeAmount: v.Cumulative, Nonce: v.Nonce, ExpiresAt: uint64(v.Expires), UsageDigest: v.Usage, Signature: signature,
			})
		},
	}
	cmd.Flags().StringVar(&path, "voucher", "", "file with the voucher")
	require(cmd, "voucher")
	flags.register(cmd, sessionCycles, sessionCells)
	return cmd
}

// sessionEnd is a command that names a session and nothing else.
func (a *app) sessionEnd(name, short string, make func(id digest.Hash) tx.Instruction) *cobra.Command {
	var id string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := parseHash(id)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, make(hash))
		},
	}
	sessionFlag(cmd, &id)
	flags.register(cmd, sessionCycles, sessionCells)
	return cmd
}

func (a *app) sessionShow() *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: "show", Short: "Print a session", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			hash, err := parseHash(id)
			if err != nil {
				return err
			}
			var s wire.Session
			if err := a.node().Read(cmd.Context(), "/session/"+wire.Hash(hash), &s); err != nil {
				return err
			}
			return a.show(s, "%s", sessionText(s))
		},
	}
	sessionFlag(cmd, &id)
	return cmd
}

func sessionText(s wire.Session) string {
	text := fmt.Sprintf("Status: %s\nPayer: %s\nRunner: %s\nDeposit: %s CBY\nSpent: %s CBY, by voucher %d\nExpires: block %d\n",
		s.Status, s.Payer, s.Runner, unit.Amount(s.Deposit).CBY(), unit.Amount(s.Spent).CBY(), s.LastVoucherNonce, s.ExpiresAt)
	if s.Status == session.Closing.String() {
		text += fmt.Sprintf("Closed: block %d; anybody can finalize it from block %d on\n", s.ClosedAt, s.FinalFrom)
	}
	return text
}
