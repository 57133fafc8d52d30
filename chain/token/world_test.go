package token

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is a registry whose hook the test plays.
type world struct {
	t testing.TB
	*Registry
	overlay *state.Overlay
	events  []string
	busy    map[ID]bool
	allow   func(m Move) error
	tell    func(m Move) error
	asked   []string
}

var (
	ann, bob, cid, eve = addr(1), addr(2), addr(3), addr(4)
	hook               = addr(9)
)

func addr(n byte) account.Address { return account.Address{0: 0xaa, 19: n} }

func newWorld(t testing.TB) *world {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay, busy: map[ID]bool{}}
	w.Registry = &Registry{State: overlay, ChainID: 7, Height: 10, Hooks: w, Emit: func(topic string, data []byte) {
		w.events = append(w.events, topic+" "+string(data))
	}}
	return w
}

func (w *world) Busy(id ID) bool { return w.busy[id] }

func (w *world) Allow(_ account.Address, m Move) error { return w.run("can_transfer", m, w.allow) }

func (w *world) Tell(_ account.Address, m Move) error { return w.run("on_transfer", m, w.tell) }

func (w *world) run(name string, m Move, f func(m Move) error) error {
	w.asked = append(w.asked, name)
	if f == nil {
		return nil
	}
	w.busy[m.Token] = true
	defer delete(w.busy, m.Token)
	return f(m)
}

// token creates a token of ann.
func (w *world) token(symbol string, supply uint64, most *unit.Uint128, hook *account.Address) ID {
	w.t.Helper()
	id, err := w.Create(ann, 0, Terms{Name: []byte("Name of " + symbol), Symbol: []byte(symbol), Decimals: 2, Supply: n(supply), Max: most, Hook: hook})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func n(v uint64) unit.Uint128 { return unit.Wide(v) }

// refused runs a function that must give a reject, and undoes what it wrote, as the chain does. nil: it must give none.
func (w *world) refused(what string, want error, run func() error) {
	w.t.Helper()
	mark, events := w.overlay.Mark(), len(w.events)
	err := run()
	if !errors.Is(err, want) || want == nil && err != nil {
		w.t.Errorf("%s: %v, want %v", what, err, want)
	}
	if err != nil {
		w.overlay.Revert(mark)
		w.events = w.events[:events]
	}
}

func (w *world) has(id ID, who account.Address, want uint64) {
	w.t.Helper()
	if got, err := Balance(w.State, id, who); err != nil || got != n(want) {
		w.t.Errorf("%v has %v, want %d (%v)", who, got, want, err)
	}
}

func (w *world) supply(id ID) unit.Uint128 {
	w.t.Helper()
	t, err := Load(w.State, id)
	if err != nil || t == nil {
		w.t.Fatal(t, err)
	}
	return t.Supply
}
