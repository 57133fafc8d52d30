package event

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
	"github.com/cowboyinc/cowboy-go/testkit/touched"
)

// world is a book with coins around it: those of subscribers, and what was burned.
type world struct {
	t      testing.TB
	under  *state.Overlay // the accounts, which do not count
	store  *touched.Store
	now    unit.Height
	rates  params.Basefees
	burned unit.Amount
	used   map[digest.Hash]uint64
}

func newWorld(t testing.TB) *world {
	under := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	w := &world{
		t: t, under: under, store: &touched.Store{Store: under}, now: 100,
		rates: params.Basefees{Cycle: 3, Cell: 2}, used: map[digest.Hash]uint64{},
	}
	for n := byte(1); n <= 8; n++ {
		a := account.Account{Kind: account.Actor, Balance: 10_000_000}
		account.Save(w.under, account.Address{n}, &a)
	}
	return w
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) balance(n byte) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.under, account.Address{n})
	w.must(err)
	return a.Balance
}

// do runs one operation of actor n as a turn does: a reject leaves nothing.
func (w *world) do(n byte, run func(b *Book) error) error {
	mark, burned := w.under.Mark(), w.burned
	err := run(&Book{
		State: w.store, Height: w.now, Rates: w.rates, Used: func(id digest.Hash) uint64 { return w.used[id] },
		Spend: func(amount unit.Amount) error { return account.Debit(w.under, account.Address{n}, amount) },
		Bill:  func(account.Address) error { return nil }, Burn: func(amount unit.Amount) { w.burned += amount }, Emit: func(string, []byte) {},
	})
	if err != nil {
		w.under.Revert(mark)
		w.burned = burned
	}
	return err
}

func (w *world) subscribe(n, emitter byte, topic string, gas uint64, bid unit.Amount) (id digest.Hash, err error) {
	err = w.do(n, func(b *Book) error {
		id, err = b.Subscribe(account.Address{n}, Terms{account.Address{emitter}, []byte(topic), []byte("hook"), gas, bid})
		return err
	})
	return id, err
}

// told is a subscription as the model has it: an entry of a plain list.
type told struct {
	id                    digest.Hash
	by, emitter           byte
	topic                 string
	gas, added, paid, bid uint64
	bond                  uint64
	since, addedIn        unit.Height
}

// model is all subscriptions, in the order of subscribing, and the coins.
type model struct {
	list   []told
	have   [9]uint64
	burned uint64
}

func (m *model) index(id digest.Hash) int {
	return slices.IndexFunc(m.list, func(x told) bool { return x.id == id })
}

// sorted is the order of a topic: sorted anew each time.
func (m *model) sorted(emitter byte, topic string) (list []told) {
	for _, x := range m.list {
		if x.emitter == emitter && x.topic == topic {
			list = append(list, x)
		}
	}
	slices.SortStableFunc(list, func(a, b told) int {
		switch {
		case a.bid != b.bid:
			return map[bool]int{true: -1, false: 1}[a.bid > b.bid]
		case a.since != b.since:
			return map[bool]int{true: -1, false: 1}[a.since < b.since]
		}
		return slices.Compare(a.id[:], b.id[:])
	})
	return list
}

// use burns the part of the price that gas is.
func (m *model) use(i int, gas uint64) {
	x := &m.list[i]
	cost := x.paid
	if gas < x.gas {
		cost = x.paid * gas / x.gas
	}
	x.gas, x.paid, m.burned = x.gas-min(gas, x.gas), x.paid-cost, m.burned+cost
}

// Random operations of eight actors against the model: places, gas, and every coin.
//
// Spec: gateway-payments-streams §H.1, §H.2.
func TestRandomSubscriptions(t *testing.T) {
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random, w, m := rand.New(rand.NewPCG(seed, 2)), newWorld(t), &model{}
			for i := range m.have {
				m.have[i] = 10_000_000
			}
			for range 500 {
				w.step(random, m)
				w.agrees(m)
			}
			if len(m.list) < 3 {
				t.Errorf("%d subscriptions are left: the draw says little", len(m.list))
			}
		})
	}
}

