package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// The limits of a runner's transactions, in cycles and cells: a declaration may have 16 KiB, and is paid twice.
const (
	runnerCycles = 60_000
	runnerCells  = 40_000
)

// defaultStake is what `runner register` stakes where nobody says, in CBY. Spec: node-rpc-cli §4.1.
const defaultStake = "50000"

// runnerCommand is about registered runners. Spec: node-rpc-cli §4.1; runner-marketplace §3.
func (a *app) runnerCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "runner", Short: "Register as a runner of off-chain work, and list runners",
		Long: "A runner stakes coins and does work that actors ask for. It stakes 10,000 CBY at least, and one and a half times the largest job value it\n" +
			"declares. It is given work while it sends a heartbeat every 100 blocks.",
	}
	cmd.AddCommand(a.runnerRegister(), a.runnerAttest(), a.runnerCard(), a.runnerHeartbeat(),
		a.runnerSend("deregister", "Leave: the stake is paid out after 7,200 blocks, and when no job of yours can be challenged any more",
			func() tx.Instruction { return &tx.Deregister{} }),
		a.runnerGet(), a.runnerList(), a.runnerJobs(), a.runnerCommit(), a.runnerReveal())
	cmd.AddCommand(a.delegationCommands()...)
	return cmd
}

func (a *app) runnerSend(name, short string, in func() tx.Instruction) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sendAndShow(cmd.Context(), flags, in()) },
	}
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

// declaration is the file of `runner register --declaration`, in the form `runner get --json` prints.
type declaration struct {
	RateCard     wire.RateCard           `json:"rate_card"`
	Capabilities wire.RunnerCapabilities `json:"capabilities"`
	Endpoint     string                  `json:"endpoint"`
}

func readJSON(path string, v any) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

func (a *app) runnerRegister() *cobra.Command {
	var stake, file, endpoint, most string
	var types, domains []string
	var concurrent uint32
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register", Short: "Register as a runner, or declare yourself anew and add to the stake", Args: cobra.NoArgs,
		Long: "Register as a runner. What it offers is in flags, or in a file of JSON with rate_card, capabilities and endpoint in the form that\n" +
			"`cowboy runner get --json` prints. Who is registered replaces what it declared; --stake then is what is added, 0 for nothing.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var d declaration
			d.Capabilities = wire.RunnerCapabilities{JobTypes: types, HTTPDomains: domains, MaxConcurrentJobs: concurrent}
			d.Endpoint = endpoint
			value, err := parseCBY(most)
			if err != nil {
				return err
			}
			d.RateCard.MaxJobValue = uint64(value)
			if file != "" {
				d = declaration{}
				if err := readJSON(file, &d); err != nil {
					return err
				}
			}
			in := &tx.RunnerRegister{Endpoint: []byte(d.Endpoint)}
			if in.Stake, err = parseCBY(stake); err != nil {
				return err
			}
			if in.RateCard, err = d.RateCard.Card(); err != nil {
				return usageError{err}
			}
			if in.Capabilities, err = d.Capabilities.Read(); err != nil {
				return usageError{err}
			}
			raw, err := a.key(flags.key)
			if err != nil {
				return err
			}
			key, err := sig.ParsePrivateKey(raw[:])
			if err != nil {
				return err
			}
			in.PublicKey = key.Compressed()
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	f := cmd.Flags()
	f.StringVar(&stake, "stake", defaultStake, "CBY to stake, or to add to the stake")
	f.StringVar(&file, "declaration", "", "file of JSON with rate_card, capabilities and endpoint, instead of the flags below")
	f.StringSliceVar(&types, "job-types", []string{"http", "llm"}, "what it does: llm, http, mcp_SERVER_TOOL, custom_0xHASH, container")
	f.StringSliceVar(&domains, "http-domains", []string{"*"}, "what it fetches from; * is everything")
	f.Uint32Var(&concurrent, "max-concurrent-jobs", 1, "how many jobs it does at once")
	f.StringVar(&most, "max-job-value", "0", "CBY of the largest job it takes")
	f.StringVar(&endpoint, "endpoint", "", "where other runners reach it")
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

func (a *app) runnerCard() *cobra.Command {
	var file string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "rate-card", Short: "Change what you ask for your work, once in 3,600 blocks", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var c wire.RateCard
			if err := readJSON(file, &c); err != nil {
				return err
			}
			card, err := c.Card()
			if err != nil {
				return usageError{err}
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.UpdateRateCard{RateCard: card})
		},
	}
	cmd.Flags().StringVar(&file, "card", "", "file of JSON, in the form of rate_card in `cowboy runner get --json`")
	require(cmd, "card")
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

