package cli

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/founding"
)

// votePasswordEnv holds the password of a node's keys where no file with it is named.
const votePasswordEnv = "COWBOY_VOTE_PASSWORD"

// nodeKey is the key of a node's own account, which sends in the wallet's place where it is given.
type nodeKey struct{ file, password string }

// register gives a command and those below it the flags.
func (k *nodeKey) register(cmd *cobra.Command) {
	flags := cmd.PersistentFlags()
	flags.StringVar(&k.file, "account-key", "", "file of the node's account key (default: the wallet)")
	flags.StringVar(&k.password, "password-file", "", "file with the password of the node's keys (default: "+votePasswordEnv+")")
}

// senderKey is the key that signs: the node's if it is given, else that of a file, or of the wallet where the file is "".
func (a *app) senderKey(file string) (key wallet.Key, err error) {
	if a.nodeKey.file == "" {
		return a.key(file)
	}
	secret, err := openKeyFile(a.nodeKey.file, a.nodeKey.password)
	if err == nil && copy(key[:], secret) != len(secret) {
		err = fmt.Errorf("%s: not the key of an account", a.nodeKey.file)
	}
	return key, err
}

func (a *app) validatorCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "validator", Short: "Register as a validator, change the stake, leave, and list validators",
		Long: "A validator is an account with stake and a voting key. What is asked for here takes effect at the next epoch whose list was not closed\n" +
			"yet; `cowboy validator list` tells when that is. The sender is the node's own account, --account-key, or else the wallet. A node posts\n" +
			"dealer logs from its own account, which needs some coins for that. Another account may own the stake, with its key on another machine:\n" +
			"`cowboyd keys proof` there, --vote-proof, --unsigned and --sender here, `cowboy tx sign` where the key is.",
	}
	a.nodeKey.register(cmd)
	cmd.AddCommand(a.validatorRegister(), a.validatorStake(), a.validatorExit(),
		a.validatorSend("withdraw", "Take out the stake that has finished unbonding", func() tx.Instruction { return &tx.ValidatorWithdraw{} }),
		a.validatorSend("unjail", "Come back once the jail period is over", func() tx.Instruction { return &tx.ValidatorUnjail{} }),
		a.validatorList(), a.validatorShow())
	return cmd
}

// The limits of the validator's transactions, in cycles and cells: an exit may have to pay the members of a large set.
const (
	validatorCycles = 500_000
	validatorCells  = 10_000
)

// validatorSend sends an instruction that has nothing to say.
func (a *app) validatorSend(name, short string, in func() tx.Instruction) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sendAndShow(cmd.Context(), flags, in()) },
	}
	flags.register(cmd, validatorCycles, validatorCells)
	return cmd
}

func (a *app) validatorRegister() *cobra.Command {
	var amount, file, proof string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register", Short: "Become a validator with a stake and a voting key", Args: cobra.NoArgs,
		Long: "The voting key is a file of `cowboyd keys`. Its password comes from --password-file, or from " + votePasswordEnv + ".\n" +
			"The node that runs with this key begins to vote when an epoch begins whose key ceremony it took part in.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			stake, err := parseCBY(amount)
			if err != nil {
				return err
			}
			var key *bls.PrivateKey
			if file != "" {
				secret, err := openKeyFile(file, a.nodeKey.password)
				if err == nil {
					key, err = bls.ParsePrivateKey(secret)
				}
				if err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			var health wire.Health
			if err := a.node().Read(cmd.Context(), "/health/detailed", &health); err != nil {
				return err
			}
			in := &tx.ValidatorRegister{Stake: stake}
			if key != nil {
				in.Key, in.Possession = key.PublicKey().Bytes(), key.ProvePossession(sig.NewNamespace(health.ChainID))
				return a.sendAndShow(cmd.Context(), flags, in)
			}
			data, err := readFile(proof)
			if err != nil {
				return err
			}
			if in.Key, in.Possession, err = founding.ParseProof(data, health.ChainID); err != nil {
				return fmt.Errorf("%s: %w", proof, err)
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&amount, "stake", "", "stake in CBY")
	cmd.Flags().StringVar(&file, "vote-key", "", "file of the voting key")
	cmd.Flags().StringVar(&proof, "vote-proof", "", "file that `cowboyd keys proof` wrote, where the voting key is elsewhere")
	require(cmd, "stake")
	cmd.MarkFlagsOneRequired("vote-key", "vote-proof")
	cmd.MarkFlagsMutuallyExclusive("vote-key", "vote-proof")
	flags.register(cmd, validatorCycles, validatorCells)
	return cmd
}

// openKeyFile opens a key file with a password that never stands on a command line.
func openKeyFile(file, passwordFile string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	parsed, err := keyfile.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	password, given := os.LookupEnv(votePasswordEnv)
	if passwordFile != "" {
		text, err := os.ReadFile(passwordFile)
		if err != nil {
			return nil, err
		}
		password, given = strings.TrimRight(string(text), "\r\n"), true
	}
	if !given {
		return nil, usageError{fmt.Errorf("%s has a password\n  give it with --password-file or %s", file, votePasswordEnv)}
	}
	secret, err := parsed.Open(password)
	if errors.Is(err, keyfile.ErrPassword) {
		return nil, fmt.Errorf("%s: wrong password\n  it is the one that was given to `cowboyd init` or `cowboyd keys`", file)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return secret, nil
}

func (a *app) validatorStake() *cobra.Command {
	var amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "stake", Short: "Add to the stake", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			value, err := parseCBY(amount)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.ValidatorAddStake{Amount: value})
		},
	}
	cmd.Flags().StringVar(&amount, "amount", "", "amount in CBY")
	require(cmd, "amount")
	flags.register(cmd, validatorCycles, validatorCells)
	return cmd
}

