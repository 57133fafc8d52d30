package cli

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/chain/job"
)

// jobCommand is about jobs for runners.
func (a *app) jobCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "job", Short: "Submit jobs to registered runners, and look at jobs"}
	cmd.AddCommand(a.jobCheck(), a.jobSubmit(), a.jobCancel(), a.jobGet(), a.jobStatus(), a.jobRunners(), a.jobResults(), a.jobVerified())
	return cmd
}

// jobForms are the ways a specification is written and read. Spec: runner-marketplace §2.1 (encodings).
func jobForms() map[string]struct {
	read  func([]byte) (*job.Spec, error)
	write func(*job.Spec) ([]byte, error)
} {
	type form = struct {
		read  func([]byte) (*job.Spec, error)
		write func(*job.Spec) ([]byte, error)
	}
	return map[string]form{
		"json":  {job.FromJSON, (*job.Spec).JSON},
		"cbor":  {job.FromCBOR, (*job.Spec).CBOR},
		"codec": {job.Decode, func(s *job.Spec) ([]byte, error) { return s.Append(nil), nil }},
	}
}

// jobCheck reads a specification and prints what it says, in one of its forms.
func (a *app) jobCheck() *cobra.Command {
	var file, from, to string
	cmd := &cobra.Command{
		Use: "check", Short: "Check a job's specification, and print it in another form", Args: cobra.NoArgs,
		Long: "Check a job's specification as the chain would. It is read as JSON, as the CBOR of the SDK, or as the chain's own bytes, and printed in\n" +
			"the form of --to: JSON, or hexadecimal digits.",
		RunE: func(*cobra.Command, []string) error {
			forms := jobForms()
			read, ok := forms[from]
			write, known := forms[to]
			if !ok || !known {
				return usageError{fmt.Errorf("a form is json, cbor or codec")}
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			spec, err := read.read(data)
			if err != nil {
				return fmt.Errorf("%s: %w", file, err)
			}
			out, err := write.write(spec)
			if err != nil {
				return err
			}
			text := fmt.Sprintf("%x", out)
			if to == "json" {
				text = string(out)
			}
			if a.asJSON && to == "json" {
				return a.showJSON(json.RawMessage(out))
			}
			fmt.Fprintf(a.out, "Mode: %s\nSize: %d bytes of %d\n%s\n", spec.Verification.Mode, len(spec.Append(nil)), job.MaxSpecBytes, text)
			return nil
		},
	}
	cmd.Flags().StringVar(&file, "job-spec", "", "the file")
	cmd.Flags().StringVar(&from, "from", "json", "the form it is in: json, cbor, codec")
	cmd.Flags().StringVar(&to, "to", "json", "the form to print: json, cbor, codec")
	require(cmd, "job-spec")
	return cmd
}
