package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// The limits of a submission, in cycles and cells: 500 cycles go for each runner that is looked at, and the specification is paid twice.
const (
	submitCycles = 1_000_000
	submitCells  = 200_000
)

// jobSubmit submits a specification. Spec: node-rpc-cli §4.1.
func (a *app) jobSubmit() *cobra.Command {
	var file string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "submit", Short: "Submit a job to registered runners", Args: cobra.NoArgs,
		Long: "Submit a job to registered runners. max_price and tip of the specification, a file of JSON, are held until the job ends; what is not earned\n" +
			"comes back. The receipt returns the job's identity; `cowboy job get` also takes SHA-256(transaction, height) for it.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			spec, err := job.FromJSON(data)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.JobSubmit{Spec: spec.Append(nil)})
		},
	}
	cmd.Flags().StringVar(&file, "job-spec", "", "the file")
	require(cmd, "job-spec")
	flags.register(cmd, submitCycles, submitCells)
	return cmd
}

// jobCancel takes a job back.
func (a *app) jobCancel() *cobra.Command {
	var id string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "cancel", Short: "Cancel a job of yours before runners are assigned to it", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := parseHash(id)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.JobCancel{JobID: h})
		},
	}
	cmd.Flags().StringVar(&id, "job-id", "", "the job")
	require(cmd, "job-id")
	flags.register(cmd, runnerCycles, runnerCells)
	return cmd
}

// jobRead is a command that reads something of a job. Spec: node-rpc-cli §4.1.
func jobRead[T any](a *app, name, short, path string, text func(v *T) string) *cobra.Command {
	var id string
	cmd := &cobra.Command{
		Use: name, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			h, err := parseHash(id)
			if err != nil {
				return err
			}
			var v T
			if err := a.node().Read(cmd.Context(), "/job/"+wire.Hash(h)+path, &v); err != nil {
				return err
			}
			return a.show(v, "%s", text(&v))
		},
	}
	cmd.Flags().StringVar(&id, "job-id", "", "the job")
	require(cmd, "job-id")
	return cmd
}

func (a *app) jobGet() *cobra.Command {
	return jobRead(a, "get", "Print a job of registered runners", "", jobText)
}

func (a *app) jobStatus() *cobra.Command {
	return jobRead(a, "status", "Print where a job is in its life", "/status", func(v *wire.JobStatus) string { return "Status: " + v.Status + "\n" })
}

func (a *app) jobRunners() *cobra.Command {
	return jobRead(a, "runners", "Print whom a job was given to", "/runners", func(v *wire.JobRunners) string {
		var text strings.Builder
		for _, r := range v.Runners {
			said := "silent so far"
			switch {
			case r.Revealed:
				said = "revealed"
			case r.Crashed:
				said = "committed, and says it cannot reveal"
			case r.Committed:
				said = "committed"
			case r.Progress != nil:
				said = fmt.Sprintf("at work, %d %%", r.Progress.Percent)
				if r.Progress.Detail != "" {
					said += ": " + unitext.PlainLine(r.Progress.Detail)
				}
			}
			if r.Runner == v.Aggregator {
				said += ", aggregator"
			}
			fmt.Fprintf(&text, "%s  %s\n", r.Runner, said)
		}
		fmt.Fprintf(&text, "Attempt: %d; %d have to agree; %d were silent before\n", v.Attempt+1, v.Threshold, len(v.Excluded))
		return text.String()
	})
}

// jobText says in words what a job is.
func jobText(v *wire.Job) string {
	var text strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	line("Job: %s", v.JobID)
	line("Status: %s", v.Status)
	if v.Reason != "" {
		line("Reason: %s", v.Reason)
	}
	line("Submitter: %s in block %d", v.Submitter, v.SubmittedAt)
	line("Held: %s", cby(v.Escrow))
	line("Runners: %d, of which %d have to agree", v.Members, v.Threshold)
	if v.AssignedAt > 0 {
		line("Attempt: %d, since block %d; %d committed, %d revealed", v.Attempt+1, v.AssignedAt, v.Committed, v.Revealed)
	}
	switch {
	case v.EndedAt > 0:
		line("Ended: in block %d", v.EndedAt)
	case v.Deadline > 0:
		line("Deadline: block %d", v.Deadline)
	}
	return text.String()
}

// runnerJobs lists the open jobs of a runner. Spec: runner-marketplace §3, §9.
func (a *app) runnerJobs() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "jobs", Short: "Print the open jobs a runner is selected for", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(address)
			if err != nil {
				return err
			}
			all := wire.RunnerJobs{Runner: addr.String(), Jobs: []wire.Job{}}
			err = pages(cmd.Context(), a, "/runner/"+addr.String()+"/jobs", func(page *wire.RunnerJobs) string {
				all.Jobs = append(all.Jobs, page.Jobs...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, j := range all.Jobs {
				fmt.Fprintf(&text, "%s  %s  up to block %d  %s\n", j.JobID, j.Status, j.Deadline, cby(j.Escrow))
			}
			if len(all.Jobs) == 0 {
				text.WriteString("No open job.\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "the runner's address")
	require(cmd, "address")
	return cmd
}
