package sim

import (
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/lanes"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// molasses is the actor whose turns take long.
var molasses = account.Address{0x51, 0x09}

// heavy sends client 3's transactions, who sends nothing else, to every machine again and again, the same bytes each time, and knows what the machines said.
type heavy struct {
	s    *story
	raw  [][]byte
	last map[string]error // by machine, about the last transaction
}

func press(s *story, instructions ...tx.Instruction) *heavy {
	key, err := clientKey(clientsMax - 1)
	if err != nil {
		s.t.Fatal(err)
	}
	h := &heavy{s: s, last: map[string]error{}}
	for i, in := range instructions {
		x := &tx.Tx{
			ChainID: chainID, Nonce: uint64(i), Instruction: in, CyclesLimit: 1_000_000, CellsLimit: 100_000, MaxFeePerCycle: 20_000, MaxFeePerCell: 20_000,
			From: key.Address(),
		}
		x.Signature = key.Sign(x.SigningHash())
		h.raw = append(h.raw, x.Encode())
	}
	h.again()
	return h
}

func (h *heavy) again() {
	for _, m := range h.s.machines {
		if m.life == nil || m.life.node == nil {
			continue
		}
		m.life.node.Lanes.Admit(lanes.Submit{Raw: h.raw, Reply: func(r []lanes.Result) { h.last[m.name] = r[len(r)-1].Err }})
	}
	h.s.after(2*time.Second, h.again)
}

func slowPlan(seed uint64, x Slowness) Plan {
	p := calm(4)
	p.Seed, p.Chaos, p.Slow = seed, 0, []Slowness{x}
	return p
}

// A transaction that takes 40 seconds, sent to all validators again and again, costs no block its time: the proposers end it, put it aside, try it alone,
// and drop it; then it is refused with the reason. Two plays of a seed are the same play. Without a budget it takes every block its time, and there are none.
func TestSlowTransaction(t *testing.T) {
	for _, deaf := range []bool{false, true} {
		for seed := uint64(1); seed <= 4; seed++ {
			var traces [2]uint64
			for play := range traces {
				s := tell(t, slowPlan(seed, Slowness{Actor: molasses, Takes: 40 * time.Second, Deaf: deaf}))
				s.reach(3)
				h := press(s, &tx.Execute{To: molasses, Handler: []byte("x")})
				height := s.chain.Height()
				longest, stops := s.stops(30*time.Second, millis(s.plan.Timeouts.Leader))
				// A block comes every 200 ms. One that is late by the budget, or twice if the turn does not end, is in time for its view.
				if blocks := s.chain.Height() - height; blocks < 100 || stops > 0 {
					t.Errorf("deaf %v, seed %d: %d blocks, the longest after %v, %d stops", deaf, seed, blocks, longest, stops)
				}
				for _, m := range s.machines {
					if h.last[m.name] != lanes.ErrSlow {
						t.Errorf("deaf %v, seed %d: %s says %v", deaf, seed, m.name, h.last[m.name])
					}
				}
				traces[play] = s.trace.Sum64()
			}
			if traces[0] != traces[1] {
				t.Errorf("deaf %v, seed %d: traces %x", deaf, seed, traces)
			}
		}
	}
}

// Without a budget the same transaction costs the view of every proposer that has it, and only what is known to be cheap is proposed in between: the budget is
// what keeps the pace.
func TestSlowTransactionWithoutBudget(t *testing.T) {
	for seed := uint64(1); seed <= 3; seed++ {
		p := slowPlan(seed, Slowness{Actor: molasses, Takes: 40 * time.Second})
		p.Budget = time.Hour
		s := tell(t, p)
		s.reach(3)
		h := press(s, &tx.Execute{To: molasses, Handler: []byte("x")})
		height := s.chain.Height()
		longest, stops := s.stops(30*time.Second, millis(p.Timeouts.Leader))
		if blocks := s.chain.Height() - height; stops < 10 || blocks > 75 || h.last["node-0"] == lanes.ErrSlow {
			t.Errorf("seed %d: %d blocks, the longest after %v, %d stops: the load is none", seed, blocks, longest, stops)
		}
	}
}

// The work that a block has to hold cannot be left out: a timer whose turn takes 20 seconds, ten times the certification deadline and more, costs views until
// their deadlines have stretched that far, and the chain goes on.
//
// Spec: WP §6.1 (view change); commonware §3.2.
func TestSlowTimer(t *testing.T) {
	key, err := clientKey(clientsMax - 1)
	if err != nil {
		t.Fatal(err)
	}
	deploy := &tx.Deploy{Code: []byte("def x(m):\n    pass\n"), Salt: []byte{1}}
	salt, err := account.PadSalt(deploy.Salt)
	if err != nil {
		t.Fatal(err)
	}
	actor := account.DeriveActor(key.Address(), salt, digest.Keccak256(deploy.Code))
	for _, takes := range []time.Duration{2 * time.Second, 20 * time.Second} {
		var traces [2]uint64
		for play := range traces {
			s := tell(t, slowPlan(7, Slowness{Actor: actor, Takes: takes}))
			s.reach(3)
			fires := s.chain.Height() + 30
			press(s, deploy, &tx.TimerSchedule{Actor: actor, Height: fires, Handler: []byte("x")})
			s.reach(fires - 1)
			began := s.since()
			s.RunUntil(began+20*time.Minute, func() bool { return s.lowest() >= fires })
			took := s.since() - began
			for _, v := range s.chain.Wrong {
				t.Error(v)
			}
			// The block that holds the turn is built and checked, one after the other.
			if s.lowest() < fires || took < 2*takes {
				t.Errorf("a timer of %v: %v, %s", takes, took, s.standings())
			}
			_, stops := s.stops(10*time.Second, millis(s.plan.Timeouts.Leader))
			if stops > 0 {
				t.Errorf("a timer of %v: %d stops behind it", takes, stops)
			}
			t.Logf("a timer of %v: its block after %v", takes, took)
			traces[play] = s.trace.Sum64()
		}
		if traces[0] != traces[1] {
			t.Errorf("a timer of %v: traces %x", takes, traces)
		}
	}
}

// A transaction that is quick for whoever proposes it and slow for all who check it costs each proposer two views: the one it is first in, and the one it is
// tried alone in. Then it is dropped everywhere.
func TestTransactionSlowForOthers(t *testing.T) {
	for seed := uint64(1); seed <= 4; seed++ {
		s := tell(t, slowPlan(seed, Slowness{Actor: molasses, Takes: 40 * time.Second, Own: 60 * time.Millisecond}))
		s.reach(3)
		h := press(s, &tx.Execute{To: molasses, Handler: []byte("x")})
		height := s.chain.Height()
		longest, _ := s.stops(60*time.Second, millis(s.plan.Timeouts.Leader))
		for _, m := range s.machines {
			if h.last[m.name] != lanes.ErrSlow {
				t.Errorf("seed %d: %s says %v", seed, m.name, h.last[m.name])
			}
		}
		_, stops := s.stops(20*time.Second, millis(s.plan.Timeouts.Leader))
		if blocks := s.chain.Height() - height; blocks < 200 || stops > 0 {
			t.Errorf("seed %d: %d blocks, the longest after %v, %d stops at the end", seed, blocks, longest, stops)
		}
	}
}

// Slow transactions amid faults of every kind: no rule is broken, and the chain goes on when the network has healed.
func TestSlowTransactionAmidFaults(t *testing.T) {
	for seed := uint64(1); seed <= 6; seed++ {
		var traces [2]uint64
		for play := range traces {
			p := PlanOf(seed)
			p.Slow = []Slowness{{Actor: molasses, Takes: 30 * time.Second, Deaf: seed%2 == 0}}
			p.Clients = min(p.Clients, clientsMax-1)
			s := tell(t, p)
			s.after(time.Second, func() { press(s, &tx.Execute{To: molasses, Handler: []byte("x")}) })
			r := s.play()
			for _, v := range r.Wrong {
				t.Errorf("%v: %s", p, v)
			}
			traces[play] = r.Trace
		}
		if traces[0] != traces[1] {
			t.Errorf("seed %d: traces %x", seed, traces)
		}
	}
}

// What a plan says about time is read back as it was written.
func TestSlowPlanText(t *testing.T) {
	p := slowPlan(3, Slowness{Actor: molasses, Takes: 40 * time.Second, Own: time.Millisecond, Deaf: true})
	p.Budget = 250 * time.Millisecond
	p.Slow = append(p.Slow, Slowness{Actor: account.Address{7}, Takes: time.Second})
	again, err := ParsePlan(bytes.NewReader(p.Text()))
	if err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("%v\n%+v\n%+v", err, again, p)
	}
	for _, line := range []string{"slow 51 1s 0s", "slow zz 1s 0s", "deaf 5109000000000000000000000000000000000000 1s -1s", "budget soon"} {
		if _, err := ParsePlan(strings.NewReader(string(p.Text()) + line + "\n")); !errors.Is(err, ErrPlan) {
			t.Errorf("%s: %v", line, err)
		}
	}
}
