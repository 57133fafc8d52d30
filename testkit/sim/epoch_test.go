package sim

import (
	"flag"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var epochs = flag.Int("epochs", 0, "epochs a network lives through in TestEpochs; an epoch has 3,600 blocks")

// TestEpochs runs a network through the ends of epochs, with machines that crash, lose frames, and one that comes back after being away for most of an
// epoch.
//
// Spec: WP "Validator Set" (epochs); commonware §3.4, §3.6.
func TestEpochs(t *testing.T) {
	if *epochs == 0 {
		t.Skip("run with -args -epochs 2")
	}
	p := PlanOf(1)
	p.Validators, p.Observers, p.Faulty, p.Interval, p.Clients = 4, 1, nil, 10*time.Millisecond, 1
	p.Delay = [2]time.Duration{time.Millisecond, 4 * time.Millisecond}
	p.Loss, p.Dup, p.Split, p.Panics, p.Skew, p.DiskFull, p.DiskFail = 0.001, 0.001, 0, 0, 0, false, false
	p.Crash, p.Power, p.Chaos = 4*time.Second, true, time.Hour
	w, err := NewWorld(p)
	if err != nil {
		t.Fatal(err)
	}
	away := w.machines[4]
	w.after(time.Second, func() {
		away.parked = true
		away.life.end(nil)
	})
	end := unit.Height(*epochs * params.EpochBlocks)
	reached := func(h unit.Height) func() bool { return func() bool { return w.chain.Height() >= h } }
	w.RunUntil(time.Hour, reached(end))
	away.parked = false
	w.heal()
	target := w.chain.Height() + 20
	if !w.RunUntil(2*time.Hour, func() bool { return w.lowest() >= target }) {
		t.Errorf("no progress to height %d: %s", target, w.standings())
	}
	for _, v := range w.chain.Wrong {
		t.Error(v)
	}
	t.Logf("%v; %s", w.result(), w.standings())
}
