package system_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

func turn(in tx.Instruction, target account.Address) *drain.Turn {
	return &drain.Turn{
		Number: 4, Native: true, Target: target, Payload: drain.Payload{Instruction: in},
		Block:   &drain.Block{Height: 10, Params: params.Genesis()},
		Overlay: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay(),
	}
}

// Every reserved address names its chapter and answers with a typed fault while it is not built; so does an address nobody has.
//
// Spec: WP §9.
func TestUnavailable(t *testing.T) {
	if len(system.Table()) != len(account.SystemTable()) {
		t.Fatal("table")
	}
	for _, e := range system.Table() {
		if e.Chapter == "" {
			t.Errorf("%v has no chapter", e.Address)
		}
		out, err := system.Run(turn(nil, e.Address), nil)
		if err != nil || out.Turn != 4 || out.Fault == nil || out.Fault.Code != drain.FaultUnavailable {
			t.Errorf("%s: %+v %v", e.Name, out.Fault, err)
			continue
		}
		if !strings.Contains(out.Fault.Text, string(e.Chapter)) || !strings.Contains(out.Fault.Text, e.Name) {
			t.Errorf("%s: %s", e.Name, out.Fault.Text)
		}
	}
	if out, _ := system.Run(turn(nil, account.System(0x77)), nil); out.Fault == nil || out.Fault.Code != drain.FaultUnavailable {
		t.Error("an address nobody has")
	}
}

// Every built instruction that a system actor executes is one that Run knows.
//
// Spec: WP §9.
func TestEveryBuiltInstructionRuns(t *testing.T) {
	ran := 0
	for _, row := range tx.Rows() {
		home, ok := row.HomeAddress()
		if !ok || !row.Built() {
			continue
		}
		ran++
		out, err := system.Run(turn(row.New(), home), nil)
		if err != nil || out.Turn != 4 || out.Fault != nil && out.Fault.Text == system.Unavailable(home) {
			t.Errorf("%s: %+v %v", row.Name, out.Fault, err)
		}
	}
	if ran == 0 {
		t.Error("no instruction has a home")
	}
}

// A parameter group is replaced under its governance key and read from there by the next block.
//
// Spec: WP §13.1; scheduler-timers §5.
func TestConfigure(t *testing.T) {
	config := params.Genesis().Basefee
	config.CycleTarget = 10_000_000
	x := turn(&tx.UpdateBasefeeConfig{Config: config}, account.System(account.Governance))
	out, err := system.Run(x, nil)
	if err != nil || out.Fault != nil || len(out.Events) != 2 {
		t.Fatalf("%+v %v", out, err)
	}
	p, err := params.Load(x.Overlay)
	if err != nil || p.Basefee != config {
		t.Errorf("%+v %v", p.Basefee, err)
	}
	lanes := params.Genesis().Lanes
	lanes.Timer = 2 * params.MultiplierOne
	x.Payload.Instruction = &tx.UpdateLaneFeeMultipliers{Multipliers: lanes}
	if _, err := system.Run(x, nil); err != nil {
		t.Fatal(err)
	}
	if p, err = params.Load(x.Overlay); err != nil || p.Lanes != lanes {
		t.Errorf("%+v %v", p.Lanes, err)
	}
}

// Every change of a parameter is kept under its history key, with who made it and when, counted over all parameters and announced.
//
// Spec: governance-staking B9 (system:gov:param:history:<key>, config_version, ConfigVersionBumped).
func TestParameterHistory(t *testing.T) {
	basefee, lanes := params.Genesis().Basefee, params.Genesis().Lanes
	x := turn(&tx.UpdateBasefeeConfig{Config: basefee}, account.System(account.Governance))
	x.Sender, x.TxHash = account.Address{7}, digest.Hash{9}
	var bumped []string
	run := func(in tx.Instruction) {
		t.Helper()
		x.Payload.Instruction = in
		out, err := system.Run(x, nil)
		if err != nil || out.Fault != nil || len(out.Events) != 2 {
			t.Fatalf("%+v %v", out, err)
		}
		if e := out.Events[1]; string(e.Topic) == "ConfigVersionBumped" && e.Actor == account.System(account.Governance) {
			bumped = append(bumped, fmt.Sprint(e.Data[0], " ", string(e.Data[2:])))
		}
	}
	run(&tx.UpdateBasefeeConfig{Config: basefee})
	lanes.User = 2
	run(&tx.UpdateLaneFeeMultipliers{Multipliers: lanes})
	basefee.CycleTarget++
	run(&tx.UpdateBasefeeConfig{Config: basefee})
	if got := fmt.Sprint(bumped); got != "[1 system:basefee_config 2 system:lane_fee_multipliers 3 system:basefee_config]" {
		t.Error(got)
	}
	if n, err := params.Version(x.Overlay); err != nil || n != 3 {
		t.Errorf("version %d, %v", n, err)
	}
	read := func(key string, after uint64, limit int) (list []params.Change) {
		if err := params.History(x.Overlay, key, after, limit, func(c params.Change) bool { list = append(list, c); return true }); err != nil {
			t.Fatal(err)
		}
		return list
	}
	all := read(params.KeyBasefee, 0, 10)
	if len(all) != 2 || all[0].Version != 1 || all[1].Version != 3 || string(all[1].Value) != string(basefee.Append(nil)) {
		t.Fatalf("%+v", all)
	}
	if c := all[1]; c.By != x.Sender || c.Tx != x.TxHash || c.Height != x.Block.Height {
		t.Errorf("%+v", c)
	}
	if list := read(params.KeyBasefee, 1, 10); len(list) != 1 || list[0].Version != 3 {
		t.Errorf("after the first: %+v", list)
	}
	if list := read(params.KeyBasefee, 0, 1); len(list) != 1 || list[0].Version != 1 {
		t.Errorf("the first: %+v", list)
	}
	if list := read(params.KeyTimer, 0, 10); len(list) != 0 {
		t.Errorf("of a parameter nobody changed: %+v", list)
	}
	under := account.KeyString(account.KindStorage, account.System(account.Governance), "system:gov:param:history:system:basefee_config")
	found := 0
	if err := x.Overlay.Scan(under, nil, 0, func(_, _ []byte) bool { found++; return true }); err != nil || found != 2 {
		t.Errorf("%d entries under the published key, %v", found, err)
	}
}
