package volume

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

const cby = unit.CBY

// errKey is what the committee's side says of a wrap of epoch 9.
var errKey = errors.New("not the epoch of the committee")

// world is a chain of volumes and relays alone. A block has a second.
type world struct {
	t     testing.TB
	s     *state.Overlay
	g     *relay.Registry
	m     *Manager
	total unit.Amount // of all coins at the beginning
	said  []string    // topics of events

	sources int // of grants that were made
}

func owner(n byte) account.Address { return account.Address{0: 1, 19: n} }

func holder(n int) account.Address { return account.Address{0: 2, 18: byte(n >> 8), 19: byte(n)} }

// newWorld has ten rich owners and ten rich holders. Epochs have a thousand blocks, and nobody goes stale.
func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{t: t, s: state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()}
	terms := relay.Genesis()
	terms.Rent.EpochBlocks, terms.Rent.PerMiB, terms.Policy.StaleMs = 1_000, 1_000_000, 1<<40
	emit := func(topic string, _ []byte) { w.said = append(w.said, topic) }
	w.g = &relay.Registry{State: w.s, Terms: terms, Emit: emit}
	w.m = &Manager{State: w.s, Relays: w.g, Emit: emit, Keys: func(to cbss.SecretID, version uint64, k *Wrap) error {
		k.KeyHash = digest.Hash{byte(version)}
		if k.Epoch == 9 {
			return errKey
		}
		return nil
	}}
	w.at(10)
	for n := range 10 {
		for _, who := range [...]account.Address{owner(byte(n)), holder(n)} {
			w.must(account.Credit(w.s, who, 1_000_000*cby))
			w.total += 1_000_000 * cby
		}
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

// try runs a call, and undoes it where it is refused with what is expected.
func (w *world) try(want error, run func() error) {
	w.t.Helper()
	mark, burned := w.s.Mark(), w.g.Burned
	err := run()
	if !errors.Is(err, want) || (err == nil) != (want == nil) {
		w.t.Fatalf("%v, want %v", err, want)
	}
	if err != nil {
		w.s.Revert(mark)
		w.g.Burned = burned
	}
}

// end ends the block, and the ones after it up to a height.
func (w *world) end(until unit.Height) {
	w.t.Helper()
	for h := w.m.Height; ; h++ {
		w.at(h)
		w.must(w.m.End())
		w.must(w.g.End())
		if h >= until {
			break
		}
	}
	w.at(until + 1)
	w.sums()
}

// skip lets blocks pass in which nothing is due.
func (w *world) skip(to unit.Height) { w.at(to) }

// sums holds the coins to what they are: none comes into being, and those of 0x0B are somebody's.
func (w *world) sums() {
	w.t.Helper()
	all := w.g.Burned
	for n := range 10 {
		all += w.balance(owner(byte(n))) + w.balance(holder(n))
	}
	pot := w.balance(relay.Home())
	if all += pot + w.balance(Home()); all != w.total {
		w.t.Fatalf("%d coins, want %d", all, w.total)
	}
	k, err := relay.LoadClock(w.s)
	w.must(err)
	held := k.Pool + k.Pot + k.Left
	relays, err := relay.List(w.s, nil, 1_000)
	w.must(err)
	for _, r := range relays {
		held += r.Relay.Stake
		ids, err := relay.OpenChallenges(w.s, r.Owner, 1_000)
		w.must(err)
		for _, id := range ids {
			c, err := relay.LoadChallenge(w.s, id)
			w.must(err)
			held += c.Bond + c.Fee
		}
	}
	_, volumes, err := List(w.s, digest.Hash{}, 1_000)
	w.must(err)
	for _, v := range volumes {
		held += v.Reserve
	}
	if held != pot {
		w.t.Fatalf("0x0B has %d, which are owed to %d", pot, held)
	}
}

func (w *world) balance(who account.Address) unit.Amount {
	w.t.Helper()
	a, err := account.Load(w.s, who)
	w.must(err)
	return a.Balance
}

// profile is that of a relay of 1 TiB.
func profile(n int) relay.Profile {
	return relay.Profile{Node: digest.Hash{1, byte(n >> 8), byte(n)}, Key: digest.Hash{9}, Endpoint: "relay.example:4433", Capacity: 1 << 40}
}

// join registers a relay with 5,000 CBY and has it heard of.
func (w *world) join(n int) {
	w.t.Helper()
	w.must(w.register(n, profile(n), 5_000*cby))
	w.must(w.g.Heartbeat(holder(n)))
}

func (w *world) register(n int, p relay.Profile, coins unit.Amount) error {
	if err := account.Move(w.s, holder(n), relay.Home(), coins); err != nil {
		return err
	}
	return w.g.Register(holder(n), p, coins)
}

// create makes a volume of 4 + 2 with so many coins.
func (w *world) create(by byte, name string, coins unit.Amount) (digest.Hash, error) {
	return w.make(by, Request{Name: name, K: 4, M: 2}, coins)
}

func (w *world) make(by byte, r Request, coins unit.Amount) (digest.Hash, error) {
	if err := account.Move(w.s, owner(by), Home(), coins); err != nil {
		return digest.Hash{}, err
	}
	return w.m.Create(owner(by), r, coins)
}

func (w *world) topUp(by byte, id digest.Hash, coins unit.Amount) error {
	if err := account.Move(w.s, owner(by), Home(), coins); err != nil {
		return err
	}
	return w.m.TopUp(id, coins)
}

func (w *world) volume(id digest.Hash) *Volume {
	w.t.Helper()
	v, err := Load(w.s, id)
	w.must(err)
	return v
}

func (w *world) relay(n int) *relay.Relay {
	w.t.Helper()
	r, err := relay.Load(w.s, holder(n))
	w.must(err)
	return r
}

// content is what a volume's slots hold, and a commit of it.
type content struct {
	chunks []cbfs.Chunk
	bytes  map[digest.Hash][]byte
	Commit
}

// fill makes content of a raw size whose slots have chunks of a MiB, each of a few bytes only: the chain sees sizes and a root.
func fill(v *Volume, raw, salt uint64) *content {
	next := Volume{Raw: raw, K: v.K, M: v.M}
	c := &content{bytes: map[digest.Hash][]byte{}}
	c.Chunks = mibs(next.Slot())
	for slot := range v.K + v.M {
		for n := range c.Chunks {
			data := fmt.Appendf(nil, "%d %d %d", slot, n, salt)
			one := cbfs.Chunk{Key: cbfs.ShardKey(slot, n), Root: cbfs.ChunkRoot(data), Size: uint64(len(data))}
			c.chunks, c.bytes[one.Key] = append(c.chunks, one), data
		}
	}
	c.Shards = cbfs.ShardRoot(slices.Clone(c.chunks))
	c.Base, c.Manifest, c.Raw = v.ManifestRoot, digest.Blake3(binary.BigEndian.AppendUint64(nil, salt)), raw
	if raw > 0 {
		c.Objects = 1
	}
	return c
}

// answer proves a challenge out of the content.
func (c *content) answer(ask *relay.Challenge) *cbfs.Proof {
	a := cbfs.Ask{Root: ask.Root, Slot: ask.Slot, Ordinal: ask.Ordinal, Draw: ask.Draw}
	p, err := cbfs.Prove(slices.Clone(c.chunks), c.bytes[cbfs.ShardKey(a.Slot, a.Ordinal)], a)
	if err != nil { // the chain asks for what was committed
		panic(err)
	}
	return p
}

// write commits content of the owner's, which all relays confirm.
func (w *world) write(by byte, id digest.Hash, raw, salt uint64) *content {
	w.t.Helper()
	c := fill(w.volume(id), raw, salt)
	w.must(w.m.Commit(owner(by), id, nil, c.Commit))
	w.confirm(id)
	return c
}

func (w *world) confirm(id digest.Hash) {
	w.t.Helper()
	p, err := relay.LoadPlacement(w.s, id)
	w.must(err)
	for i, s := range p.Slots {
		w.must(w.m.Confirm(s.Relay, id, uint8(i), w.volume(id).ShardRoot))
	}
}

// count is how often a topic was said.
func (w *world) count(topic string) (n int) {
	for _, one := range w.said {
		if one == topic {
			n++
		}
	}
	return n
}
