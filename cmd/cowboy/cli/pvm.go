package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/cmd/cowboy/pvmtool"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

func (a *app) pvmCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "pvm", Short: "Run Python on the chain's machine, without a chain"}
	cmd.AddCommand(a.pvmRun(), a.pvmDis(), a.pvmProfile())
	return cmd
}

// runReport is what --json ends standard error with. Fault is what ended the program: a limit in words, or the exception;
// empty if it ended well.
type runReport struct {
	OK        bool   `json:"ok"`
	Cycles    uint64 `json:"cycles"`
	Cells     uint64 `json:"cells"`
	PeakBytes int64  `json:"peak_bytes"`
	Fault     string `json:"fault"`

	wished status // by SystemExit, if it is a number
}

// errFault ends `pvm run` after the fault has been printed.
var errFault = errors.New("the program failed")

// script is a program of `pvm run` and `pvm profile`: its file and its limits.
type script struct {
	path   string
	cycles uint64
	memory int64
}

func (s *script) flags(cmd *cobra.Command) {
	cmd.Flags().Uint64Var(&s.cycles, "cycles-limit", 0, "most cycles to use (0: no limit)")
	cmd.Flags().Int64Var(&s.memory, "memory-limit", pvm.DefaultMemoryLimit, "most bytes of live heap")
}

func (a *app) pvmRun() *cobra.Command {
	s := &script{}
	cmd := &cobra.Command{
		Use: "run FILE.py", Short: "Run a script, - for standard input; its print goes to standard output", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s.path = args[0]
			_, report, err := a.runScript(s, nil)
			if err != nil {
				return err
			}
			return a.endRun(report)
		},
	}
	s.flags(cmd)
	return cmd
}

// unlimited is more cycles or cells than any program uses.
const unlimited = 1 << 60

// runScript runs a script as __main__ and shows the fault that ends it. The error is of the file, not of the program.
func (a *app) runScript(s *script, profile *pvm.Profile) (source []byte, report runReport, err error) {
	if s.memory < 1 {
		return nil, report, usageError{fmt.Errorf("--memory-limit is one byte or more, not %d", s.memory)}
	}
	if source, err = a.readScript(&s.path); err != nil {
		return nil, report, err
	}
	program, err := pvm.CompileFile("__main__", s.path, source)
	if err != nil {
		text := pvmtool.SyntaxError(s.path, source, err)
		fmt.Fprint(a.err, text)
		lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
		report.Fault = lines[len(lines)-1]
		return source, report, nil
	}
	limit := s.cycles
	if limit == 0 {
		limit = unlimited
	}
	meter := pvm.NewMeter(limit, unlimited)
	defer pvmtool.TuneCollector(s.memory)()
	m := pvm.New(pvm.Config{Meter: meter, MemoryLimit: s.memory, Stdout: a.out, Profile: profile, Suggest: true})
	_, fault := m.Load(program)
	report = runReport{OK: fault == nil, Cycles: meter.Used(), Cells: meter.CellsUsed(), PeakBytes: m.Inner().Peak()}
	if fault != nil {
		a.showFault(m, fault, &report)
	}
	return source, report, nil
}

// readScript reads a script's file, or standard input where its name is -; the name is then what tracebacks say.
func (a *app) readScript(path *string) ([]byte, error) {
	if *path != "-" {
		return readFile(*path)
	}
	*path = "<stdin>"
	source, err := io.ReadAll(io.LimitReader(a.in, maxInput+1))
	if err == nil && len(source) > maxInput {
		err = fmt.Errorf("standard input: more than the %d bytes a file may have here", maxInput)
	}
	return source, err
}

// showFault prints what ended a program; SystemExit ends it the way it asks for.
func (a *app) showFault(m *pvm.Machine, fault *pvm.Fault, r *runReport) {
	r.Fault = fault.Error()
	if code, text, ok := m.ExitStatus(fault); ok {
		fmt.Fprint(a.err, text)
		if code == 0 {
			r.OK, r.Fault = true, ""
		}
		r.wished = status(code)
		return
	}
	switch {
	case fault.Kind == pvm.OutOfCycles:
		fmt.Fprintf(a.err, "out of cycles after %d\n", r.Cycles)
	case fault.Traceback != "":
		fmt.Fprintln(a.err, strings.TrimRight(fault.Traceback, "\n"))
	default:
		fmt.Fprintln(a.err, fault.Error())
	}
}

func (a *app) endRun(r runReport) error {
	if a.asJSON {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.err, "%s\n", line)
	}
	switch {
	case r.wished != 0:
		return r.wished
	case !r.OK:
		return silent{errFault}
	}
	return nil
}

// pvmProfile runs a script and says where its cycles went: as text after the script's output, and in two files.
func (a *app) pvmProfile() *cobra.Command {
	s := &script{}
	var top int
	var svg, folded string
	cmd := &cobra.Command{
		Use: "profile FILE.py", Short: "Run a script and print its cycles for each function and line", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			s.path = args[0]
			profile := pvm.NewProfile()
			source, report, err := a.runScript(s, profile)
			if err != nil {
				return err
			}
			stacks := profile.Stacks()
			files := []struct{ path, content string }{
				{svg, pvmtool.Flame(filepath.Base(s.path), stacks)}, {folded, pvmtool.Folded(stacks)},
			}
			fmt.Fprint(a.out, pvmtool.Report(profile, s.path, source, top))
			for _, f := range files {
				if f.path == "" {
					continue
				}
				if err := os.WriteFile(f.path, []byte(f.content), 0o644); err != nil {
					return err
				}
				fmt.Fprintf(a.out, "Wrote %s\n", f.path)
			}
			return a.endRun(report)
		},
	}
	s.flags(cmd)
	cmd.Flags().IntVar(&top, "top", 20, "how many functions to list")
	cmd.Flags().StringVar(&svg, "svg", "profile.svg", "file for the flame graph (empty: none)")
	cmd.Flags().StringVar(&folded, "folded", "profile.folded", "file for the folded stacks (empty: none)")
	return cmd
}

func (a *app) pvmDis() *cobra.Command {
	return &cobra.Command{
		Use: "dis FILE.py", Short: "List a script's instructions and their costs", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			path := args[0]
			source, err := a.readScript(&path)
			if err != nil {
				return err
			}
			program, err := pvm.CompileFile(strings.TrimSuffix(filepath.Base(path), ".py"), path, source)
			if err != nil {
				fmt.Fprint(a.err, pvmtool.SyntaxError(path, source, err))
				return silent{err}
			}
			_, err = fmt.Fprint(a.out, program.Disassemble())
			return err
		},
	}
}
