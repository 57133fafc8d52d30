package system_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/govern"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	"github.com/cowboyinc/cowboy-go/runtime/system"
)

// Every way to a system actor asks one function, syscalls too: it lets nothing through while the actor is paused, everything from the block on in which the
// pause is over, and everything to everybody else. An instruction of the actor is refused before its chapter sees it.
//
// Spec: governance-staking B7, part E.
func TestOpen(t *testing.T) {
	x := turn(nil, account.System(account.Bank))
	spec, err := genesis.Devnet(1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := spec.Build(x.Overlay); err != nil {
		t.Fatal(err)
	}
	g := params.Genesis().Governance
	h := &govern.Registry{State: x.Overlay, ChainID: 1, Config: &g, Height: 10, Recoverer: sig.Default()}
	var signatures []sig.Signature
	for _, k := range genesis.DevCouncil()[:7] {
		signatures = append(signatures, k.Sign(govern.Digest(1, 0, 0, govern.PauseAct(x.Target))))
	}
	if err := h.Pause(x.Target, 0, signatures); err != nil {
		t.Fatal(err)
	}
	const until = 10 + 7*params.BlocksPerDay
	for _, c := range []struct {
		at     byte
		height unit.Height
		paused bool
	}{
		{account.Bank, 10, true}, {account.Bank, until - 1, true}, {account.Bank, until, false},
		{account.Governance, 10, false}, {account.Treasury, 10, false},
	} {
		t.Run(fmt.Sprintf("0x%02x in block %d", c.at, c.height), func(t *testing.T) {
			b, y := *x.Block, *x
			b.Height = c.height
			y.Block, y.Target = &b, account.System(c.at)
			err := system.Open(chapter.NewEnv(nil, &y, nil))
			var told *chapter.Error
			if errors.As(err, &told) != c.paused || c.paused && (told.Code != drain.FaultPaused || told.Class != "ActorPausedError") {
				t.Errorf("0x%02x in block %d: %v", c.at, c.height, err)
			}
			out, err := system.Run(&y, nil)
			if err != nil || (out.Fault.Code == drain.FaultPaused) != c.paused {
				t.Errorf("0x%02x in block %d: %+v %v", c.at, c.height, out.Fault, err)
			}
		})
	}
}
