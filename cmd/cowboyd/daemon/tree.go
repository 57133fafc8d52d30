package daemon

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// treeCommand prints the running node's supervision tree.
func treeCommand(s *settings, out io.Writer) *cobra.Command {
	return &cobra.Command{
		Use: "tree", Short: "Print the running node's supervision tree: state, restarts, inbox depth", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.load(cmd); err != nil {
				return err
			}
			var status supervision.Status
			url, client := s.local()
			if err := (&api.Client{URL: url, HTTP: client}).Read(cmd.Context(), "/tree", &status); err != nil {
				return err
			}
			_, err := io.WriteString(out, status.Text())
			return err
		},
	}
}
