package sim

import (
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
)

// A transaction that breaks every machine, sent to all validators again and again, stops none of them: each proposer drops it, builds its block without it, and
// refuses it with the reason. Blocks keep their pace, and two plays of a seed are the same play.
func TestTransactionThatBreaksTheMachine(t *testing.T) {
	key, err := clientKey(clientsMax - 1)
	if err != nil {
		t.Fatal(err)
	}
	for seed := uint64(1); seed <= 4; seed++ {
		var traces [2]uint64
		for play := range traces {
			p := calm(4)
			p.Seed, p.Chaos = seed, 0
			s := tell(t, p)
			times := 0
			s.breaks = func(x *drain.Turn) bool {
				broken := x.Target == molasses
				if broken {
					times++
				}
				return broken
			}
			s.reach(3)
			h := press(s, &tx.Transfer{To: account.Address{1}, Amount: 1}, &tx.Execute{To: molasses, Handler: []byte("x")})
			height := s.chain.Height()
			longest, stops := s.stops(30*time.Second, millis(p.Timeouts.Leader))
			if blocks := s.chain.Height() - height; blocks < 100 || stops > 0 {
				t.Errorf("seed %d: %d blocks, the longest after %v, %d stops", seed, blocks, longest, stops)
			}
			for _, m := range s.machines {
				if h.last[m.name] != lanes.ErrBroken || m.lives != 1 {
					t.Errorf("seed %d: %s says %v in its life %d", seed, m.name, h.last[m.name], m.lives)
				}
			}
			if sender, err := account.Load(s.chain.State(), key.Address()); err != nil || sender.Nonce != 1 {
				t.Errorf("seed %d: %d transactions of the sender, %v", seed, sender.Nonce, err)
			}
			if times != 2*len(s.machines) {
				t.Errorf("seed %d: it broke machines %d times", seed, times)
			}
			traces[play] = s.trace.Sum64()
		}
		if traces[0] != traces[1] {
			t.Errorf("seed %d: traces %x", seed, traces)
		}
	}
}