func (a *app) validatorExit() *cobra.Command {
	var amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "exit", Short: "Leave at the next boundary, or take a part of the stake out; then 7 days of unbonding", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in := &tx.ValidatorExit{}
			if amount != "" {
				value, err := parseCBY(amount)
				if err != nil {
					return err
				}
				in.Amount = (*uint64)(&value)
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&amount, "amount", "", "only so much, in CBY (default: everything)")
	flags.register(cmd, validatorCycles, validatorCells)
	return cmd
}

func (a *app) validatorShow() *cobra.Command {
	var key string
	cmd := &cobra.Command{
		Use: "show", Short: "Print a validator", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if key == "" {
				own, err := a.addressFlag("")
				if err != nil {
					return err
				}
				key = own.String()
			}
			var v wire.Validator
			if err := a.node().Read(cmd.Context(), "/validators/"+key, &v); err != nil {
				return err
			}
			return a.show(v, "%s", validatorText(v))
		},
	}
	cmd.Flags().StringVar(&key, "key", "", "address or voting key (default: the wallet's address)")
	return cmd
}

func validatorText(v wire.Validator) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-10s "+format+"\n", append([]any{name}, args...)...)
	}
	line("Address:", "%s", v.Address)
	line("Key:", "%s", v.PublicKey)
	line("Status:", "%s", v.Status)
	line("Stake:", "%s CBY", unit.Amount(v.Stake).CBY())
	if v.Joining > 0 {
		line("Joining:", "%s CBY at the next boundary", unit.Amount(v.Joining).CBY())
	}
	if v.Leaving > 0 {
		line("Leaving:", "%s CBY at the next boundary", unit.Amount(v.Leaving).CBY())
	}
	if v.Rank != nil {
		line("Rank:", "%d", *v.Rank)
	}
	if v.JailedUntil > 0 {
		line("Jailed:", "until block %d, %d times so far", v.JailedUntil, v.Jailings)
	}
	for _, bps := range v.SlashesBPS {
		line("Slash:", "%d.%02d %% at the end of the epoch", bps/100, bps%100)
	}
	for _, r := range v.Releases {
		line("Unbonding:", "%s CBY, withdrawable from block %d on", unit.Amount(r.Amount).CBY(), r.Height)
	}
	return b.String()
}

func (a *app) validatorList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print the validators and the epoch", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.Validators
			err := pages(cmd.Context(), a, "/validators", func(page *wire.Validators) string {
				page.Validators = append(all.Validators, page.Validators...)
				all = *page
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			return a.show(all, "%s", validatorsText(all))
		},
	}
}

// partText is how a validator votes, in a few words.
func partText(p *wire.Participation) string {
	if p == nil {
		return ""
	}
	var list []string
	if p.Counted+p.Recent > 0 {
		list = append(list, fmt.Sprintf("missed %d of %d votes, %d of the last %d", p.Missed, p.Counted, p.Lately, p.Recent))
	}
	switch {
	case p.Self:
		list = append(list, "the node that was asked")
	case p.Connected != nil && !*p.Connected:
		list = append(list, "not connected to the node that was asked")
	}
	if p.Leads {
		list = append(list, "leads")
	}
	if len(list) == 0 {
		return ""
	}
	return "  " + strings.Join(list, "; ")
}

func validatorsText(all wire.Validators) string {
	var b strings.Builder
	e := all.Epoch
	fmt.Fprintf(&b, "Epoch %d, blocks %d to %d; the list for the next closes at block %d; now %d\n", e.Number, e.First, e.Last, e.Midpoint, all.Height)
	if c := e.Ceremony; c != nil {
		fmt.Fprintf(&b, "Key ceremony for epoch %d: %d of %d dealer logs on chain, %d needed, %d players\n", c.Epoch, c.Logs, c.Dealers, c.Required, c.Players)
	}
	for _, v := range all.Validators {
		rank := "-"
		if v.Rank != nil {
			rank = fmt.Sprint(*v.Rank)
		}
		next := ""
		if v.Listed {
			next = "  next"
		}
		fmt.Fprintf(&b, "%4s  %s  %-9s %16s CBY%s%s\n", rank, v.Address, v.Status, unit.Amount(v.Stake).CBY(), next, partText(v.Part))
	}
	return b.String()
}
