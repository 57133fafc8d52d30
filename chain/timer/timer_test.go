package timer

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/fee"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

var config = params.Genesis().Timer

func at(n byte) account.Address { return account.Address{0: 0xcc, 19: n} }

func newStore(t testing.TB) *state.Overlay {
	t.Helper()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	for n := byte(1); n < 9; n++ {
		a := account.Account{Kind: account.Actor}
		o.Set(at(n).Key(), a.Encode())
	}
	return o
}

// Spec: scheduler-timers §3.
func TestIdentify(t *testing.T) {
	owner := at(1)
	want := digest.Keccak256(owner[:], []byte{0, 0, 0, 0, 0, 0, 0, 9}, []byte("p"), []byte{0, 0, 0, 0, 0, 0, 0, 5})
	if got := Identify(at(1), 9, []byte("p"), 5, 0); got != want {
		t.Error("without a sequence number")
	}
	want = digest.Keccak256(owner[:], []byte{0, 0, 0, 0, 0, 0, 0, 9}, []byte("p"), []byte{0, 0, 0, 0, 0, 0, 0, 5}, []byte{0, 0, 0, 0, 0, 0, 0, 1})
	if got := Identify(at(1), 9, []byte("p"), 5, 1); got != want {
		t.Error("with a sequence number")
	}
}

func cycles(n unit.Cycles) *unit.Cycles        { return &n }
func height(h unit.Height) *unit.Height        { return &h }
func payer(a account.Address) *account.Address { return &a }

// Spec: scheduler-timers §4.
func TestScheduleRefuses(t *testing.T) {
	signer := account.Address{0xaa}
	base := Request{Owner: at(1), Target: at(1), Now: 100, Height: 110, Sender: &signer}
	edit := func(f func(*Request)) Request { q := base; f(&q); return q }
	for name, c := range map[string]struct {
		q    Request
		want error
	}{
		"valid":                      {base, nil},
		"longest handler":            {edit(func(q *Request) { q.Handler = string(make([]byte, 256)) }), nil},
		"longest payload":            {edit(func(q *Request) { q.Payload = make([]byte, 1<<20) }), nil},
		"next height":                {edit(func(q *Request) { q.Height = 101 }), nil},
		"current height":             {edit(func(q *Request) { q.Height = 100 }), ErrHeight},
		"past height":                {edit(func(q *Request) { q.Height = 5 }), ErrHeight},
		"beyond the lifetime":        {edit(func(q *Request) { q.Height = 100 + 2_592_001 }), ErrExpiry},
		"at the end of it":           {edit(func(q *Request) { q.Height = 100 + 2_592_000 }), nil},
		"expiry before the height":   {edit(func(q *Request) { q.ExpiresAt = height(109) }), ErrExpiry},
		"expiry at the height":       {edit(func(q *Request) { q.ExpiresAt = height(110) }), nil},
		"expiry too late":            {edit(func(q *Request) { q.ExpiresAt = height(100 + 2_592_001) }), ErrExpiry},
		"largest gas limit":          {edit(func(q *Request) { q.GasLimit = cycles(550_000) }), nil},
		"gas limit above it":         {edit(func(q *Request) { q.GasLimit = cycles(550_001) }), ErrGasLimit},
		"gas limit zero":             {edit(func(q *Request) { q.GasLimit = cycles(0) }), ErrGasLimit},
		"long handler":               {edit(func(q *Request) { q.Handler = string(make([]byte, 257)) }), ErrSize},
		"long payload":               {edit(func(q *Request) { q.Payload = make([]byte, 1<<20+1) }), ErrSize},
		"payer owner":                {edit(func(q *Request) { q.Payer = payer(at(1)) }), nil},
		"payer signer":               {edit(func(q *Request) { q.Payer = &signer }), nil},
		"payer other":                {edit(func(q *Request) { q.Payer = payer(at(2)) }), ErrPayer},
		"payer zero":                 {edit(func(q *Request) { q.Payer = payer(account.Address{}) }), ErrPayer},
		"payer 0x01":                 {edit(func(q *Request) { q.Payer = payer(account.System(1)) }), ErrPayer},
		"payer 0x0f":                 {edit(func(q *Request) { q.Payer = payer(account.System(15)) }), ErrPayer},
		"system payer by itself":     {edit(func(q *Request) { q.Payer, q.System = payer(account.System(10)), true }), nil},
		"signer without a signature": {edit(func(q *Request) { q.Sender, q.Payer = nil, &signer }), ErrPayer},
		"no actor":                   {edit(func(q *Request) { q.Target = account.Address{7} }), ErrNoActor},
		"interval past the end":      {edit(func(q *Request) { q.Every = 1 << 63; q.Now = 1 << 63 }), ErrInterval},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t)
			id, err := Schedule(s, config, c.q)
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v, want %v", name, err, c.want)
			}
			if _, ok, _ := Load(s, id); ok != (c.want == nil) {
				t.Errorf("%s: stored %v", name, ok)
			}
			if held, _ := Held(s, at(1)); held != map[bool]uint32{true: 1}[c.want == nil] {
				t.Errorf("%s: count %d", name, held)
			}
		})
	}
}

