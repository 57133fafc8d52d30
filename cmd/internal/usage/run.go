package usage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

// Error is wrong usage of the command line.
type Error struct{ error }

// Wrong makes wrong usage of an error.
func Wrong(err error) error { return Error{err} }

// Run runs a command line with a complete tree of commands until it is done or told to stop, and gives the exit status: 1 for a failure, 2 for wrong usage.
func Run(root *cobra.Command, args []string, stdout, stderr io.Writer) int {
	Guard(root, Wrong)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", root.Name(), err)
	if errors.As(err, new(Error)) {
		return 2
	}
	return 1
}
