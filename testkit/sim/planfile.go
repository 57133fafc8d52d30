package sim

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// planVersion is the first line of every plan. Draws are part of it: what a seed means may change with the version.
const planVersion = "plan 2"

// validatorsMax bounds what a plan may ask for.
const validatorsMax = 200

// heavyMax bounds how many stakes of the others the first validator has.
const heavyMax = 1_000

// Text gives the plan as a file, one thing on a line, which ParsePlan reads back.
func (p Plan) Text() []byte {
	var b bytes.Buffer
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(planVersion)
	line("seed %d", p.Seed)
	line("validators %d", p.Validators)
	line("observers %d", p.Observers)
	line("clients %d", p.Clients)
	line("interval %v", p.Interval)
	t := p.Timeouts
	line("timeouts %d %d %d %d %d", t.Leader, t.Certification, t.Retry, t.Skip, t.Fetch)
	if t.Settle > 0 {
		line("settle %d", t.Settle)
	}
	if t.Leave > 0 {
		line("leave %d", t.Leave)
	}
	line("latency %v %v", p.Delay[0], p.Delay[1])
	line("chaos %v", p.Chaos)
	if p.End > 0 {
		line("end %v", p.End)
	}
	if p.Real {
		line("real")
	}
	if p.Epoch > 0 {
		line("epochs %d %d %d", p.Epoch, p.Joiners, p.Leavers)
	}
	if p.Snapshot > 0 {
		line("snapshot %d", p.Snapshot)
	}
	if p.Heavy > 0 {
		line("heavy %d", p.Heavy)
	}
	if p.Budget > 0 {
		line("budget %v", p.Budget)
	}
	for _, x := range p.Slow {
		line("%s", x.text())
	}
	for _, rank := range p.ranks() {
		line("faulty %d %s", rank, p.Faulty[rank])
	}
	for _, r := range p.rates() {
		if text := r.text(); text != "" {
			line("chance %s %s", r.name, text)
		}
	}
	line("%s", strings.TrimSpace(fmt.Sprintf("order %s", p.Schedule.name())))
	for _, name := range p.Schedule.machines() {
		list := p.Schedule.Switches[name]
		if len(list) > packedFrom {
			line("packed %s %s", name, packSwitches(list))
			continue
		}
		for _, s := range list {
			line("%s", s.text(name))
		}
	}
	for _, f := range p.Faults {
		line("%v", f)
	}
	return b.Bytes()
}

// name is the order's, with what belongs to it.
func (s Schedule) name() string {
	switch s.Order {
	case Drawn:
		return "drawn"
	case PCT:
		return fmt.Sprintf("pct depth %d steps %d", s.Depth, s.Steps)
	}
	return string(s.Order)
}

