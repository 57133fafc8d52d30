package cli

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

func (a *app) governanceCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "gov", Short: "Make, vote on and execute proposals, and look at governance",
		Long: "A proposal has a temperature check, a vote of two houses, and a timelock; then anybody executes it. Validators vote, with their stake and\n" +
			"with one vote each. The deposit comes back unless the check fails or the proposal is withdrawn.",
	}
	one := func(name, short string, in func(id uint64) tx.Instruction) *cobra.Command {
		flags := &sendFlags{}
		c := &cobra.Command{Use: name + " NUMBER", Short: short, Args: cobra.ExactArgs(1), RunE: func(cmd *cobra.Command, args []string) error {
			id, err := proposalNumber(args[0])
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in(id))
		}}
		flags.register(c, instructionCycles, instructionCells)
		return c
	}
	a.nodeKey.register(cmd)
	cmd.AddCommand(a.govPropose(), a.govVote(),
		one("execute", "Apply a queued proposal whose timelock is over", func(id uint64) tx.Instruction { return &tx.ExecuteProposal{Proposal: id} }),
		one("withdraw", "End a proposal of your own; its deposit is burned", func(id uint64) tx.Instruction { return &tx.WithdrawProposal{Proposal: id} }),
		a.govShow(), a.govList(), a.govQueue(), a.govParameters(), a.govHistory(), a.govCouncil(),
		a.govPaused(), a.govUpload(), a.govUpgrade(), a.govRollback(), a.govCodes())
	return cmd
}

func proposalNumber(text string) (uint64, error) {
	id, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, usageError{fmt.Errorf("%q is no number of a proposal; `cowboy gov list` shows them", text)}
	}
	return id, nil
}

// motion are the flags that say what is proposed.
type motion struct {
	param, value, pay, amount, memo, end, extend, permanent, payload string
	award, bucket, revoke                                            string
	revocable                                                        bool
	set                                                              []string
	key                                                              string
	keyTier                                                          uint8
}

// kinds are the flags of which exactly one says what a proposal is about.
var kinds = []string{"set", "param", "pay", "award", "revoke-grant", "register", "end-pause", "extend-pause", "permanent-pause", "payload"}

func (m *motion) register(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&m.set, "set", nil, "NAME=VALUE of a parameter as `cowboy gov parameters` prints it; again for others of its group")
	flags.StringVar(&m.param, "param", "", "governance key of a parameter group that gets --value")
	flags.StringVar(&m.value, "value", "", "its canonical encoding, hexadecimal")
	flags.StringVar(&m.key, "register", "", "key of a parameter, system:gov:param:NAME, that proposals may set from then on")
	flags.Uint8Var(&m.keyTier, "register-tier", 0, "tier of the proposals that set it, 0 or 3")
	flags.StringVar(&m.pay, "pay", "", "address that the treasury pays --amount")
	flags.StringVar(&m.award, "award", "", "address that is granted --amount of --bucket, paid as the bucket's terms release it")
	flags.StringVar(&m.bucket, "bucket", "", "genesis bucket that an award is of")
	flags.BoolVar(&m.revocable, "revocable", false, "governance may take back of an award what is not released")
	flags.StringVar(&m.revoke, "revoke-grant", "", "number of a revocable grant that keeps what is released of it")
	flags.StringVar(&m.amount, "amount", "", "in CBY")
	flags.StringVar(&m.memo, "memo", "", "what it is paid for")
	flags.StringVar(&m.end, "end-pause", "", "system actor whose pause ends")
	flags.StringVar(&m.extend, "extend-pause", "", "system actor whose pause lasts longer")
	flags.StringVar(&m.permanent, "permanent-pause", "", "system actor that is paused for ever")
	flags.StringVar(&m.payload, "payload", "", "any payload, encoded, hexadecimal")
	cmd.MarkFlagsMutuallyExclusive(kinds...)
	cmd.MarkFlagsRequiredTogether("param", "value")
	cmd.MarkFlagsRequiredTogether("award", "bucket")
}

