package main

import (
	"fmt"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"syscall"
	"time"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

func main() {
	debug.SetGCPercent(400)
	src, _ := os.ReadFile(os.Args[1])
	p, err := pvm.CompileFile("__main__", os.Args[1], src)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if len(os.Args) > 2 && os.Args[2] == "dis" {
		fmt.Print(p.Disassemble())
		return
	}
	if len(os.Args) > 2 && os.Args[2] == "prof" {
		f, _ := os.Create("/tmp/pv/cpu.prof")
		pprof.StartCPUProfile(f)
		defer pprof.StopCPUProfile()
	}
	meter := pvm.NewMeter(1<<60, 1<<60)
	lib := map[string]*pvm.Program{}
	cfg := pvm.Config{Stdout: os.Stdout, Meter: meter}
	if d := os.Getenv("PVLIB"); d != "" {
		cfg.MemoryLimit = 200 << 20
		cfg.Library = func(name string) (*pvm.Program, bool) {
			if p, ok := lib[name]; ok {
				return p, true
			}
			base := d + "/" + strings.ReplaceAll(name, ".", "/")
			src, err := os.ReadFile(base + ".py")
			if err != nil {
				src, err = os.ReadFile(base + "/__init__.py")
			}
			if err != nil {
				return nil, false
			}
			p, err := pvm.CompileFile(name, name, src)
			if err != nil {
				fmt.Fprintln(os.Stderr, name, err)
				return nil, false
			}
			lib[name] = p
			return p, true
		}
	}
	m := pvm.New(cfg)
	t := cpu()
	_, fault := m.Load(p)
	d := cpu() - t
	if fault != nil {
		fmt.Fprint(os.Stderr, fault.Traceback)
		if fault.Traceback == "" { fmt.Fprintln(os.Stderr, fault) }
	}
	if len(os.Args) > 2 {
		fmt.Fprintln(os.Stderr, d, meter.Used(), "cycles", float64(d.Nanoseconds())/float64(meter.Used()), "ns/cycle")
	}
	if fault != nil {
		pprof.StopCPUProfile()
		os.Exit(1)
	}
}

func cpu() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(0, &r)
	return time.Duration(r.Utime.Nano())
}