func (a *app) runnerHeartbeat() *cobra.Command {
	var pause bool
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "heartbeat", Short: "Say that you are there; needed every 100 blocks", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.sendAndShow(cmd.Context(), flags, &tx.Heartbeat{Accepting: !pause})
		},
	}
	cmd.Flags().BoolVar(&pause, "pause", false, "take no new jobs until the next heartbeat without this")
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

func (a *app) runnerGet() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "get", Short: "Print what a runner declares, and how it stands", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(address)
			if err != nil {
				return err
			}
			var r wire.Runner
			if err := a.node().Read(cmd.Context(), "/runner/"+addr.String(), &r); err != nil {
				return err
			}
			return a.show(r, "%s", runnerText(r))
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "the runner's address")
	require(cmd, "address")
	return cmd
}

func (a *app) runnerList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print the runners that get jobs now", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			var all wire.Runners
			err := pages(cmd.Context(), a, "/runners/active", func(page *wire.Runners) string {
				all.Runners = append(all.Runners, page.Runners...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, r := range all.Runners {
				types := strings.Join(r.Capabilities.JobTypes, " ")
				fmt.Fprintf(&text, "%s  %s  reputation %d  %s\n", r.Address, cby(r.Stake), r.Reputation, types)
			}
			if len(all.Runners) == 0 {
				text.WriteString("No runner is registered and awake.\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
}

// runnerText says in words how a runner stands.
func runnerText(r wire.Runner) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("Runner: %s", r.Address)
	line("Health: %s, heard of in block %d", r.Health, r.LastHeartbeat)
	switch {
	case r.Suspended:
		line("Suspended: its stake is below the floor; `cowboy runner register --stake` adds what is missing")
	case r.LeavesAt > 0:
		line("Leaving: its stake is paid out in block %d at the earliest", r.LeavesAt)
	}
	line("Stake: %s", cby(r.Stake))
	if r.Delegated > 0 {
		line("Delegated: %s", cby(r.Delegated))
	}
	line("Reputation: %d of 200", r.Reputation)
	if r.OnProbation {
		line("On probation: it gets one job at a time, of a tenth of its largest job value")
	}
	c := r.Capabilities
	line("Jobs: %s; %d of %d at once", strings.Join(c.JobTypes, " "), r.ActiveJobs, c.MaxConcurrentJobs)
	line("Job value: %s to %s", cby(r.RateCard.MinJobValue), cby(r.RateCard.MaxJobValue))
	if r.Attestation != nil {
		line("%s", attestationText(r.Attestation))
	}
	if b := r.Binding; b != nil {
		line("Trusted environments: %s, %s; to be renewed before block %d", b.TEEType, b.Status, b.ExpiresAt)
		line("  Measurements: %s", strings.Join(b.Measurements, " "))
		if len(b.Accelerators) > 0 {
			line("  Accelerators: %s", strings.Join(b.Accelerators, " "))
		}
		if b.Service != "" {
			line("  Service: %s (%s)", b.Service, b.Scheme)
		}
	} else if c.TEESupport != nil {
		line("Trusted environment: %s %s, as it declared", *c.TEESupport, r.Measurement)
	}
	if r.Endpoint != "" {
		line("Endpoint: %s", r.Endpoint)
	}
	return text.String()
}