// read gives the payload, and the least tier where it is known.
func (m *motion) read() (payload []byte, tier uint64, err error) {
	circuit := func(text string, action govern.Action, tier uint64) ([]byte, uint64, error) {
		target, err := parseAddress(text)
		return govern.EncodePayload(&govern.Circuit{Target: target, Action: action}), tier, err
	}
	switch {
	case m.param != "":
		value, err := hex.DecodeString(trimmed(m.value))
		if err != nil {
			return nil, 0, usageError{errors.New("--value is hexadecimal")}
		}
		least, _ := params.TierOf(m.param)
		return govern.EncodePayload(&govern.ParamUpdate{Key: m.param, Value: value}), uint64(least), nil
	case m.key != "":
		return govern.EncodePayload(&govern.RegistryUpdate{Key: m.key, Tier: m.keyTier}), 1, nil
	case m.pay != "", m.award != "":
		to, err := parseAddress(m.pay + m.award) // one of them is empty
		if err != nil {
			return nil, 0, err
		}
		amount, err := parseCBY(m.amount)
		if m.pay != "" {
			return govern.EncodePayload(&govern.Disbursement{Recipient: to, Amount: amount, Memo: []byte(m.memo)}), 2, err
		}
		award := treasury.Award{Bucket: m.bucket, To: to, Amount: amount, Revocable: m.revocable}
		return govern.EncodePayload(&govern.GrantAward{Award: award}), 2, err
	case m.revoke != "":
		id, err := strconv.ParseUint(m.revoke, 10, 64)
		if err != nil {
			return nil, 0, usageError{fmt.Errorf("--revoke-grant %q is no number of a grant", m.revoke)}
		}
		return govern.EncodePayload(&govern.GrantRevoke{Grant: id}), 2, nil
	case m.end != "":
		return circuit(m.end, govern.End, 3)
	case m.extend != "":
		return circuit(m.extend, govern.RatifyExtend, 3)
	case m.permanent != "":
		return circuit(m.permanent, govern.Permanent, 4)
	}
	if payload, err = hex.DecodeString(trimmed(m.payload)); err == nil {
		_, err = govern.DecodePayload(payload)
	}
	if err != nil {
		return nil, 0, usageError{fmt.Errorf("--payload: %w", err)}
	}
	return payload, params.GovernanceTiers - 1, nil
}

func trimmed(text string) string { return strings.TrimPrefix(text, "0x") }

func (a *app) govPropose() *cobra.Command {
	var m motion
	var title string
	var tier uint64
	var signatures []string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "propose", Short: "Submit a proposal and pay its tier's deposit", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.settings(cmd.Context(), &m); err != nil {
				return err
			}
			payload, least, err := m.read()
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("tier") {
				tier = least
			}
			config, err := a.governanceConfig(cmd.Context())
			if err != nil {
				return err
			}
			if tier >= params.GovernanceTiers {
				return usageError{fmt.Errorf("--tier is 0 to %d", params.GovernanceTiers-1)}
			}
			joined, err := joinSignatures(signatures)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.SubmitProposal{
				Tier: tier, Title: digest.Keccak256([]byte(title)), Payload: payload, Deposit: config.Tiers[tier].Deposit, Signatures: joined,
			})
		},
	}
	m.register(cmd)
	cmd.MarkFlagsOneRequired(kinds...)
	cmd.Flags().StringVar(&title, "title", "", "title and description; their hash goes on chain")
	cmd.Flags().Uint64Var(&tier, "tier", 0, "tier (default: the least that the payload may have)")
	cmd.Flags().StringArrayVar(&signatures, "signature", nil, "signature of a member of the council, for a fast-track; seven are needed")
	require(cmd, "title")
	flags.register(cmd, instructionCycles, instructionCells)
	return cmd
}

// governanceConfig reads the parameters of governance from the chain.
func (a *app) governanceConfig(ctx context.Context) (params.GovernanceConfig, error) {
	p, err := a.group(ctx, params.KeyGovernance)
	return p.Governance, err
}

func joinSignatures(texts []string) (joined []byte, err error) {
	for _, text := range texts {
		raw, err := hex.DecodeString(trimmed(text))
		if err != nil || len(raw) != sig.SignatureSize {
			return nil, usageError{fmt.Errorf("--signature has %d bytes in hexadecimal, as `cowboy gov council sign` prints them", sig.SignatureSize)}
		}
		joined = append(joined, raw...)
	}
	return joined, nil
}

