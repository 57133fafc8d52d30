package host

import (
	"encoding/hex"
	"slices"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// What a watch keeps of one turn.
const (
	maxPrinted = 64 << 10 // bytes
	maxPlaces  = 64       // of one failure, called actors included
	maxBefore  = 4        // failures before a failure
	maxNames   = 64       // of handlers

	namesBudget = 200_000 // cycles for finding them, which nobody pays
)

// Watch is told by a host what its turns leave for people: where they failed and what they printed. No outcome depends on there being one: a node that
// executes blocks has none.
type Watch struct {
	// Failure is how the last turn failed; nil if it did not, or not in the code of an actor.
	Failure *Failure
	// Printed is what actors printed in the last turn, 64 KiB at most, in calls that failed too.
	Printed []Print
	// Missing is the handler that the last turn asked an actor for in vain, the turn's own or a nested call's; nil where every one was there.
	Missing *Missing

	// Record says which turns are recorded call by call; nil: none is.
	Record func(*drain.Turn) bool
	// Calls are those of the last turn, if it was recorded, in the order in which they began; the first is the turn's own. There are at most 128, and Skipped
	// further ones.
	Calls   []Call
	Skipped int

	// Profile says into what the cycles of a turn are counted by function and line, handlers of actors that it calls included; nil, or a nil profile: nothing.
	// What the copies cost with which a turn begins is shown at the first line of its module. Files of actors have their code hash as name, in hex.
	Profile func(*drain.Turn) *pvm.Profile

	tape    *tape
	profile *pvm.Profile
	left    int
	sources map[digest.Hash][]string
}

// Print is what one actor printed without another printing in between.
type Print struct {
	Actor account.Address `json:"actor"`
	Text  string          `json:"text"` // as it was printed: an actor's own words
}

// Missing is a handler that an actor does not have.
type Missing struct {
	Actor   account.Address `json:"actor"`
	Handler string          `json:"handler"`
	Has     []string        `json:"has"` // the names of those it has, sorted, 64 at most
}

// Failure is how a handler failed. Its texts are for people, bounded, and hold no character that a terminal obeys.
type Failure struct {
	Type   string  `json:"type,omitempty"` // name of the exception's class; "" where the turn ended otherwise
	Text   string  `json:"text"`
	Places []Place `json:"places"` // outermost first; those of actors that were called stand behind their callers'
	// Before is the exception that was being handled when this one was raised, or its cause if Caused says so; nil: none.
	Before *Failure `json:"before,omitempty"`
	Caused bool     `json:"caused,omitempty"`
}

// Place is where a frame of an actor's own code stood.
type Place struct {
	Actor account.Address `json:"actor"`
	pvm.Place
}

// Error implements error, so that an exception can carry the failure it stands for.
func (f *Failure) Error() string {
	switch {
	case f.Type == "":
		return f.Text
	case f.Text == "":
		return f.Type
	}
	return f.Type + ": " + f.Text
}

// begin forgets the turn before.
func (w *Watch) begin() {
	if w != nil {
		*w = Watch{Record: w.Record, Profile: w.Profile, left: maxPrinted, sources: map[digest.Hash][]string{}}
	}
}

// printer is the output of one actor's frame.
type printer struct {
	watch *Watch
	actor account.Address
}

// Write implements io.Writer; it takes whatever it is given.
func (p *printer) Write(text []byte) (int, error) {
	w := p.watch
	kept := text[:min(len(text), w.left)]
	w.left -= len(kept)
	if len(kept) == 0 {
		return len(text), nil
	}
	if n := len(w.Printed); n > 0 && w.Printed[n-1].Actor == p.actor {
		w.Printed[n-1].Text += string(kept)
	} else {
		w.Printed = append(w.Printed, Print{p.actor, string(kept)})
	}
	return len(text), nil
}

// follow has a frame's machine print to the watch.
func (w *Watch) follow(f *Invocation, m *object.Machine) {
	if w != nil {
		m.Stdout = &printer{w, f.self}
	}
}

// enter has the cycles of an invocation counted; nil where they are not.
func (w *Watch) enter(m *object.Machine, code *Code) *pvm.Entry {
	if w == nil || w.profile == nil {
		return nil
	}
	return w.profile.Enter(m, code.Program.Unit(), profiledName(code.hash))
}

func profiledName(hash digest.Hash) string { return hex.EncodeToString(hash[:]) }

// Profiled is the name that a profile has for the file of an actor's canonical source.
func Profiled(source []byte) string { return profiledName(account.CodeHash(source)) }

// failure describes what ended a frame that ran code; nil where nobody wants to know.
func (w *Watch) failure(f *Invocation, m *object.Machine, code *Code, e *object.Exception, end *ending) *Failure {
	if w == nil || end.failure != nil {
		return nil
	}
	one := w.describe(f, m, code, e, maxBefore)
	if e.Fatal != object.NotFatal {
		one.Type, one.Text = "", end.text
	} else if end.name != "" {
		one.Type = unitext.PlainLine(end.name)
	}
	return one
}

// describe describes an exception and those before it.
func (w *Watch) describe(f *Invocation, m *object.Machine, code *Code, e *object.Exception, links int) *Failure {
	one := &Failure{}
	if e.Fatal == object.NotFatal {
		one.Type, one.Text = unitext.PlainLine(e.Type().Name), unitext.Plain(pvm.Said(m, e))
	}
	own := code.Program.Unit()
	for _, p := range pvm.Places(e, func(u *object.Unit) []string {
		if u != own {
			return u.Lines
		}
		return w.source(f.work.overlay, code.hash)
	}) {
		p.Function = unitext.PlainLine(p.Function)
		if plain := unitext.PlainLine(p.Source); plain != p.Source {
			p.Source, p.Marks = plain, ""
		}
		one.Places = append(one.Places, Place{f.self, p})
	}
	if inner, ok := e.Err.(*Failure); ok { // it stands for the failure of an actor that was called
		one.Places = append(one.Places, inner.Places...)
		one.Before, one.Caused = inner.Before, inner.Caused
	}
	if over := len(one.Places) - maxPlaces; over > 0 {
		one.Places[maxPlaces/2-1].Skipped += over
		one.Places = append(one.Places[:maxPlaces/2:maxPlaces/2], one.Places[maxPlaces/2+over:]...)
	}
	if links > 0 && e.Fatal == object.NotFatal {
		var cause *object.Exception
		if !e.Cause.IsZero() {
			cause, _ = e.Cause.AsException()
		}
		switch {
		case cause != nil:
			one.Before, one.Caused = w.describe(f, m, code, cause, links-1), true
		case e.Context != nil && !e.Suppress:
			one.Before, one.Caused = w.describe(f, m, code, e.Context, links-1), false
		}
	}
	return one
}

// missing notes that an actor lacks a handler.
func (w *Watch) missing(f *Invocation, m *object.Machine, mod *object.Module, handler string) {
	if w == nil {
		return
	}
	defer f.entry.Pause()()
	defer m.Meter().Aside(namesBudget)()
	class := f.class
	if class.IsZero() {
		class = ownClass(mod)
	}
	var names []string
	note := func(key object.Value, is bool) {
		if name, ok := key.AsStr(); ok && is && name.Len() > 0 && name.String()[0] != '_' && !isResume(name.String()) {
			names = append(names, unitext.PlainLine(name.String()))
		}
	}
	mod.Dict.Each(func(key, v object.Value) bool { note(key, ownFunction(m, mod, v) != nil); return true })
	if !f.named.IsZero() {
		table, _ := f.named.AsDict()
		table.Each(func(key, _ object.Value) bool { note(key, true); return true })
	}
	if !class.IsZero() {
		t, _ := class.AsType()
		for _, base := range t.MRO() {
			if base.Static() {
				continue
			}
			base.Dict().Each(func(key, v object.Value) bool { _, is := v.AsFunction(); note(key, is); return true })
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	w.Missing = &Missing{f.self, unitext.PlainLine(handler), names[:min(len(names), maxNames)]}
}

// source gives the lines of deployed source; nil where it is not in state, as that of an actor that was upgraded meanwhile.
func (w *Watch) source(from state.Reader, hash digest.Hash) []string {
	if lines, ok := w.sources[hash]; ok {
		return lines
	}
	var lines []string
	if source, ok, err := from.Lookup(CodeKey(hash)); err == nil && ok {
		lines = strings.Split(string(source), "\n")
	}
	w.sources[hash] = lines
	return lines
}

// explained is an error of a call, with how the callee failed.
type explained struct {
	error
	failure *Failure
}

// Unwrap gives the error as those see it who do not care.
func (c *explained) Unwrap() error { return c.error }

// from has an error tell of the failure it stands for.
func (e *ending) from(err error) error {
	if e.told == nil {
		return err
	}
	return &explained{err, e.told}
}