// machines lists those with switches, in order.
func (s Schedule) machines() (names []string) {
	for name := range s.Switches { // order-free: sorted below
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// ranks lists the faulty validators'.
func (p Plan) ranks() (ranks []uint32) {
	for rank := range p.Faulty { // order-free: sorted below
		ranks = append(ranks, rank)
	}
	slices.Sort(ranks)
	return ranks
}

// rate is something that goes wrong by chance: how to write it, and how to read it.
type rate struct {
	name string
	text func() string // empty: never
	read func(string) error
}

// rates lists the plan's; reading one changes the plan.
func (p *Plan) rates() []rate {
	share := func(name string, x *float64) rate {
		return rate{name, func() string {
			if *x == 0 {
				return ""
			}
			return strconv.FormatFloat(*x, 'g', -1, 64)
		}, func(s string) (err error) {
			if *x, err = strconv.ParseFloat(s, 64); err == nil && !(*x >= 0 && *x <= 1) {
				err = fmt.Errorf("%v is no chance", *x)
			}
			return err
		}}
	}
	span := func(name string, x *time.Duration) rate {
		return rate{name, func() string {
			if *x == 0 {
				return ""
			}
			return x.String()
		}, func(s string) (err error) {
			*x, err = readSpan(s)
			return err
		}}
	}
	flag := func(name string, x *bool) rate {
		return rate{name, func() string {
			if !*x {
				return ""
			}
			return "yes"
		}, func(s string) error {
			if *x = s == "yes"; !*x {
				return fmt.Errorf("%q is not yes", s)
			}
			return nil
		}}
	}
	return []rate{
		share("loss", &p.Loss), share("copies", &p.Dup), share("panics", &p.Panics), span("skew", &p.Skew), span("split", &p.Split),
		span("crash", &p.Crash), flag("power", &p.Power), flag("full", &p.DiskFull), flag("fail", &p.DiskFail),
	}
}

// ParsePlan reads a plan. Empty lines and lines that start with # are passed over. Errors name the line and wrap ErrPlan.
func ParsePlan(r io.Reader) (Plan, error) {
	p := Plan{Faulty: map[uint32]string{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, 1<<24)
	first := true
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		if first && text != planVersion {
			return Plan{}, fmt.Errorf("%w: line %d: it starts with %q, not with %q", ErrPlan, n, text, planVersion)
		}
		if !first {
			if err := p.read(strings.Fields(text)); err != nil {
				return Plan{}, fmt.Errorf("%w: line %d: %w", ErrPlan, n, err)
			}
		}
		first = false
	}
	if err := lines.Err(); err != nil {
		return Plan{}, fmt.Errorf("%w: %w", ErrPlan, err)
	}
	if p.Validators == 0 {
		return Plan{}, fmt.Errorf("%w: it names no validators", ErrPlan)
	}
	for _, rank := range p.ranks() {
		if int(rank) >= p.Validators {
			return Plan{}, fmt.Errorf("%w: validator %d of %d", ErrPlan, rank, p.Validators)
		}
	}
	if p.Leavers >= p.Validators {
		return Plan{}, fmt.Errorf("%w: %d of %d validators leave", ErrPlan, p.Leavers, p.Validators)
	}
	return p, nil
}

// read takes one line.
func (p *Plan) read(words []string) (err error) {
	args := words[1:]
	wants := map[string]int{
		"seed": 1, "validators": 1, "observers": 1, "clients": 1, "interval": 1, "timeouts": 5, "settle": 1, "leave": 1, "latency": 2, "chaos": 1, "end": 1,
		"real": 0, "faulty": 2, "chance": 2,
		"epochs": 3, "snapshot": 1, "heavy": 1, "budget": 1, "slow": 3, "deaf": 3,
		"packed": 3,
	}
	if want, known := wants[words[0]]; known && len(args) != want {
		return fmt.Errorf("%s takes %d words", words[0], want)
	}
	switch words[0] {
	case "seed":
		p.Seed, err = strconv.ParseUint(args[0], 10, 64)
	case "validators":
		p.Validators, err = readCount(args[0], 1, validatorsMax)
	case "observers":
		p.Observers, err = readCount(args[0], 0, validatorsMax)
	case "clients":
		p.Clients, err = readCount(args[0], 0, clientsMax)
	case "interval":
		p.Interval, err = readSpan(args[0])
	case "chaos":
		p.Chaos, err = readSpan(args[0])
	case "end":
		p.End, err = readSpan(args[0])
	case "timeouts":
		t := &p.Timeouts
		for i, x := range []*simplex.Millis{&t.Leader, &t.Certification, &t.Retry, &t.Skip, &t.Fetch} {
			n, bad := readCount(args[i], 0, 1<<30)
			*x, err = simplex.Millis(n), bad
			if err != nil {
				break
			}
		}
	case "settle":
		n, bad := readCount(args[0], 0, 1<<30)
		p.Timeouts.Settle, err = simplex.Millis(n), bad
	case "leave":
		n, bad := readCount(args[0], 0, 1<<30)
		p.Timeouts.Leave, err = simplex.Millis(n), bad
	case "latency":
		if p.Delay[0], err = readSpan(args[0]); err == nil {
			p.Delay[1], err = readSpan(args[1])
		}
	case "real":
		p.Real = true
	case "epochs":
		for i, x := range []struct {
			at          *int
			least, most int
		}{{&p.Epoch, params.MinEpochBlocks, params.MaxEpochBlocks}, {&p.Joiners, 0, joinersMax}, {&p.Leavers, 0, validatorsMax}} {
			if *x.at, err = readCount(args[i], x.least, x.most); err != nil {
				break
			}
		}
	case "snapshot":
		p.Snapshot, err = readCount(args[0], 1, params.MaxEpochBlocks)
	case "heavy":
		p.Heavy, err = readCount(args[0], 1, heavyMax)
	case "budget":
		p.Budget, err = readSpan(args[0])
	case "slow", "deaf":
		err = p.readSlowness(words[0], args)
	case "faulty":
		rank, bad := readCount(args[0], 0, validatorsMax-1)
		if err = bad; err == nil && faulty.New(args[1]) == nil {
			err = fmt.Errorf("no kind of faulty validator is called %q", args[1])
		}
		p.Faulty[uint32(rank)] = args[1]
	case "chance":
		return p.readRate(args[0], args[1])
	case "order":
		err = p.Schedule.read(args)
	case "switch", "pause":
		err = p.Schedule.readSwitch(words)
	case "packed":
		err = p.Schedule.readPacked(args)
	default:
		f, bad := parseFault(words)
		p.Faults, err = append(p.Faults, f), bad
	}
	return err
}

func (p *Plan) readRate(name, value string) error {
	for _, r := range p.rates() {
		if r.name == name {
			return r.read(value)
		}
	}
	return fmt.Errorf("nothing called %q goes wrong by chance", name)
}

func (s *Schedule) read(args []string) (err error) {
	switch {
	case len(args) == 1 && args[0] == "drawn":
		s.Order = Drawn
	case len(args) == 1 && args[0] == "steady":
		s.Order = Steady
	case len(args) == 5 && args[0] == "pct" && args[1] == "depth" && args[3] == "steps":
		s.Order = PCT
		if s.Depth, err = readCount(args[2], 1, 1_000); err == nil {
			s.Steps, err = readCount(args[4], 1, 1<<30)
		}
	default:
		err = fmt.Errorf("unknown order %q", strings.Join(args, " "))
	}
	return err
}

func readCount(s string, least, most int) (int, error) {
	n, err := strconv.Atoi(s)
	if err == nil && (n < least || n > most) {
		err = fmt.Errorf("%d is not between %d and %d", n, least, most)
	}
	return n, err
}

func readSpan(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err == nil && d < 0 {
		err = fmt.Errorf("%v is negative", d)
	}
	return d, err
}