func (a *app) govVote() *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "vote NUMBER yes|no|abstain", Short: "Vote in the check or the vote of a proposal, or change the vote", Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := proposalNumber(args[0])
			if err != nil {
				return err
			}
			for _, c := range []govern.Choice{govern.Yes, govern.No, govern.Abstain} {
				if c.String() == args[1] {
					return a.sendAndShow(cmd.Context(), flags, &tx.CastVote{Proposal: id, Choice: uint64(c)})
				}
			}
			return usageError{fmt.Errorf("a vote is yes, no or abstain, not %q", args[1])}
		},
	}
	flags.register(cmd, instructionCycles, instructionCells)
	return cmd
}

func (a *app) govShow() *cobra.Command {
	return &cobra.Command{
		Use: "show NUMBER", Short: "Print a proposal with its votes and deadlines", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := proposalNumber(args[0])
			if err != nil {
				return err
			}
			var p wire.Proposal
			if err := a.node().Read(cmd.Context(), fmt.Sprintf("/governance/proposals/%d", id), &p); err != nil {
				return err
			}
			return a.show(p, "%s", proposalText(p))
		},
	}
}

func proposalText(p wire.Proposal) string {
	var b strings.Builder
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s "+format+"\n", append([]any{name}, args...)...)
	}
	line("Proposal:", "%d, tier %d", p.ID, p.Tier)
	line("Payload:", "%s", p.Kind)
	for _, name := range []string{
		"key", "value", "tier", "recipient", "amount", "memo", "target", "action", "members", "threshold", "code", "delay", "window", "migration", "cycles",
	} {
		if v, ok := p.Payload[name]; ok {
			line("  "+name+":", "%s", v)
		}
	}
	line("Status:", "%s", p.Status)
	if p.Reason != "" {
		line("Reason:", "%s", p.Reason)
	}
	line("Proposer:", "%s", p.Proposer)
	line("Deposit:", "%s CBY", unit.Amount(p.Deposit).CBY())
	line("Deadline:", "block %d", p.Deadline)
	for _, t := range []struct {
		name  string
		tally wire.Tally
	}{{"Check:", p.Check}, {"Vote:", p.Vote}} {
		c := t.tally
		if c.Stake == 0 {
			continue
		}
		stake := func(n uint64) string { return unit.Amount(n).CBY() }
		line(t.name, "%s yes, %s no, %s abstain of %s CBY", stake(c.Yes), stake(c.No), stake(c.Abstain), stake(c.Stake))
		line("", "%d yes, %d no, %d abstain of %d validators", c.ValidatorYes, c.ValidatorNo, c.ValidatorAbstain, c.Validators)
	}
	if p.ExecutableAt > 0 {
		line("Executable:", "blocks %d to %d", p.ExecutableAt, p.RetryUntil)
	}
	return b.String()
}

func (a *app) govList() *cobra.Command {
	var limit uint64
	cmd := &cobra.Command{
		Use: "list", Short: "Print the newest proposals", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.Proposals
			if err := a.node().Read(cmd.Context(), fmt.Sprintf("/governance/proposals?limit=%d", limit), &all); err != nil {
				return err
			}
			var b strings.Builder
			for _, p := range all.Proposals {
				fmt.Fprintf(&b, "%6d  tier %d  %-15s  %s\n", p.ID, p.Tier, p.Status, p.Kind)
			}
			return a.show(all, "%s", b.String())
		},
	}
	cmd.Flags().Uint64Var(&limit, "limit", 20, "how many")
	return cmd
}

func (a *app) govPaused() *cobra.Command {
	return &cobra.Command{
		Use: "paused", Short: "Print the system actors that are paused", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.Paused
			if err := a.node().Read(cmd.Context(), "/governance/paused", &all); err != nil {
				return err
			}
			var b strings.Builder
			for _, p := range all.Paused {
				until := "for ever"
				if p.Until > 0 {
					until = fmt.Sprintf("until block %d", p.Until)
				}
				fmt.Fprintf(&b, "%s  %s, proposal %d\n", p.Address, until, p.Proposal)
			}
			return a.show(all, "%s", b.String())
		},
	}
}
