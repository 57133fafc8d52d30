package pyfuzz

import (
	"fmt"
	"io"
	"time"
)

// Campaign compares the machines on the programs of consecutive seeds.
type Campaign struct {
	Seed, Count uint64
	Python      string // the interpreter's name
	Traceback   bool   // compare tracebacks too, of programs that raise
	Most        int    // stop after so many differences
	Minimise    time.Duration
	Log         io.Writer
	Keep        func(seed uint64, source string) error // gets minimised programs; may be nil
}

// Print writes the program of the first seed and both outputs.
func (c Campaign) Print() (int, error) {
	g, python, err := c.start()
	if err != nil {
		return 0, err
	}
	defer python.Close()
	source := c.source(g, c.Seed)
	v, got, want, err := Compare(python, source, c.Traceback)
	fmt.Fprintf(c.Log, "%s\n--- PVM\n%s\n--- CPython\n%s\n", source, got, want)
	if v == Different {
		return 1, err
	}
	return 0, err
}

func (c Campaign) source(g *Grammar, seed uint64) string {
	if c.Traceback {
		return g.Raising(seed)
	}
	return g.Program(seed)
}

func (c Campaign) start() (*Grammar, *CPython, error) {
	g, err := LoadGrammar()
	if err != nil {
		return nil, nil, err
	}
	python, err := StartCPython(c.Python, "0")
	return g, python, err
}

// Run compares, reports each kind of difference once, minimised, and returns how
// many there were.
func (c Campaign) Run() (int, error) {
	g, python, err := c.start()
	if err != nil {
		return 0, err
	}
	defer python.Close()
	var count [4]uint64
	reasons := map[string]uint64{}
	for i := range c.Count {
		source := c.source(g, c.Seed+i)
		v, got, want, err := Compare(python, source, c.Traceback)
		if err != nil {
			return int(count[Different]), fmt.Errorf("seed %d: %w", c.Seed+i, err)
		}
		if v == Different && !c.Traceback {
			reason, err := excuse(c.Python, source, got, want)
			if err != nil {
				return int(count[Different]), fmt.Errorf("seed %d: %w", c.Seed+i, err)
			}
			if reason != "" {
				v, got = Deviation, reason
			}
		}
		count[v]++
		switch v {
		case OutOfLimit, Deviation:
			reasons[got]++
		case Different:
			if err := c.report(python, c.Seed+i, source, got, want); err != nil {
				return int(count[Different]), err
			}
		}
		if int(count[Different]) >= c.Most {
			break
		}
		if (i+1)%5_000 == 0 {
			fmt.Fprintf(c.Log, "# %d programs to seed %d: ", i+1, c.Seed+i)
			c.sum(count, reasons)
		}
	}
	c.sum(count, reasons)
	return int(count[Different]), nil
}

// sum writes how many programs got each verdict, and why.
func (c Campaign) sum(count [4]uint64, reasons map[string]uint64) {
	fmt.Fprintf(c.Log, "%d equal, %d different, %d met a deviation, %d a limit %v\n",
		count[Equal], count[Different], count[Deviation], count[OutOfLimit], reasons)
}

// report minimises and prints a difference.
func (c Campaign) report(python *CPython, seed uint64, source, got, want string) error {
	if c.Minimise > 0 {
		source = Minimise(python, source, c.Traceback, c.Minimise)
		_, g, w, err := Compare(python, source, c.Traceback)
		if err != nil {
			return err
		}
		if g != w {
			got, want = g, w
		}
	}
	g, w := FirstDifference(got, want)
	fmt.Fprintf(c.Log, "=== seed %d\n%s--- PVM\n%s\n--- CPython\n%s\n", seed, source, g, w)
	if c.Keep != nil {
		return c.Keep(seed, source)
	}
	return nil
}