// Buckets are first in, first out, in order of height; what a block leaves comes first in the next.
//
// Spec: WP §5.1a; scheduler-timers §6, §6.4.
func TestDue(t *testing.T) {
	s := newStore(t)
	for i, h := range []unit.Height{12, 10, 11, 10, 12, 11} {
		if _, err := Schedule(s, config, Request{Owner: at(byte(i + 1)), Target: at(1), Now: 1, Height: h}); err != nil {
			t.Fatal(err)
		}
	}
	order := func(now unit.Height, step int) (owners []byte) {
		var last *Entry
		for {
			list, err := Due(s, now, last, step)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range list {
				owners = append(owners, e.Owner[19])
			}
			if len(list) < step {
				return owners
			}
			last = &list[len(list)-1]
		}
	}
	for now, want := range map[unit.Height][]byte{9: nil, 10: {2, 4}, 11: {2, 4, 3, 6}, 12: {2, 4, 3, 6, 1, 5}} {
		t.Run(fmt.Sprint(now), func(t *testing.T) {
			for step := 1; step < 8; step++ {
				if got := order(now, step); !bytes.Equal(got, want) {
					t.Errorf("at %d by %d: %v, want %v", now, step, got, want)
				}
			}
		})
	}
}

// Spec: scheduler-timers §6, §6.2, §7.
func TestExamine(t *testing.T) {
	lane := fee.Rates{Cycle: 10_000, Cell: 10_000}
	timer := Timer{Owner: at(1), Payer: at(1), Height: 10, GasLimit: 100_000}
	examine := func(lane fee.Rates, now unit.Height, balance unit.Amount) Verdict {
		s := newStore(t)
		account.Save(s, at(1), &account.Account{Kind: account.Actor, Balance: balance})
		if err := timer.save(s); err != nil {
			t.Fatal(err)
		}
		terms := Terms{Config: config, Height: now, Lane: lane}
		v, err := terms.Examine(s, timer.entry())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	const cost = 100_000*10_000 + 550_000*10_000
	for _, c := range []struct {
		name    string
		now     unit.Height
		expires unit.Height
		balance unit.Amount
		want    Exit
	}{
		{"funded", 10, 20, cost, Fire},
		{"last block of its life", 20, 20, cost, Fire},
		{"one block later", 21, 20, cost, Expired},
		{"one base unit short", 10, 20, cost - 1, Unfunded},
		{"expiry before funds", 21, 20, 0, Expired},
		{"256 skips", 266, 1_000, cost, Fire},
		{"257 skips", 267, 1_000, cost, DeadLetter},
	} {
		t.Run(c.name, func(t *testing.T) {
			timer.ExpiresAt = c.expires
			if v := examine(lane, c.now, c.balance); v.Exit != c.want || v.Exit == Fire && v.Cost != cost {
				t.Errorf("%s: %v at %d", c.name, v.Exit, v.Cost)
			}
		})
	}
	if v := examine(fee.Rates{Cycle: 1 << 60}, 10, ^unit.Amount(0)); v.Exit != Unfunded {
		t.Errorf("a price beyond 64 bits: %v", v.Exit)
	}
	moved := Terms{Config: config, Height: 10, Lane: lane}
	if v, err := moved.Examine(newStore(t), timer.entry()); err != nil || v.Exit != Gone {
		t.Errorf("a cancelled one: %v, %v", v.Exit, err)
	}
}

// An interval keeps its identifier and slot, moves on by its period, and leaves with its index entry when cancelled.
//
// Spec: scheduler-timers §2.2.
func TestTakeInterval(t *testing.T) {
	s := newStore(t)
	id, err := Schedule(s, config, Request{Owner: at(1), Target: at(1), Now: 1, Every: 5})
	if err != nil {
		t.Fatal(err)
	}
	timer, _, _ := Load(s, id)
	if timer.Height != 6 {
		t.Fatalf("first fire at %d", timer.Height)
	}
	if err := Take(s, 8, &timer); err != nil { // carried over twice
		t.Fatal(err)
	}
	moved, ok, err := Load(s, id)
	if err != nil || !ok || moved.Height != 13 {
		t.Fatalf("%+v %v %v", moved, ok, err)
	}
	if due, _ := Due(s, 12, nil, 9); len(due) != 0 {
		t.Fatal("the old entry is still there")
	}
	owner := at(1)
	if was, err := Cancel(s, &owner, id); !was || err != nil {
		t.Fatal(was, err)
	}
	if due, _ := Due(s, 99, nil, 9); len(due) != 0 {
		t.Fatal("an entry is left")
	}
	if held, _ := Held(s, owner); held != 0 {
		t.Fatalf("%d held", held)
	}
}

// An external account's timers are counted apart and never in an account record.
//
// Spec: WP §17.2 (TimerSchedule); scheduler-timers §4 (2).
func TestExternalOwner(t *testing.T) {
	s := newStore(t)
	me := account.Address{0xaa}
	small := config
	small.MaxTimersPerActor = 2
	for i := range 3 {
		_, err := Schedule(s, small, Request{Owner: me, Target: at(1), Now: 1, Height: 9, Nonce: uint64(i)})
		if (i == 2) != errors.Is(err, ErrLimit) {
			t.Fatalf("timer %d: %v", i, err)
		}
	}
	if held, err := Held(s, me); err != nil || held != 2 {
		t.Fatal(held, err)
	}
	if n, err := PruneOwner(s, me, 10); err != nil || n != 2 {
		t.Fatal(n, err)
	}
	if held, _ := Held(s, me); held != 0 {
		t.Fatal(held)
	}
}

// Spec: scheduler-timers §3.
func FuzzDecode(f *testing.F) {
	bid := uint64(7)
	t := Timer{Owner: at(1), Handler: "h", Payload: []byte("p"), MaxFee: &bid}
	f.Add((&t).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := Decode(ID{}, data); err == nil && !bytes.Equal(d.Encode(), data) {
			t.Fatal("another encoding")
		}
		if e, ok := ParseEntry(append(IndexPrefix(), data...), make([]byte, 52)); ok &&
			!bytes.Equal(IndexKey(e.Height, e.Seq), append(IndexPrefix(), data...)) {
			t.Fatal("another key")
		}
	})
}
