package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/verify"
)

// The limits of a reveal: those of the longest output.
const (
	revealCycles = 100_000 + verify.MaxOutputBytes*uint64(params.CostJudgedByte)
	revealCells  = 2*verify.MaxOutputBytes + 1_000
)

// jobResults prints what runners revealed. Spec: node-rpc-cli §4.1.
func (a *app) jobResults() *cobra.Command {
	return jobRead(a, "results", "Print what the runners of a job revealed", "/results", func(v *wire.JobResults) string {
		var text strings.Builder
		for _, r := range v.Results {
			fmt.Fprintf(&text, "%s  in block %d  %s  %d bytes\n", r.Runner, r.RevealedAt, r.Output.Outcome, len(r.Output.Data))
		}
		if len(v.Results) == 0 {
			text.WriteString("Nobody has revealed.\n")
		}
		return text.String()
	})
}

// jobVerified prints the verified result. Spec: node-rpc-cli §4.1.
func (a *app) jobVerified() *cobra.Command {
	return jobRead(a, "verified", "Print the verified result of a job", "/verified", func(v *wire.JobVerified) string {
		shown := v.Text
		if shown == "" {
			shown = v.Data
		}
		return fmt.Sprintf("Outcome: %s, %d of %d agree (%s), in block %d\nPrice: %s\nResult: %s\n",
			v.Outcome, v.Count, v.Total, v.Mode, v.VerifiedAt, cby(v.Price), shown)
	})
}

// worked is what a runner found, signed with its key: the job's identity and the reveal.
func (a *app) worked(id, file string) (job digest.Hash, r verify.Reveal, err error) {
	if job, err = parseHash(id); err != nil {
		return job, r, err
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return job, r, err
	}
	var o verify.Output
	if err := json.Unmarshal(data, &o); err != nil {
		return job, r, fmt.Errorf("%s: %w", file, err)
	}
	var key *sig.PrivateKey
	if key, err = a.signingKey(""); err != nil {
		return job, r, err
	}
	return job, verify.Sign(key, job, o.Append(nil)), nil
}

// runnerResult is a command that says something of a result in a file. Spec: runner-marketplace §3 (7, 9), §5.
func (a *app) runnerResult(name, short string, cycles, cells uint64, in func(job digest.Hash, r *verify.Reveal) tx.Instruction) *cobra.Command {
	var id, file string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		Long: short + ". The file is JSON: {\"outcome\": \"success\", \"data\": \"0x…\", \"usage\": {\"output_tokens\": 12, …}, …}, as\n" +
			"`cowboy job results --json` shows it. A commitment and its reveal are of the same file.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			job, r, err := a.worked(id, file)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in(job, &r))
		},
	}
	cmd.Flags().StringVar(&id, "job-id", "", "the job's identity")
	cmd.Flags().StringVar(&file, "result", "", "the file")
	require(cmd, "job-id", "result")
	flags.register(cmd, cycles, cells)
	return cmd
}

func (a *app) runnerCommit() *cobra.Command {
	in := func(job digest.Hash, r *verify.Reveal) tx.Instruction {
		return &tx.JobResultCommit{JobID: job, Commitment: verify.Commitment(r.Output, r.Salt)}
	}
	return a.runnerResult("commit", "Commit yourself to the result of a job", runnerCycles, runnerCells, in)
}

func (a *app) runnerReveal() *cobra.Command {
	return a.runnerResult("reveal", "Reveal the result of a job", revealCycles, revealCells, func(job digest.Hash, r *verify.Reveal) tx.Instruction {
		return &tx.JobResultSubmit{JobID: job, Runner: r.Runner, Output: r.Output, Salt: r.Salt, Proof: r.Proof}
	})
}
