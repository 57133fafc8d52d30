package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system/dispatcher"
)

// allTypes stands for jobs of every type.
const allTypes = "all"

// devRunner shows and scripts the runners of a development network.
func (a *app) devRunner() *cobra.Command {
	cmd := &cobra.Command{
		Use: "runner", Short: "Script what the runners answer; list scripts and the jobs that wait", Args: cobra.NoArgs,
		Long: "List what the runners of the development network are scripted to answer, the jobs that wait for an answer and the answers that are late.\n\n" +
			"The scripts are kept on the chain: a snapshot, a revert and a dump carry them. The newest script that is for a job answers it; a job\n" +
			"no script is for waits until `cowboy dev runner answer` answers it.",
		Example: "  cowboy dev runner set llm ok '\"Paris\"'\n" +
			"  cowboy dev runner set http votes '[{\"price\": 7}, {\"price\": 8}, null]'   # they disagree\n" +
			"  cowboy dev runner set all error '\"out of memory\"' --jobs 1\n" +
			"  cowboy dev runner answer 0f3c… ok '\"late, by hand\"'",
		RunE: func(cmd *cobra.Command, _ []string) error {
			var r wire.DevRunners
			if err := a.dev(cmd.Context(), http.MethodGet, "/dev/runner", nil, &r); err != nil {
				return err
			}
			return a.show(r, "%s", runnersText(r))
		},
	}
	cmd.AddCommand(a.devRunnerSet(), a.devRunnerAnswer(), a.devRunnerClear())
	cmd.AddCommand(a.devFleetCommands()...)
	return cmd
}

// replyFlags are what an answer has besides its result.
func replyFlags(cmd *cobra.Command, r *wire.DevReply) {
	cmd.Flags().Uint64Var(&r.Late, "late", 0, "blocks the answer is late")
	cmd.Flags().Uint64Var(&r.Copies, "copies", 0, "how often it is delivered (1)")
}

// ending reads `ENDING [RESULT]`.
func ending(r *wire.DevReply, args []string) error {
	r.Ending = args[0]
	if _, err := dispatcher.ParseEnding(r.Ending); err != nil {
		return usageError{err}
	}
	if len(args) == 1 {
		return nil
	}
	if _, err := wire.Plain(args[1]); err != nil {
		hint := ""
		if !json.Valid([]byte(args[1])) {
			hint = fmt.Sprintf("\n  a text is written '%q'", args[1])
		}
		return usageError{fmt.Errorf("%w%s", err, hint)}
	}
	r.Result = json.RawMessage(args[1])
	return nil
}

func (a *app) devRunnerSet() *cobra.Command {
	var q wire.DevRunner
	cmd := &cobra.Command{
		Use: "set TYPE ENDING [RESULT]", Args: cobra.RangeArgs(2, 3),
		Short: "Say what the runners answer to jobs of a type (llm, http, mcp, or all) from now on",
		Long: "Say what the runners answer to jobs of a type from now on: ENDING is ok with a result,\n" +
			"error with what the actor is told, votes with a list of what several runners answered\n" +
			"(null is one that failed; a strict majority wins, or the actor is told that they disagree), or lost.\n" +
			"RESULT is JSON. With --jobs the script is gone after so many jobs, and the one before it applies.",
		RunE: func(cmd *cobra.Command, args []string) error {
			if q.Type = args[0]; q.Type == allTypes {
				q.Type = ""
			}
			if err := ending(&q.DevReply, args[1:]); err != nil {
				return err
			}
			if err := checkActor(&q.Actor); err != nil {
				return err
			}
			return a.administered(cmd.Context(), "/dev/runner", q)
		},
	}
	replyFlags(cmd, &q.DevReply)
	cmd.Flags().Uint64Var(&q.Jobs, "jobs", 0, "how many jobs it is for (0: all that come)")
	cmd.Flags().StringVar(&q.Actor, "actor", "", "only for the jobs of this actor")
	return cmd
}