// step is one operation of both.
func (w *world) step(random *rand.Rand, m *model) {
	w.now += unit.Height(random.IntN(3))
	w.rates = params.Basefees{Cycle: 1 + random.Uint64N(5), Cell: 1 + random.Uint64N(5)}
	by, emitter, topic := byte(1+random.IntN(8)), byte(1+random.IntN(2)), []string{"t", "u"}[random.IntN(2)]
	var x told
	if len(m.list) > 0 {
		x = m.list[random.IntN(len(m.list))]
	}
	i := m.index(x.id)
	switch kind := random.IntN(8); {
	case i < 0 || kind < 2:
		gas, bid := 49_000+random.Uint64N(30_000), random.Uint64N(4)
		id, err := w.subscribe(by, emitter, topic, gas, unit.Amount(bid))
		bond := (400 + 1 + 4) * w.rates.Cell
		cost := (gas+10_000)*w.rates.Cycle + bond + bid
		if may := gas >= 50_000 && m.have[by] >= cost; may != (err == nil) {
			w.t.Fatalf("subscribe with %d: %v", gas, err)
		} else if may {
			m.have[by] -= cost
			m.burned += 10_000*w.rates.Cycle + bid
			m.list = append(m.list, told{
				id: id, by: by, emitter: emitter, topic: topic, gas: gas, paid: gas * w.rates.Cycle, bid: bid, bond: bond, since: w.now,
			})
		}
	case kind == 2:
		delta := random.Uint64N(3)
		err := w.do(by, func(b *Book) error { return b.UpdateBid(account.Address{by}, x.id, unit.Amount(delta)) })
		if may := by == x.by && delta > 0 && m.have[by] >= delta; may != (err == nil) {
			w.t.Fatalf("bid %d: %v", delta, err)
		} else if may {
			m.have[by], m.burned, m.list[i].bid = m.have[by]-delta, m.burned+delta, x.bid+delta
		}
	case kind == 3:
		gas := random.Uint64N(20_000)
		err := w.do(by, func(b *Book) error { return b.TopUp(x.id, gas) })
		if may := gas > 0 && m.have[by] >= gas*w.rates.Cycle; may != (err == nil) {
			w.t.Fatalf("top up %d: %v", gas, err)
		} else if may {
			m.have[by] -= gas * w.rates.Cycle
			if x.addedIn != w.now {
				m.list[i].added, m.list[i].addedIn = 0, w.now
			}
			m.list[i].added, m.list[i].gas, m.list[i].paid = m.list[i].added+gas, x.gas+gas, x.paid+gas*w.rates.Cycle
		}
	case kind == 4 && random.IntN(2) == 0:
		forced := random.IntN(2) == 0
		err := w.do(by, func(b *Book) error { return b.Unsubscribe(account.Address{by}, x.id, forced) })
		if may := !forced && by == x.by || forced && by == x.emitter; may != (err == nil) {
			w.t.Fatalf("unsubscribe: %v", err)
		} else if may {
			m.have[x.by] += x.paid + x.bond
			m.list = slices.Delete(m.list, i, i+1)
		}
	default:
		w.look(random, m, i)
	}
}

// look is what an emit does with one subscription.
func (w *world) look(random *rand.Rand, m *model, i int) {
	x := m.list[i]
	var ready uint64
	var next Next
	w.must(w.do(0, func(b *Book) (err error) {
		_, ready, next, err = b.Look(x.id)
		return err
	}))
	old := x.gas
	if x.addedIn == w.now {
		old -= min(x.added, x.gas)
	}
	switch {
	case x.since < w.now && old >= 5_000:
		if next != Run || ready != old {
			w.t.Fatalf("%+v at %d: %v with %d", x, w.now, next, ready)
		}
		gas := min(random.Uint64N(40_000), ready)
		burned, err := Spend(w.store, []Fire{{ID: x.id, Gas: gas}})
		w.must(err)
		w.burned += burned
		m.use(i, gas)
	case x.since >= w.now || x.gas >= 5_000:
		if next != Pass {
			w.t.Fatalf("%+v at %d: %v", x, w.now, next)
		}
	default:
		if next != Gone {
			w.t.Fatalf("%+v at %d: %v", x, w.now, next)
		}
		m.have[x.by] += x.paid + x.bond
		m.list = slices.Delete(m.list, i, i+1)
	}
}

// agrees compares everything.
func (w *world) agrees(m *model) {
	w.t.Helper()
	var held uint64
	for _, x := range m.list {
		s, err := Load(w.store, x.id)
		w.must(err)
		held += x.paid + x.bond
		if s.Gas != x.gas || uint64(s.Paid) != x.paid || uint64(s.Bid) != x.bid || uint64(s.Bond) != x.bond || s.Since != x.since {
			w.t.Fatalf("%+v, want %+v", s, x)
		}
	}
	if got, err := Escrow(w.store); err != nil || uint64(got) != held || uint64(w.burned) != m.burned {
		w.t.Fatalf("%d held and %d burned, want %d and %d (%v)", got, w.burned, held, m.burned, err)
	}
	for n := byte(1); n <= 8; n++ {
		if uint64(w.balance(n)) != m.have[n] {
			w.t.Fatalf("actor %d has %d, want %d", n, w.balance(n), m.have[n])
		}
	}
	for _, emitter := range []byte{1, 2} {
		for _, topic := range []string{"t", "u"} {
			want := m.sorted(emitter, topic)
			id := TopicID(account.Address{emitter}, []byte(topic))
			order, err := Order(w.store, id, PerTopic)
			w.must(err)
			if n, err := Count(w.store, id); err != nil || int(n) != len(want) || len(order) != len(want) {
				w.t.Fatalf("%d and %d in the order, want %d", n, len(order), len(want))
			}
			for i, x := range want {
				rank := -1
				w.must(w.do(0, func(b *Book) (err error) { rank, err = b.Rank(x.id); return err }))
				if order[i] != (Entry{x.id, x.since}) || rank != i {
					w.t.Fatalf("place %d is %v (rank %d), want %+v", i, order[i], rank, x)
				}
			}
		}
	}
}

