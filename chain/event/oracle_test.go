package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// step is an operation with what became of it: of the coins, those of actors 1 to 4, what is held and what was burned; and the orders of the two topics.
type step struct {
	name         string
	now          unit.Height
	cycle, cell  uint64
	args         []any
	outcome      string
	coins        [4]unit.Amount
	held, burned unit.Amount
	orders       [2][]int
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *step) UnmarshalJSON(data []byte) error {
	return json.Unmarshal(data, &[]any{&s.name, &s.now, &s.cycle, &s.cell, &s.args, &s.outcome, &s.coins, &s.held, &s.burned, &s.orders})
}

func (s *step) number(i int) uint64 { return uint64(s.args[i].(float64)) }

// isReject reports whether an error is the one that testdata/outcomes.py names.
func isReject(err error, name string) bool {
	if name == "funds" {
		var short *account.ShortfallError
		return errors.As(err, &short)
	}
	return errors.Is(err, map[string]error{
		"": nil, "topic": ErrTopic, "prepaid": ErrPrepaid, "unknown": ErrUnknown, "party": ErrParty, "zero": ErrZero,
	}[name])
}

// Every step of sixteen random lives ends as a program has it that was written from the document alone: the reject, each coin, the order of the next emit.
// Prices change from block to block; gas, bids, topics and what hooks use are around their limits: one below, at and above.
//
// Spec: gateway-payments-streams §H.1, §H.2.
func TestLivesAsTheDocumentHasThem(t *testing.T) {
	var runs [][]step
	if golden.Recorded(t, "testdata/outcomes.json", &runs); len(runs) != 16 {
		t.Fatal(len(runs))
	}
	met := map[string]bool{}
	for i, steps := range runs {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			w := newWorld(t)
			subs := []digest.Hash{}
			for n, s := range steps {
				w.now, w.rates = s.now, params.Basefees{Cycle: s.cycle, Cell: s.cell}
				if err := w.play(&subs, &s); !isReject(err, s.outcome) {
					t.Fatalf("%d, %s %v at %d: %v, want %q", n, s.name, s.args, s.now, err, s.outcome)
				}
				met[s.name+" "+s.outcome] = true
				w.holds(n, &s, subs)
			}
		})
	}
	for _, want := range []string{
		"subscribe topic", "subscribe prepaid", "subscribe funds", "update_bid unknown", "update_bid party", "update_bid zero", "update_bid funds",
		"topup unknown", "topup zero", "topup funds", "unsubscribe unknown", "unsubscribe party", "force unknown", "force party", "subscribe ", "update_bid ",
		"topup ", "unsubscribe ", "force ", "emit ",
	} {
		if !met[want] {
			t.Errorf("no step is %q", want)
		}
	}
}

// play does one step. Actor 5 emits.
func (w *world) play(subs *[]digest.Hash, s *step) error {
	sub := func(i int) digest.Hash {
		if n := int(s.number(i)); n < len(*subs) {
			return (*subs)[n]
		}
		return digest.Hash{1}
	}
	switch s.name {
	case "subscribe":
		id, err := w.subscribe(byte(s.number(0)), 5, s.args[1].(string), s.number(2), unit.Amount(s.number(3)))
		if err == nil {
			*subs = append(*subs, id)
		}
		return err
	case "update_bid":
		n := byte(s.number(0))
		return w.do(n, func(b *Book) error { return b.UpdateBid(account.Address{n}, sub(1), unit.Amount(s.number(2))) })
	case "topup":
		return w.do(byte(s.number(0)), func(b *Book) error { return b.TopUp(sub(1), s.number(2)) })
	case "unsubscribe", "force":
		n := byte(s.number(0))
		return w.do(n, func(b *Book) error { return b.Unsubscribe(account.Address{n}, sub(1), s.name == "force") })
	}
	return w.emit(s.args[0].(string), s.number(1))
}

// emit fires the hooks of a topic in their order, each of which uses so much gas or all that it has.
func (w *world) emit(topic string, use uint64) error {
	var fires []Fire
	err := w.do(5, func(b *Book) error {
		order, err := Order(b.State, TopicID(account.Address{5}, []byte(topic)), PerTopic)
		if err != nil {
			return err
		}
		for _, x := range order {
			_, ready, next, err := b.Look(x.ID)
			if err != nil {
				return err
			}
			if next == Run {
				fires = append(fires, Fire{ID: x.ID, Gas: min(use, ready)})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	burned, err := Spend(w.store, fires)
	w.burned += burned
	return err
}

// holds compares coins and orders with what the program has.
func (w *world) holds(n int, s *step, subs []digest.Hash) {
	w.t.Helper()
	for i, want := range s.coins {
		if got := w.balance(byte(i + 1)); got != want {
			w.t.Fatalf("%d, %s %v: actor %d has %d, want %d", n, s.name, s.args, i+1, got, want)
		}
	}
	c, err := LoadCounters(w.store)
	w.must(err)
	if c.Held != s.held || w.burned != s.burned {
		w.t.Fatalf("%d, %s %v: %d held and %d burned, want %d and %d", n, s.name, s.args, c.Held, w.burned, s.held, s.burned)
	}
	for i, topic := range []string{"t", "uu"} {
		order, err := Order(w.store, TopicID(account.Address{5}, []byte(topic)), PerTopic)
		w.must(err)
		got := make([]int, len(order))
		for k, x := range order {
			got[k] = slices.Index(subs, x.ID)
		}
		if !slices.Equal(got, s.orders[i]) {
			w.t.Fatalf("%d, %s %v: the order of %s is %v, want %v", n, s.name, s.args, topic, got, s.orders[i])
		}
	}
}
