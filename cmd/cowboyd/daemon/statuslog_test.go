package daemon

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// TestTellerTellsOnce: a warning is told when it comes, again after ten minutes, and when it is over; catching up at every look, with rate and estimate.
func TestTellerTellsOnce(t *testing.T) {
	spec, err := genesis.Devnet(1, 4)
	if err != nil {
		t.Fatal(err)
	}
	first, err := ledger.Genesis(spec, state.Config{}, state.NewMemory(state.Config{}))
	if err != nil {
		t.Fatal(err)
	}
	now := time.Unix(1_800_000_000, 0)
	agreement := replica.Status{Validators: 4, Rank: 0, Known: 3}
	var sync catchup.Status
	var duties attendant.Status
	header := block.Header{Height: 0, TimestampMs: uint64(now.UnixMilli())}
	key := spec.Validators[0].PublicKey
	s := &standing{
		key: &key, payer: spec.Validators[0].Address, agreement: func() replica.Status { return agreement }, duties: func() attendant.Status { return duties },
		sync: func() catchup.Status { return sync }, tip: func() *ledger.Tip { return &ledger.Tip{Header: &header, State: first.State} }, interval: time.Second,
	}
	var out bytes.Buffer
	lines := &statusLog{log: zerolog.New(&out), standing: s}
	step := func(after time.Duration) string {
		out.Reset()
		now = now.Add(after)
		lines.look(now)
		return out.String()
	}
	if text := step(0); text != "" {
		t.Errorf("nothing is wrong: %s", text)
	}
	duties.Unpaid = true
	if text := step(lookEvery); !strings.Contains(text, `"level":"warn"`) || !strings.Contains(text, spec.Validators[0].Address.String()) ||
		!strings.Contains(text, "cannot pay") || !strings.Contains(text, "send coins") {
		t.Errorf("it cannot pay: %s", text)
	}
	if text := step(againEvery - 1); text != "" {
		t.Errorf("told again: %s", text)
	}
	if text := step(1 + standingEvery); !strings.Contains(text, "cannot pay") {
		t.Errorf("not told again after %v: %s", againEvery, text)
	}
	duties.Unpaid = false
	if text := step(lookEvery); !strings.Contains(text, over["unpaid"]) {
		t.Errorf("not told that it is over: %s", text)
	}
	agreement.Known, agreement.Met = 2, []replica.Met{{Rank: 1}, {Rank: 3}}
	if text := step(lookEvery); text != "" {
		t.Errorf("a moment without a peer: %s", text)
	}
	if text := step(unreachedAfter); !strings.Contains(text, "not connected to 1 of the 3 other validators: "+spec.Validators[2].Address.String()) {
		t.Errorf("out of reach: %s", text)
	}
	agreement.Known = 3
	step(lookEvery)
	sync.Target = 104
	header.Height = 4
	step(lookEvery)
	header.Height = 14 // 10 blocks in 5 s
	if text := step(lookEvery); !strings.Contains(text, "catching up: block 14 of 104, 2.0 blocks a second, about 45s left") {
		t.Errorf("catching up: %s", text)
	}
	header.Height, header.TimestampMs = 104, uint64(now.UnixMilli())
	if text := step(lookEvery); !strings.Contains(text, "caught up") {
		t.Errorf("caught up: %s", text)
	}
}

// TestRunsAgainIsTold: a subsystem's first start is for debugging, every later one is told.
func TestRunsAgainIsTold(t *testing.T) {
	for instance, want := range map[uint64]bool{1: false, 2: true} {
		t.Run(time.Duration(instance).String(), func(t *testing.T) {
			var out bytes.Buffer
			event := supervision.Event{Kind: supervision.EventStarted, Subsystem: "node/core/executor", Instance: instance}
			observe(zerolog.New(&out).Level(zerolog.InfoLevel), event)
			if got := strings.Contains(out.String(), "runs again") && strings.Contains(out.String(), "node/core/executor"); got != want {
				t.Errorf("%q", out.String())
			}
		})
	}
}
