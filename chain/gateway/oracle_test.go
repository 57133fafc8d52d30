package gateway

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// step is an operation with what became of it: the coins that come back, those held, the gateway's health, and whether it is active.
type step struct {
	name       string
	now        unit.Height
	args       []uint64
	outcome    string
	back, held unit.Amount
	health     uint64
	active     bool
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.args, &s.outcome, &s.back, &s.held, &s.health, &s.active})
}

// Every step of sixteen random lives of a gateway, and two hundred shares of the pool, are those of a program that was written from the document alone: the
// reject, the coins, health and whether it may bring requests. Stakes, ports, endpoints and heights are around their limits: one below, at and above.
//
// Spec: gateway-payments-streams §B (register_gateway, heartbeat, unstake, is_active_gateway; reward per epoch).
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	var all struct {
		Shares [][6]uint64
		Lives  [][]step
	}
	if golden.Recorded(t, "testdata/outcomes.json", &all); len(all.Shares) != 200 || len(all.Lives) != 16 {
		t.Fatal(len(all.Shares), len(all.Lives))
	}
	for _, x := range all.Shares {
		if got := Share(unit.Amount(x[0]), GenesisPool(), unit.Amount(x[1]), unit.Amount(x[2]), x[3], x[4]); got != unit.Amount(x[5]) {
			t.Errorf("of %v: %d", x, got)
		}
	}
	rejects := map[string]error{
		"": nil, "endpoint": ErrEndpoint, "leaving": ErrLeaving, "stake": ErrStake, "unknown": ErrUnknown, "unauthorized": ErrUnauthorized,
	}
	a, met := address(1), map[string]bool{}
	for i, steps := range all.Lives {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			g := &Registry{State: newState(), Config: Genesis()}
			for n, s := range steps {
				g.Height = s.now
				back, err := unit.Amount(0), error(nil)
				switch s.name {
				case "register":
					err = g.Register(a, strings.Repeat("e", int(s.args[0])), s.args[1], unit.Amount(s.args[2]))
				case "heartbeat":
					err = g.Heartbeat(a)
				case "unstake":
					back, err = g.Unstake(a)
				default:
					_, err = g.Active(a)
				}
				if !errors.Is(err, rejects[s.outcome]) || (err == nil) != (s.outcome == "") {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				met[s.name+" "+s.outcome] = true
				p, err := Load(g.State, a)
				health := uint64(0)
				if err == nil {
					health = p.HealthAt(g.Config, s.now)
				} else if !errors.Is(err, ErrUnknown) {
					t.Fatal(err)
				}
				_, inactive := g.Active(a)
				if back != s.back || held(g.State) != s.held || health != s.health || (inactive == nil) != s.active {
					t.Fatalf("%d, %s %v at %d: %d back, %d held, health %d, %v; want %+v", n, s.name, s.args, s.now, back, held(g.State), health, inactive, s)
				}
			}
		})
	}
	for _, want := range []string{
		"register ", "register endpoint", "register leaving", "register stake", "heartbeat ", "heartbeat leaving", "unstake ", "unstake leaving", "look ",
		"look unauthorized",
	} {
		if !met[want] {
			t.Errorf("no step is %q", want)
		}
	}
}
