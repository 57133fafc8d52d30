package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/pvmtool"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// profileFiles says where a profile goes besides the terminal; "" means nowhere.
type profileFiles struct {
	pprof, folded, svg string
	top                int
}

// profileCommand runs tests and says where the cycles of the actors went.
func (a *app) profileCommand() *cobra.Command {
	o := &testOptions{profiled: true}
	c := &cobra.Command{
		Use: "profile [FILE or DIR]...", Short: "Run a project's tests and print the cycles of its actors by handler, function and line",
		Long: "Run the stories and Python tests of a project, and print where the cycles of its actors went: by handler, by function and by line.\n\n" +
			"The cycles are those of the network, to the unit. What a handler costs beside its functions (its storage, its arguments) is the handler's own;\n" +
			"what an actor costs that it calls stands below the line that calls it. Queries, which cost nobody anything, are not counted.\n\n" +
			"The file of --pprof opens in `go tool pprof -http : FILE` and in flame graph viewers; --folded is one stack to a line, --svg a flame graph.",
		Example: "  cowboy profile\n  cowboy profile tests/journal.txtar --top 5\n  cowboy profile --pprof cycles.pb.gz && go tool pprof -http : cycles.pb.gz",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				args = []string{"."}
			}
			return a.runTests(cmd.Context(), args, o)
		},
	}
	flags := c.Flags()
	flags.StringVar(&o.run, "run", "", "only tests whose file/name matches this regular expression")
	flags.IntVar(&o.parallel, "parallel", runtime.NumCPU(), "files run at a time")
	flags.StringSliceVar(&o.path, "path", nil, "more directories whose files Python tests can import")
	flags.IntVar(&o.files.top, "top", 20, "how many handlers and functions to list")
	flags.StringVar(&o.files.pprof, "pprof", "", "write the profile to this file, in pprof's form")
	flags.StringVar(&o.files.folded, "folded", "", "write folded stacks to this file")
	flags.StringVar(&o.files.svg, "svg", "", "write a flame graph to this file")
	return c
}

// showProfile prints a profile and writes its files.
func (a *app) showProfile(stacks pvm.Stacks, f profileFiles) error {
	if f.top > 0 && !a.asJSON {
		fmt.Fprint(a.out, pvmtool.Actors(stacks, os.ReadFile, f.top))
	}
	for _, one := range []struct {
		path  string
		write func(w io.Writer) error
	}{
		{f.pprof, func(w io.Writer) error { return pvmtool.WritePprof(w, stacks) }},
		{f.folded, func(w io.Writer) error { _, err := io.WriteString(w, pvmtool.Folded(stacks)); return err }},
		{f.svg, func(w io.Writer) error { _, err := io.WriteString(w, pvmtool.Flame("cycles", stacks)); return err }},
	} {
		if one.path == "" {
			continue
		}
		var b bytes.Buffer
		err := one.write(&b)
		if err == nil {
			err = os.WriteFile(one.path, b.Bytes(), 0o644)
		}
		if err != nil {
			return err
		}
		if !a.asJSON {
			fmt.Fprintf(a.out, "Wrote %s\n", one.path)
		}
	}
	return nil
}
