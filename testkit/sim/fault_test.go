package sim

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/simplex"
)

// calm is a network in which nothing goes wrong by chance.
func calm(validators int) Plan {
	return Plan{
		Seed: 5, Validators: validators, Clients: 1, Faulty: map[uint32]string{}, Interval: 200 * time.Millisecond,
		Timeouts: simplex.Timeouts{Leader: 1_000, Certification: 1_500, Retry: 1_500, Skip: 6_000, Fetch: 400},
		Delay:    [2]time.Duration{5 * time.Millisecond, 20 * time.Millisecond}, Chaos: 4 * time.Second,
	}
}

func faultsOf(t *testing.T, lines string) (list []Fault) {
	t.Helper()
	for _, line := range strings.Split(lines, "\n") {
		f, err := parseFault(strings.Fields(line))
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, f)
	}
	return list
}

// TestFaults lets each kind of fault happen once, at the place the plan names, and nothing else: the network goes on, and no rule is broken.
//
// Spec: commonware §3.5, §5.10, §7; ARCHITECTURE "The supervision tree".
func TestFaults(t *testing.T) {
	for line, x := range map[string]struct{ crashes, panics int }{
		"crash node-1 at 1.5s for 700ms":                               {1, 0},
		"power node-1 at 1.5s for 700ms keep 9":                        {1, 0},
		"power node-1 op 40 for 700ms keep 9":                          {1, 0},
		"tear node-1 chain byte 2000 for 700ms":                        {1, 0},
		"tear node-1 journal byte 2000 for 700ms":                      {1, 0},
		"fail node-1 chain write 5":                                    {},
		"fail node-1 chain sync 5":                                     {},
		"fail node-1 journal write 5":                                  {},
		"fail node-1 journal sync 5":                                   {},
		"fail node-1 chain at 1.5s":                                    {},
		"full node-1 journal at 1.5s":                                  {},
		"full node-1 chain byte 3000":                                  {},
		"panic node-1 core/ledger command 5":                           {0, 1},
		"panic node-1 core/replica command 100":                        {0, 1},
		"panic node-1 core/executor command 10":                        {0, 1},
		"panic node-1 core/proposer command 1":                         {0, 1},
		"panic node-1 core/timers/epoch command 7":                     {0, 1},
		"panic node-1 core/pvm/worker-0 command 1":                     {0, 1},
		"panic node-1 intake/lanes/router command 4":                   {0, 1},
		"panic node-1 network/catchup command 2":                       {0, 1},
		"drop node-1 node-2 frame 20":                                  {},
		"delay node-1 node-2 frame 20 for 900ms":                       {},
		"copy node-1 node-2 frame 20 for 900ms":                        {},
		"cut node-1>node-2 node-2>node-1 node-1>node-3 at 1s for 1.5s": {},
		"skew node-1 at 1.5s for 120ms":                                {},
		"skew node-1 at 0s for -120ms":                                 {},
	} {
		t.Run(line, func(t *testing.T) {
			p := calm(4)
			p.Faults = faultsOf(t, line)
			r, err := Run(p)
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Faults) != 1 || r.Faults[0].String() != line {
				t.Errorf("%s: what happened is %v", line, r.Faults)
			}
			if len(r.Wrong) > 0 || r.Crashes != x.crashes || r.Panics != x.panics || r.Blocks < 10 {
				t.Errorf("%s: %v %v", line, r, r.Wrong)
			}
		})
	}
}

var tears = flag.Int("tears", 40, "at how many bytes of each disk TestTornAnywhere cuts the power")

// TestTornAnywhere cuts the power of a validator that is alone after any byte of its first blocks: it finds its way back with all that was final, and
// goes on.
//
// Spec: commonware §3.5, §5.10; WP "Storage and State Persistence".
func TestTornAnywhere(t *testing.T) {
	for _, disk := range []string{chainDisk, journalDisk} {
		p := calm(1)
		p.Clients, p.Chaos = 0, 1_500*time.Millisecond
		clean, err := NewWorld(p)
		if err != nil {
			t.Fatal(err)
		}
		clean.play()
		written := map[string]uint64{chainDisk: clean.machines[0].chain.bytes, journalDisk: clean.machines[0].journal.bytes}[disk]
		torn := 0
		for i := range uint64(*tears) {
			f := Fault{Kind: Tear, Node: "node-0", What: disk, Unit: "byte", N: 1 + i*(written-1)/uint64(*tears), For: 100 * time.Millisecond}
			p.Faults = []Fault{f}
			r, err := Run(p)
			if err != nil {
				t.Fatal(err)
			}
			torn += len(r.Faults)
			if len(r.Wrong) > 0 {
				t.Errorf("%v: %v", f, r.Wrong)
			}
		}
		if torn < *tears/2 {
			t.Errorf("%s: the power went %d times in %d runs", disk, torn, *tears)
		}
	}
}

// TestPanicInEverySubsystem panics every leaf of a node's tree at its first and at a later command.
//
// Spec: ARCHITECTURE "The supervision tree".
func TestPanicInEverySubsystem(t *testing.T) {
	w, err := NewWorld(calm(4))
	if err != nil {
		t.Fatal(err)
	}
	w.play()
	var names []string
	for name := range w.machines[1].commands { // order-free: sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) < 20 {
		t.Errorf("only %d subsystems", len(names))
	}
	p := calm(4)
	for _, name := range names {
		p.Faults = append(p.Faults, Fault{Kind: Panic, Node: "node-1", What: name, Unit: "command", N: 1})
		if n := w.machines[1].commands[name]; n > 4 {
			p.Faults = append(p.Faults, Fault{Kind: Panic, Node: "node-1", What: name, Unit: "command", N: n / 2})
		}
	}
	r, err := Run(p)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Wrong) > 0 || r.Panics < len(names) {
		t.Errorf("%d subsystems, %v: %v", len(names), r, r.Wrong)
	}
}

// TestSeedFile plays the seeds that showed something once, and the plans beside them, each twice.
func TestSeedFile(t *testing.T) {
	f, err := os.Open("testdata/seeds.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	seeds, err := ParseSeeds(f)
	if err != nil {
		t.Fatal(err)
	}
	plans := map[string]Plan{}
	for _, s := range seeds {
		plans[s.String()] = PlanOf(s.Seed)
	}
	files, err := filepath.Glob("testdata/*.plan")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		p, err := ParsePlan(f)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plans[name] = p
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	for name, p := range plans {
		t.Run(name, func(t *testing.T) {
			a, err := Run(p)
			if err != nil {
				t.Fatal(err)
			}
			b, err := Run(p)
			if err != nil {
				t.Fatal(err)
			}
			if a.Trace != b.Trace || len(a.Wrong) > 0 {
				t.Errorf("%s: traces %016x and %016x: %v", name, a.Trace, b.Trace, a.Wrong)
			}
		})
	}
}

func TestParseSeeds(t *testing.T) {
	list, err := ParseSeeds(strings.NewReader("# what\n\n 12 # two blocks\n7\n"))
	if err != nil || !slices.Equal(list, []Seed{{12, "two blocks"}, {7, ""}}) || list[0].String() != "12 # two blocks" {
		t.Errorf("%v %v", list, err)
	}
	if _, err := ParseSeeds(strings.NewReader("1\n-2 # no\n")); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