// What one operation touches does not grow with how many subscriptions there are.
//
// Spec: gateway-payments-streams §H.1 (index).
func TestWorkIsInProportion(t *testing.T) {
	work := func(others int) (list [4]int) {
		w := newWorld(t)
		w.rates = params.Basefees{Cycle: 1, Cell: 1}
		for range others {
			if _, err := w.subscribe(1, 2, "t", 50_000, 5); err != nil {
				t.Fatal(err)
			}
			a := account.Account{Kind: account.Actor, Balance: 10_000_000}
			account.Save(w.under, account.Address{1}, &a)
		}
		var id digest.Hash
		for i, run := range []func() error{
			func() (err error) { id, err = w.subscribe(3, 2, "t", 50_000, 7); return err },
			func() error { return w.do(3, func(b *Book) error { return b.UpdateBid(account.Address{3}, id, 1) }) },
			func() error { w.now++; _, err := Spend(w.store, []Fire{{ID: id, Gas: 10}}); return err },
			func() error {
				return w.do(3, func(b *Book) error { return b.Unsubscribe(account.Address{3}, id, false) })
			},
		} {
			w.store.Reads, w.store.Writes = 0, 0
			w.must(run())
			list[i] = w.store.Reads + w.store.Writes
		}
		return list
	}
	few, many := work(1), work(PerTopic-1) // with its own one the topic is full
	if few != many || many[1] > 8 {
		t.Errorf("%v with one other, %v with 511", few, many)
	}
}

