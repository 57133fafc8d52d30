package sim

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Kind is what a Fault does.
type Kind string

// The kinds of Fault. Instants count from the start of the run, and all but Skew end with the chaos.
const (
	// Crash kills a machine's process, at an instant. Its disks keep all that was written.
	Crash Kind = "crash"
	// Power cuts a machine's power: at an instant, or in its N-th disk operation. What was not synced survives in part, drawn from Keep.
	Power Kind = "power"
	// Tear cuts the power inside a write, after the N-th byte ever written to the disk. All earlier writes are on it.
	Tear Kind = "tear"
	// Fail makes a disk's N-th write or sync fail, or from an instant on all its syncs until the machine is repaired.
	Fail Kind = "fail"
	// Full leaves a disk no more room: from an instant on, or from the N-th byte ever written, until the machine is repaired.
	Full Kind = "full"
	// Panic panics a subsystem at its N-th command, over all its lives; each of its starts counts as one.
	Panic Kind = "panic"
	// Drop loses the N-th frame from one machine to another.
	Drop Kind = "drop"
	// Delay delays that frame in addition to its ordinary delay, so that later ones overtake it.
	Delay Kind = "delay"
	// Copy lets a copy of that frame arrive some time after it was sent.
	Copy Kind = "copy"
	// Cut cuts links, each in one direction, for some time.
	Cut Kind = "cut"
	// Skew moves a machine's clock.
	Skew Kind = "skew"
)

// Direction is one direction between two machines.
type Direction struct{ From, To string }

// Fault is one thing that goes wrong, once, at a place that does not depend on what else goes wrong elsewhere.
type Fault struct {
	Kind  Kind
	Node  string        // the machine; of a frame, its sender
	To    string        // of a frame: its receiver
	What  string        // of a panic the subsystem, such as core/ledger; of a disk chain, journal or shares
	Links []Direction   // of a cut
	Unit  string        // what N counts: command, frame, op, byte, write or sync; empty: the fault comes at an instant
	N     uint64        // which one, from 1
	At    time.Duration // the instant
	For   time.Duration // how long the machine is down, the frame delayed, the link cut; how far the clock moves
	Keep  uint64        // of a power cut: what the rest of the disks is drawn from
}

// ErrPlan is wrapped by the errors of ParsePlan.
var ErrPlan = errors.New("sim: bad plan")

// shape says which words a kind of fault takes.
type shape struct {
	to, what, links, span, keep bool
	at                          bool // may come at an instant
	units                       string
}

var shapes = map[Kind]shape{
	Crash: {at: true, span: true}, Power: {at: true, units: "op", span: true, keep: true}, Tear: {what: true, units: "byte", span: true},
	Fail: {what: true, at: true, units: "write sync"}, Full: {what: true, at: true, units: "byte"}, Panic: {what: true, units: "command"},
	Drop: {to: true, units: "frame"}, Delay: {to: true, units: "frame", span: true}, Copy: {to: true, units: "frame", span: true},
	Cut: {links: true, at: true, span: true}, Skew: {at: true, span: true},
}

// String gives the fault as a line of a plan.
func (f Fault) String() string {
	s, line := shapes[f.Kind], string(f.Kind)
	for _, l := range f.Links {
		line += fmt.Sprintf(" %s>%s", l.From, l.To)
	}
	for _, word := range []string{f.Node, f.To, f.What} {
		if word != "" {
			line += " " + word
		}
	}
	if f.Unit != "" {
		line += fmt.Sprintf(" %s %d", f.Unit, f.N)
	} else {
		line += fmt.Sprintf(" at %v", f.At)
	}
	if s.span {
		line += fmt.Sprintf(" for %v", f.For)
	}
	if s.keep {
		line += fmt.Sprintf(" keep %d", f.Keep)
	}
	return line
}

// parseFault reads the words of a line.
func parseFault(words []string) (f Fault, err error) {
	f.Kind = Kind(words[0])
	s, known := shapes[f.Kind]
	if !known {
		return f, fmt.Errorf("unknown word %q", words[0])
	}
	words = words[1:]
	if s.links {
		for len(words) > 0 && strings.Contains(words[0], ">") {
			from, to, _ := strings.Cut(words[0], ">")
			f.Links, words = append(f.Links, Direction{from, to}), words[1:]
		}
	} else {
		for _, place := range []struct {
			wanted bool
			into   *string
		}{{true, &f.Node}, {s.to, &f.To}, {s.what, &f.What}} {
			if !place.wanted {
				continue
			}
			if len(words) == 0 {
				return f, fmt.Errorf("%s: a name is missing", f.Kind)
			}
			*place.into, words = words[0], words[1:]
		}
	}
	if err := f.parsePairs(s, words); err != nil {
		return f, fmt.Errorf("%s: %w", f.Kind, err)
	}
	return f, nil
}

// parsePairs reads what follows the names: words in pairs.
func (f *Fault) parsePairs(s shape, words []string) (err error) {
	placed := false
	for ; len(words) >= 2 && err == nil; words = words[2:] {
		switch key, value := words[0], words[1]; {
		case key == "at" && s.at && !placed:
			placed = true
			f.At, err = time.ParseDuration(value)
		case key == "for" && s.span:
			f.For, err = time.ParseDuration(value)
		case key == "keep" && s.keep:
			f.Keep, err = strconv.ParseUint(value, 10, 64)
		case strings.Contains(" "+s.units+" ", " "+key+" ") && !placed:
			placed, f.Unit = true, key
			f.N, err = strconv.ParseUint(value, 10, 64)
		default:
			return fmt.Errorf("unexpected %q", key)
		}
	}
	if err == nil && len(words) > 0 {
		return fmt.Errorf("unexpected %q", words[0])
	}
	if err == nil && !placed {
		return errors.New("it does not say when")
	}
	return err
}