func (a *app) devRunnerAnswer() *cobra.Command {
	var q wire.DevAnswer
	cmd := &cobra.Command{
		Use: "answer CID ENDING [RESULT]", Short: "Answer a job that waits, by its cid", Args: cobra.RangeArgs(2, 3),
		Long: "Answer a job that waits. `cowboy dev runner` lists them; one without a cid is named job- and a number. ENDING and RESULT are those of `set`.",
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Job = args[0]
			if err := ending(&q.DevReply, args[1:]); err != nil {
				return err
			}
			if err := checkActor(&q.Actor); err != nil {
				return err
			}
			return a.answered(cmd.Context(), q)
		},
	}
	replyFlags(cmd, &q.DevReply)
	cmd.Flags().StringVar(&q.Actor, "actor", "", "the actor whose job it is, where several use one cid")
	return cmd
}

// answered answers a job; when none waits by the name it says which do.
func (a *app) answered(ctx context.Context, q wire.DevAnswer) error {
	err := a.administered(ctx, "/dev/runner/answer", q)
	var fault faulted
	if !errors.As(err, &fault) || fault.code != int(drain.FaultMissing) {
		return err
	}
	var r wire.DevRunners
	if a.dev(ctx, http.MethodGet, "/dev/runner", nil, &r) != nil {
		return err
	}
	names := make([]string, len(r.Waiting))
	for i, j := range r.Waiting {
		names[i] = j.Job
	}
	if len(names) == 0 {
		return errors.New("no job waits\n  see `cowboy dev runner`")
	}
	return fmt.Errorf("no job waits by the name %q\n  these do: %s", q.Job, strings.Join(names[:min(len(names), 5)], ", "))
}

func (a *app) devRunnerClear() *cobra.Command {
	var q wire.DevScope
	cmd := &cobra.Command{
		Use: "clear [TYPE]", Short: "Remove the scripts, or those for jobs of a type or of an actor", Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && args[0] != allTypes {
				q.Type = args[0]
			}
			if err := checkActor(&q.Actor); err != nil {
				return err
			}
			return a.administered(cmd.Context(), "/dev/runner/clear", q)
		},
	}
	cmd.Flags().StringVar(&q.Actor, "actor", "", "only those for the jobs of this actor")
	return cmd
}

// checkActor reads an address that may be left out.
func checkActor(text *string) error {
	if *text == "" {
		return nil
	}
	addr, err := parseAddress(*text)
	if err == nil {
		*text = addr.String()
	}
	return err
}

// runnersText lists scripts, jobs and answers, a line each; --json has what is shortened.
func runnersText(r wire.DevRunners) string {
	var b strings.Builder
	if len(r.Scripts) == 0 {
		b.WriteString("No script: jobs wait. Set one: cowboy dev runner set llm ok '\"text\"'\n")
	}
	for _, s := range r.Scripts {
		kind := s.Type
		if kind == "" {
			kind = allTypes
		}
		fmt.Fprintf(&b, "Script: %s %s", kind, s.Ending)
		if len(s.Result) > 0 {
			fmt.Fprintf(&b, " %s", shorten(string(s.Result)))
		}
		if s.Late > 0 {
			fmt.Fprintf(&b, ", %d blocks late", s.Late)
		}
		if s.Copies > 1 {
			fmt.Fprintf(&b, ", %d times", s.Copies)
		}
		if s.Actor != "" {
			fmt.Fprintf(&b, ", to %s", s.Actor)
		}
		if s.Jobs > 0 {
			fmt.Fprintf(&b, ", %d jobs left", s.Jobs)
		}
		b.WriteByte('\n')
	}
	for _, j := range r.Waiting {
		fmt.Fprintf(&b, "Waiting: %s %s %s from %s since block %d\n", j.Job, j.Type, shorten(string(j.Args)), j.Actor, j.Height)
	}
	for _, l := range r.Late {
		fmt.Fprintf(&b, "Late: %s %s %s to %s in block %d\n", l.Job, l.Status, shorten(string(l.Result)), l.Actor, l.Due+1)
	}
	return b.String()
}
