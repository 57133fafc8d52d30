package runner

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// world is a registry with the coins around it.
type world struct {
	t testing.TB
	*Registry
	overlay *state.Overlay
	events  []string
}

func newWorld(t testing.TB) *world {
	overlay := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{t: t, overlay: overlay}
	w.Registry = &Registry{State: overlay, Params: params.Genesis(), Height: 1_000, Emit: func(topic string, data []byte) {
		w.events = append(w.events, fmt.Sprintf("%s %x", topic, data[account.AddressSize:]))
	}}
	return w
}

func keyOf(n byte) *sig.PrivateKey {
	secret := digest.SHA256([]byte{'r', n})
	key, err := sig.ParsePrivateKey(secret[:])
	if err != nil {
		panic(err)
	}
	return key
}

// plain are terms of runner n that are in order.
func plain(n byte, stake, value unit.Amount) Terms {
	return Terms{
		Key: keyOf(n).Compressed(), Stake: stake, Card: RateCard{LLMOutputToken: 3, MaxJobValue: value},
		Capabilities: Capabilities{JobTypes: []Name{{"llm"}}, MaxConcurrentJobs: 2},
	}
}

// register has a runner register with coins of its own, as the chain hands them over.
func (w *world) register(n byte, t Terms) error {
	w.t.Helper()
	if err := account.Credit(w.overlay, Home(), t.Stake); err != nil {
		w.t.Fatal(err)
	}
	mark := w.overlay.Mark()
	err := w.Register(keyOf(n).Address(), t)
	if err != nil {
		w.overlay.Revert(mark)
		if err := account.Debit(w.overlay, Home(), t.Stake); err != nil {
			w.t.Fatal(err)
		}
	}
	return err
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) refused(got, want error) {
	w.t.Helper()
	if !errors.Is(got, want) {
		w.t.Errorf("%v, want %v", got, want)
	}
}

func (w *world) runner(n byte) *Runner {
	w.t.Helper()
	r, ok, err := Load(w.overlay, keyOf(n).Address())
	if err != nil || !ok {
		w.t.Fatalf("runner %d: %v %v", n, ok, err)
	}
	return r
}

func (w *world) balance(of account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.overlay, of)
	w.must(err)
	return a.Balance
}

// said are the events since it was last asked.
func (w *world) said(want ...string) {
	w.t.Helper()
	if !slices.Equal(w.events, want) {
		w.t.Errorf("events %q, want %q", w.events, want)
	}
	w.events = nil
}