// A bid at the limit of 64 bits stays one; nothing wraps.
//
// Spec: gateway-payments-streams §H.1 (cumulative bid).
func TestNothingWraps(t *testing.T) {
	w := newWorld(t)
	id, err := w.subscribe(3, 2, "t", 50_000, 1)
	w.must(err)
	for name, c := range map[string]struct {
		run  func(b *Book) error
		want error
	}{
		"bid":   {func(b *Book) error { return b.UpdateBid(account.Address{3}, id, ^unit.Amount(0)) }, ErrOverflow},
		"gas":   {func(b *Book) error { return b.TopUp(id, ^uint64(0)) }, ErrOverflow},
		"price": {func(b *Book) error { return b.TopUp(id, 1<<63) }, ErrOverflow},
		"subscribe": {func(b *Book) error {
			_, err := b.Subscribe(account.Address{3}, Terms{account.Address{2}, []byte("t"), []byte("h"), 50_000, ^unit.Amount(0)})
			return err
		}, ErrOverflow},
	} {
		t.Run(name, func(t *testing.T) {
			if err := w.do(3, c.run); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	highest, lower := &Subscription{Bid: ^unit.Amount(0)}, &Subscription{Bid: ^unit.Amount(0) - 1}
	if slices.Compare(highest.orderKey(digest.Hash{9}), lower.orderKey(digest.Hash{1})) >= 0 {
		t.Error("the highest bid is not first")
	}
	if GasOf(1<<63, 1<<63, params.Basefees{Cycle: 1, Cell: 3}) != ^uint64(0) || CellsFor(1<<63, params.Basefees{Cycle: 9, Cell: 1}) != ^uint64(0)>>2 {
		t.Error("gas of more than 64 bits hold wraps")
	}
}

// Spec: gateway-payments-streams §H.2 (a cell's worth of gas).
func TestGasOfCells(t *testing.T) {
	for _, c := range []struct{ cycles, cells, cycle, cell, gas, back uint64 }{
		{100, 0, 3, 2, 100, 0},
		{100, 1, 3, 2, 101, 1},   // two thirds, rounded up
		{100, 3, 3, 2, 102, 3},   // two
		{100, 10, 1, 7, 170, 10}, // a cell is worth seven cycles
	} {
		t.Run(fmt.Sprint(c.cells), func(t *testing.T) {
			rates := params.Basefees{Cycle: c.cycle, Cell: c.cell}
			if got := GasOf(c.cycles, c.cells, rates); got != c.gas {
				t.Errorf("%d, want %d", got, c.gas)
			}
			if got := CellsFor(c.gas-c.cycles, rates); got != c.back {
				t.Errorf("%d cells for it, want %d", got, c.back)
			}
		})
	}
}

// The list of batches has a bound, and what does not fit is left out.
//
// Spec: gateway-payments-streams §H.2 (fires per deferred tx).
func TestBatches(t *testing.T) {
	w := newWorld(t)
	subs := make([]digest.Hash, 130)
	for i := range subs {
		subs[i] = digest.Hash{byte(i), 1}
	}
	like := Batch{Origin: Origin{Block: 100, Tx: digest.Hash{7}, Emit: 3}, Emitter: account.Address{2}, Topic: []byte("t"), Payload: []byte("p"), Depth: 1}
	w.must(w.do(0, func(b *Book) error {
		if n, err := b.Defer(like, subs); err != nil || n != 130 {
			t.Errorf("%d %v", n, err)
		}
		return nil
	}))
	places, err := Pending(w.store, nil, 10)
	w.must(err)
	if len(places) != 3 {
		t.Fatalf("%v", places)
	}
	var all []digest.Hash
	for _, place := range places {
		batch, err := LoadBatch(w.store, place)
		w.must(err)
		all = append(all, batch.Subs...)
		first := batch.ID()
		w.must(w.do(0, func(b *Book) error { return b.Done(batch, 1) }))
		if rest, err := LoadBatch(w.store, place); err != nil || !slices.Equal(rest.Subs, batch.Subs[1:]) || rest.ID() == first {
			t.Errorf("%+v %v", rest, err)
		}
		w.must(w.do(0, func(b *Book) error { return b.Done(batch, len(batch.Subs)) }))
	}
	if !slices.Equal(all, subs) {
		t.Error("out of order")
	}
	c, err := LoadCounters(w.store)
	w.must(err)
	if c.Waiting != 0 || c.Batches != 3 {
		t.Errorf("%+v", c)
	}
	for room, want := range map[uint64]int{0: 0, 1: 64, 2: 128, 3: 130} {
		t.Run(fmt.Sprint(room), func(t *testing.T) {
			mark := w.under.Mark()
			full := c
			full.Waiting = MaxBatches - room
			full.save(w.store)
			w.must(w.do(0, func(b *Book) error {
				if n, err := b.Defer(like, subs); err != nil || n != want {
					t.Errorf("%d, want %d (%v)", n, want, err)
				}
				return nil
			}))
			w.under.Revert(mark)
		})
	}
}

// What hooks used in a turn that removes their subscription is burned with it, and not asked for again.
//
// Spec: gateway-payments-streams §H.2 (refunds gas_remaining).
func TestRemovalSettlesWhatHooksUsed(t *testing.T) {
	w := newWorld(t)
	id, err := w.subscribe(3, 2, "t", 50_000, 0)
	w.must(err)
	before, burned := w.balance(3), w.burned
	w.used[id] = 20_000
	w.must(w.do(3, func(b *Book) error { return b.Unsubscribe(account.Address{3}, id, false) }))
	if got := w.balance(3) - before; got != 30_000*3+405*2 || w.burned-burned != 20_000*3 {
		t.Errorf("%d came back and %d is burned", got, w.burned-burned)
	}
	if more, err := Spend(w.store, []Fire{{ID: id, Gas: 20_000}}); err != nil || more != 0 {
		t.Errorf("%d %v", more, err)
	}
	if held, err := Escrow(w.store); err != nil || held != 0 {
		t.Errorf("%d %v", held, err)
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; gateway-payments-streams §H.1.
func TestGoldenRecords(t *testing.T) {
	s, c, o, b := golden.Fill(&Subscription{}), golden.Fill(&Counters{}), golden.Fill(&Origin{}), golden.Fill(&Batch{})
	golden.Records(t, map[string][]byte{"Subscription": s.Append(nil), "Counters": c.Append(nil), "Origin": o.Append(nil), "Batch": b.Append(nil)})
	if back, err := Decode(s.Append(nil)); err != nil || !reflect.DeepEqual(back, s) {
		t.Errorf("%+v %v", back, err)
	}
	if back, err := DecodeBatch(b.Seq, b.Append(nil)); err != nil || !reflect.DeepEqual(back, b) {
		t.Errorf("%+v %v", back, err)
	}
	most := Subscription{
		Prepaid: 1<<64 - 1, Gas: 1<<64 - 1, Paid: 1<<64 - 1, Bond: 1<<64 - 1, Bid: 1<<64 - 1, Since: 1<<64 - 1, Added: 1<<64 - 1, AddedIn: 1<<64 - 1,
		Fires: 1<<64 - 1, LastOutcome: 1<<16 - 1,
	}
	id := digest.Hash{1}
	size := len(most.Append(nil)) + len(subKey(id)) + len(most.orderKey(id)) + len(at(underOf, most.Subscriber[:], id[:])) - 3
	if size > bytesReserved {
		t.Errorf("the records take %d bytes and pay for %d", size, bytesReserved)
	}
}
