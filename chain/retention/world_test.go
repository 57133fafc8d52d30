package retention

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const cby = 1_000_000_000 // base units

// rich is what everybody has in the beginning.
const rich = 1_000_000 * cby

// world is a chain of contracts and relays alone, whose relays never end an epoch.
type world struct {
	t    testing.TB
	s    *state.Overlay
	g    *relay.Registry
	m    *Market
	said []event
}

type event struct {
	topic string
	data  []byte
}

func operator(n int) account.Address { return account.Address{0: 1, 19: byte(n)} }

func keeper(n int) account.Address { return account.Address{0: 2, 19: byte(n)} }

// newWorld has four operators and eight relays, at height 1,200: the first block of epoch 2.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, s: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()}
	terms := relay.Genesis()
	terms.Rent.EpochBlocks, terms.Proof.Interval, terms.Policy.StaleMs = 1<<40, 1<<40, 1<<50
	emit := func(topic string, data []byte) { w.said = append(w.said, event{topic, data}) }
	w.g = &relay.Registry{State: w.s, Terms: terms, Emit: func(string, []byte) {}}
	w.m = &Market{State: w.s, Relays: w.g, Emit: emit}
	w.at(1_200)
	for n := range 4 {
		w.must(account.Credit(w.s, operator(n), rich))
	}
	for n := range 8 {
		w.must(account.Credit(w.s, keeper(n), rich))
		w.must(account.Credit(w.s, relay.Home(), 5_000*cby))
		p := relay.Profile{Node: digest.Hash{1, byte(n)}, Key: digest.Hash{9}, Endpoint: "relay.example:4433", Capacity: 1 << 40}
		w.must(w.g.Register(keeper(n), p, 5_000*cby))
		w.must(w.g.Heartbeat(keeper(n)))
	}
	return w
}

func (w *world) at(h unit.Height) {
	w.m.Height, w.g.Height, w.g.TimeMs = h, h, uint64(h)*1_000
	seed := digest.Blake3(binary.BigEndian.AppendUint64(nil, uint64(h)))
	w.g.Beacon = append(seed[:], seed[:16]...)
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// pass ends blocks until the next one is at a height.
func (w *world) pass(to unit.Height) {
	w.t.Helper()
	for w.m.Height < to {
		w.must(w.m.End())
		w.at(w.m.Height + 1)
	}
}

// epoch ends blocks until the next one is the tenth of an epoch.
func (w *world) epoch(n uint64) { w.t.Helper(); w.pass(unit.Height(n*600 + 10)) }

// try makes a call with coins, and undoes it where it is refused with what is expected.
func (w *world) try(want error, by account.Address, coins unit.Amount, run func() error) {
	w.t.Helper()
	mark, burned, said := w.s.Mark(), w.g.Burned, len(w.said)
	w.must(account.Move(w.s, by, Home(), coins))
	err := run()
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		w.t.Fatalf("%v, want %v", err, want)
	}
	if err != nil {
		w.s.Revert(mark)
		w.g.Burned, w.said = burned, w.said[:said]
	}
}

func (w *world) balance(who account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.s, who)
	w.must(err)
	return a.Balance
}

// gained is what somebody has more than in the beginning, below zero as int64.
func (w *world) gained(who account.Address) int64 { return int64(w.balance(who)) - int64(rich) }

// sums holds the coins to what they are: none comes into being, and those of 0x0B are somebody's.
func (w *world) sums() {
	w.t.Helper()
	all := w.g.Burned + w.balance(Home()) + w.balance(relay.Home())
	for n := range 4 {
		all += w.balance(operator(n))
	}
	for n := range 8 {
		all += w.balance(keeper(n))
	}
	if want := unit.Amount(12*rich + 8*5_000*cby); all != want {
		w.t.Fatalf("%d coins, want %d", all, want)
	}
	k, err := relay.LoadClock(w.s)
	w.must(err)
	held := k.Pool + k.Pot + k.Left + 8*5_000*cby
	ids, list, err := List(w.s, digest.Hash{}, 1_000)
	w.must(err)
	for i, c := range list {
		held += c.Escrow
		for _, who := range c.Providers {
			one, err := LoadCommitment(w.s, ids[i], who)
			w.must(err)
			held += one.Stake
		}
	}
	if got := w.balance(relay.Home()); got != held {
		w.t.Fatalf("0x0B has %d, which are owed to %d", got, held)
	}
}

// files are what the contracts of these tests are about: three pieces, and one.
func files() [][]byte {
	return [][]byte{bytes.Repeat([]byte("abcdefgh"), 300), []byte("short")}
}

func blobs(list [][]byte) (raw []byte) {
	for _, data := range list {
		ref := cbfs.RefOf(cbfs.Blake3, data)
		ref.ChunkSize = 1_024
		root := cbfs.PieceRoot(data, 1_024)
		raw = append(append(raw, ref.Encode()...), root[:]...)
	}
	return raw
}

// policy is from epoch 3 to 9, by two providers, each audited every second epoch.
func policy() Policy {
	return Policy{
		Start: 3, End: 9, Replicas: 2, Cadence: 2, Samples: 2, Rate: 7 * cby, Penalty: Both, Stake: 100 * cby, Slash: 30 * cby, Strikes: 3,
	}
}

func (w *world) create(p Policy) digest.Hash {
	w.t.Helper()
	coins := p.Rate * unit.Amount(p.End-p.Start) * unit.Amount(p.Replicas)
	var id digest.Hash
	w.try(nil, operator(0), coins, func() (err error) {
		id, err = w.m.Create(operator(0), digest.Hash{1}, Request{Blobs: blobs(files()), Policy: p}, coins)
		return err
	})
	return id
}

func (w *world) accept(id digest.Hash, n int, stake unit.Amount) {
	w.t.Helper()
	w.try(nil, keeper(n), stake, func() error { return w.m.Accept(keeper(n), id, "", stake) })
}

// answer makes the pieces that a provider is asked for; rotten spoils the last.
func (w *world) answer(id digest.Hash, n int, rotten bool) []cbfs.Piece {
	w.t.Helper()
	c, err := Load(w.s, id)
	w.must(err)
	seed, err := LoadSeed(w.s)
	w.must(err)
	var list []cbfs.Piece
	for _, at := range c.Asked(AuditID(seed.Random, id, keeper(n), EpochOf(w.m.Height))) {
		list = append(list, cbfs.ProvePiece(files()[at.Blob], 1_024, at.Piece))
	}
	if rotten {
		last := &list[len(list)-1]
		last.Bytes = slices.Clone(last.Bytes)
		last.Bytes[0]++
	}
	return list
}

func (w *world) prove(id digest.Hash, n int, want bool) {
	w.t.Helper()
	right, err := w.m.Prove(keeper(n), id, w.answer(id, n, !want))
	if err != nil || right != want {
		w.t.Fatal(right, err)
	}
}
