package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

func (a *app) pvmCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "pvm", Short: "Run Python on the chain's machine, without a chain"}
	cmd.AddCommand(a.pvmRun(), a.pvmDis())
	return cmd
}

// runReport is what --json ends standard error with.
type runReport struct {
	OK        bool   `json:"ok"`
	Cycles    uint64 `json:"cycles"`
	Cells     uint64 `json:"cells"`
	PeakBytes int64  `json:"peak_bytes"`
	Fault     string `json:"fault"`
}

// errFault ends `pvm run` after the fault has been printed.
var errFault = errors.New("the program failed")

func (a *app) pvmRun() *cobra.Command {
	var cycles uint64
	var memory int64
	cmd := &cobra.Command{
		Use: "run FILE.py", Short: "Run a script; its print goes to standard output", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			source, err := readFile(args[0])
			if err != nil {
				return err
			}
			limit := cycles
			if limit == 0 {
				limit = 1 << 60
			}
			meter := pvm.NewMeter(limit, 1<<60)
			report := runReport{}
			program, err := pvm.CompileFile("__main__", args[0], source)
			if err != nil {
				report.Fault = "syntax"
				fmt.Fprintf(a.err, "%s:%v\n", args[0], err)
				return a.endRun(report)
			}
			m := pvm.New(pvm.Config{Meter: meter, MemoryLimit: memory, Stdout: a.out})
			_, fault := m.Load(program)
			report.OK, report.Cycles, report.Cells = fault == nil, meter.Used(), meter.CellsUsed()
			report.PeakBytes = m.Inner().Peak()
			if fault != nil {
				report.Fault = fault.Kind.String()
				switch {
				case fault.Kind == pvm.OutOfCycles:
					fmt.Fprintf(a.err, "out of cycles after %d\n", report.Cycles)
				case fault.Traceback != "":
					fmt.Fprintln(a.err, strings.TrimRight(fault.Traceback, "\n"))
				default:
					fmt.Fprintln(a.err, fault.Error())
				}
			}
			return a.endRun(report)
		},
	}
	cmd.Flags().Uint64Var(&cycles, "cycles-limit", 0, "most cycles to use (0: no limit)")
	cmd.Flags().Int64Var(&memory, "memory-limit", pvm.DefaultMemoryLimit, "most bytes of live heap")
	return cmd
}

func (a *app) endRun(r runReport) error {
	if a.asJSON {
		line, err := json.Marshal(r)
		if err != nil {
			return err
		}
		fmt.Fprintf(a.err, "%s\n", line)
	}
	if !r.OK {
		return silent{errFault}
	}
	return nil
}

func (a *app) pvmDis() *cobra.Command {
	return &cobra.Command{
		Use: "dis FILE.py", Short: "List a script's instructions and their costs", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			source, err := readFile(args[0])
			if err != nil {
				return err
			}
			program, err := pvm.CompileFile(strings.TrimSuffix(filepath.Base(args[0]), ".py"), args[0], source)
			if err != nil {
				return fmt.Errorf("%s:%w", args[0], err)
			}
			_, err = fmt.Fprint(a.out, program.Disassemble())
			return err
		},
	}
}
