package volume

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

var (
	soakRounds = flag.Int("soak-rounds", 80, "rounds of TestSoak, 2,000 with each seed")
	soakSeed   = flag.Uint64("soak-seed", 1, "first seed of TestSoak")
)

// wire connects clients and relays in memory. Whoever is cut off reaches nobody and is reached by nobody, and everybody learns so at once.
type wire struct {
	mu      sync.Mutex
	servers map[byte]mutual.Handler // by the relay's number
	cut     map[byte]bool           // 0 are the clients
	patient bool                    // questions have no time limit
	asked   [256]sync.WaitGroup     // questions that a relay answers just now
}

var errCut = errors.New("cut off")

// attach puts a relay on the wire.
func (w *wire) attach(number byte, h mutual.Handler) (endpoint string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.servers[number] = h
	return fmt.Sprintf("relay-%d:1", number)
}

// detach takes a relay off the wire, once it has answered what it was asked.
func (w *wire) detach(number byte) {
	w.mu.Lock()
	delete(w.servers, number)
	w.mu.Unlock()
	w.asked[number].Wait()
}

func (w *wire) set(number byte, cut bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut[number] = cut
}

// dialer is how one side reaches relays.
func (w *wire) dialer(from byte) mutual.Dialer {
	return func(ctx context.Context, address string, own ed25519.PrivateKey, want mutual.Key, greet mutual.Greeting) (mutual.Conn, error) {
		origin := mutual.Origin{Address: netip.AddrFrom4([4]byte{192, 0, 2, from}), Key: mutual.Key(own.Public().(ed25519.PublicKey))}
		c := &call{wire: w, from: from, peer: &mutual.Peer{Origin: origin}}
		_, err := fmt.Sscanf(address, "relay-%d:1", &c.to)
		if err == nil && want != mutual.Key(seedOf(c.to).Public().(ed25519.PublicKey)) {
			err = mutual.ErrKey
		}
		if err == nil && !c.Alive() {
			err = errCut
		}
		if err == nil && greet != nil {
			err = greet(ctx, c)
		}
		return c, err
	}
}

// call is a connection over a wire.
type call struct {
	wire     *wire
	from, to byte
	peer     *mutual.Peer
}

// server gives the relay that is called, unless one of the two is cut off. The wire's lock is held.
func (c *call) server() mutual.Handler {
	if c.wire.cut[c.from] || c.wire.cut[c.to] {
		return nil
	}
	return c.wire.servers[c.to]
}

// begin counts a question at the relay that is called; nil where it is not reached.
func (c *call) begin() mutual.Handler {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	h := c.server()
	if h != nil {
		c.wire.asked[c.to].Add(1)
	}
	return h
}

// Ask implements mutual.Conn. An answer that comes after the cut is lost.
func (c *call) Ask(ctx context.Context, body ...[]byte) (*mutual.Body, error) {
	h := c.begin()
	if h == nil {
		return nil, errCut
	}
	defer c.wire.asked[c.to].Done()
	if c.wire.patient {
		ctx = context.WithoutCancel(ctx)
	}
	answer := h(ctx, c.peer, slices.Concat(body...))
	out := &mutual.Body{Bytes: slices.Concat(answer.Parts...)}
	if answer.Done != nil {
		answer.Done()
	}
	if !c.Alive() {
		return nil, errCut
	}
	return out, ctx.Err()
}

// Alive implements mutual.Conn.
func (c *call) Alive() bool {
	c.wire.mu.Lock()
	defer c.wire.mu.Unlock()
	return c.server() != nil
}

// Close implements mutual.Conn.
func (c *call) Close() error { return nil }

// soak is volumes under random changes and random losses, beside what has to be in them.
type soak struct {
	*world
	t       *testing.T
	r       *rand.Rand
	client  *Client
	ids     []digest.Hash
	want    map[digest.Hash]map[string][]byte // what was anchored
	cut     map[int]bool                      // relays that are reached by nobody
	writes  int
	refused int // of them, because too few relays were there
	harm    map[string]int
}

const (
	soakRelays = 9
	soakWorld  = 2_000 // rounds of a world: in all of them together less than a day passes, after which relays collect
	soakCalm   = 20    // rounds from a calm to the next one
)

// TestSoak puts, overwrites and removes files at random while disks are lost, rot and are restored, relays are cut off and writers lose their power between
// the two steps of a commit. As long as k slots of a volume are whole, which the test reads from the relays' directories themselves, everything that was
// anchored is read, byte for byte, and after each calm every slot is whole again.
//
// Spec: storage-cbfs §3.1 (two-step commit), §4 (repair, self-heal), §5 (any k).
func TestSoak(t *testing.T) {
	for done := 0; done < *soakRounds; done += soakWorld {
		seed, rounds := *soakSeed+uint64(done/soakWorld), min(*soakRounds-done, soakWorld)
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { newSoak(t, seed).run(rounds) })
	}
}

func (s *soak) run(rounds int) {
	for round := range rounds {
		if s.later(6 * time.Second); round%soakCalm == 0 {
			s.first(round / soakCalm)
		} else {
			s.step()
		}
		if round%soakCalm == soakCalm-1 {
			s.calm()
		}
	}
	s.calm()
	s.t.Logf("%d rounds, %d writes of which %d met too few relays, harm %v", rounds, s.writes, s.refused, s.harm)
	for _, what := range []string{"rot", "disk", "cut", "power"} {
		if rounds >= 4*soakCalm && s.harm[what] == 0 {
			s.t.Error("never tried: ", what)
		}
	}
}

// first harms where all is whole, so that each kind of harm is done.
func (s *soak) first(turn int) {
	switch turn % 4 {
	case 0:
		s.spoil("rot", s.rot)
	case 1:
		s.spoil("disk", s.lose)
	case 2:
		s.spoil("cut", func(i int) { s.cutOff(i, true) })
	default:
		s.power()
	}
}

func newSoak(t *testing.T, seed uint64) *soak {
	w := newWorldOver(t, soakRelays, &wire{servers: map[byte]mutual.Handler{}, cut: map[byte]bool{}}, nil)
	s := &soak{
		world: w, t: t, r: rand.New(rand.NewPCG(seed, 18)), client: w.client(ann), want: map[digest.Hash]map[string][]byte{}, cut: map[int]bool{},
		harm: map[string]int{},
	}
	s.client.Journal = Journal(filepath.Join(t.TempDir(), "journal"))
	for i, shape := range [][2]uint8{{4, 2}, {2, 2}} {
		id := w.create(fmt.Sprint("soak-", i), i == 0, shape[0], shape[1])
		s.ids = append(s.ids, id)
		s.want[id] = map[string][]byte{}
		s.write(id)
	}
	s.calm()
	return s
}

// step is what happens in another round.
func (s *soak) step() {
	switch n := s.r.IntN(100); {
	case n < 45:
		s.write(s.ids[s.r.IntN(len(s.ids))])
	case n < 55:
		s.readAll()
	case n < 65:
		s.spoil("rot", s.rot)
	case n < 72:
		s.spoil("disk", s.lose)
	case n < 84:
		s.spoil("cut", func(i int) { s.cutOff(i, true) })
	case n < 96:
		for i := range s.cut {
			s.cutOff(i, false)
		}
	default:
		s.power()
	}
}

// later lets time pass for everybody: what is remembered of the chain is looked up anew, and whoever was avoided is tried again.
func (s *soak) later(by time.Duration) {
	s.jump.Add(int64(by))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.manager.Height += 6
	s.registry.Height = s.manager.Height
	s.registry.TimeMs += 6_000
}

// change draws a change: a new file, one over another, or a removal.
func (s *soak) change(id digest.Hash) (Change, map[string][]byte) {
	next := maps.Clone(s.want[id])
	path := fmt.Sprintf("d%d/f%d", s.r.IntN(3), s.r.IntN(6))
	if _, there := next[path]; there && s.r.IntN(4) == 0 {
		delete(next, path)
		return Change{Path: path, Remove: true}, next
	}
	size := s.r.IntN(40_000)
	if s.r.IntN(10) == 0 {
		size = s.r.IntN(400_000)
	}
	next[path] = random(s.r.Uint64(), size)
	return file(path, next[path]), next
}

// write commits a change. It may fail where too few relays are there, and then nothing has changed.
func (s *soak) write(id digest.Hash) {
	s.t.Helper()
	one, next := s.change(id)
	s.writes++
	err := s.client.Apply(s.t.Context(), id, []Change{one})
	switch {
	case err == nil:
		s.want[id] = next
	case errors.Is(err, ErrRelays) || s.whole(id, true) < s.k(id):
		s.refused++
		if s.reachable(id) >= s.k(id)+1 {
			s.t.Fatalf("%d relays are there, and the write fails: %v", s.reachable(id), err)
		}
	default:
		s.t.Fatal(err)
	}
}

// power cuts a writer off between the steps of a commit: nothing has changed, and the same write goes on later.
func (s *soak) power() {
	id := s.ids[s.r.IntN(len(s.ids))]
	if s.reachable(id) < s.k(id)+1 || s.whole(id, true) < s.k(id) {
		return
	}
	s.harm["power"]++
	one, next := s.change(id)
	lost := errors.New("the power is gone")
	s.mu.Lock()
	s.refuse = func() error { return lost }
	s.mu.Unlock()
	if err := s.client.Apply(s.t.Context(), id, []Change{one}); !errors.Is(err, lost) {
		s.t.Fatal(err)
	}
	s.mu.Lock()
	s.refuse = nil
	s.mu.Unlock()
	s.readVolume(id)
	must(s.t, s.client.Apply(s.t.Context(), id, []Change{one}))
	s.want[id] = next
}

func (s *soak) volume(id digest.Hash) *reach.Volume {
	v, err := s.Volume(context.Background(), id)
	must(s.t, err)
	return v
}

func (s *soak) k(id digest.Hash) int { return int(s.volume(id).K) }

// reachable counts the slots of a volume whose relays are up and not cut off.
func (s *soak) reachable(id digest.Hash) (count int) {
	for _, slot := range s.volume(id).Slots {
		for i, n := range s.relays {
			if n.self == slot.Relay && n.stop != nil && !s.cut[i] {
				count++
			}
		}
	}
	return count
}

// whole counts the slots of a volume whose relays have the table and every chunk of the newest commit, as their directories say: of all, or of those in reach.
func (s *soak) whole(id digest.Hash, reached bool) (count int) {
	v := s.volume(id)
	for slot := range v.Slots {
		for i, n := range s.relays {
			if n.self == v.Slots[slot].Relay && n.stop != nil && !(reached && s.cut[i]) && has(n, v, uint8(slot)) {
				count++
			}
		}
	}
	return count
}

// has reads a relay's directory, past the relay.
func has(n *node, v *reach.Volume, slot uint8) bool {
	if v.Root.IsZero() {
		return true
	}
	table, err := n.store.ReadTable(store.Name{Volume: v.ID, Root: v.Root})
	if err != nil {
		return false
	}
	for at := range table.Outline().Pages {
		page, err := table.Page(at)
		if err != nil {
			return false
		}
		for i := range page.Stripes {
			root := page.Stripes[i].Roots[slot]
			if data, err := chunkIn(chunkFile(n, root)); err != nil || cbfs.ChunkRoot(data) != root {
				return false
			}
		}
	}
	lacks, err := table.Lacks(true)
	return err == nil && !lacks
}

// spoil harms a relay, if every volume has k whole slots without it.
func (s *soak) spoil(what string, do func(i int)) {
	victim := s.r.IntN(len(s.relays))
	n := s.relays[victim]
	if n.stop == nil || s.cut[victim] {
		return
	}
	s.cut[victim] = true // as if it were gone
	for _, id := range s.ids {
		if s.whole(id, true) < s.k(id) {
			delete(s.cut, victim)
			return
		}
	}
	delete(s.cut, victim)
	s.harm[what]++
	do(victim)
}

// files lists what lies in a relay's directory below a pattern.
func (s *soak) files(i int, pattern string) []string {
	files, err := filepath.Glob(filepath.Join(s.relays[i].dir, filepath.FromSlash(pattern)))
	must(s.t, err)
	return files
}

// rot changes, cuts off or removes a chunk of a relay, or a part of a table.
func (s *soak) rot(i int) {
	files := s.files(i, []string{"chunks/*/*", "chunks/*/*", "pages/*/*", "branches/*/*", "tables/*"}[s.r.IntN(5)])
	if len(files) == 0 {
		return
	}
	name := files[s.r.IntN(len(files))]
	switch s.r.IntN(4) {
	case 0:
		must(s.t, os.WriteFile(name, []byte("rotten"), 0o600))
	case 1:
		must(s.t, os.Truncate(name, 0))
	case 2:
		data, err := os.ReadFile(name)
		must(s.t, err)
		if len(data) > 0 {
			data[s.r.IntN(len(data))] ^= 1 << s.r.IntN(8)
		}
		must(s.t, os.WriteFile(name, data, 0o600))
	default:
		must(s.t, os.Remove(name))
	}
}

// lose ends a relay, whose disk is gone, and starts it again with an empty one.
func (s *soak) lose(i int) {
	s.wire.set(byte(i+1), true)
	s.kill(i)
	s.relays[i] = s.begin(byte(i+1), s.relays[i].dir, 1<<30)
	s.wire.set(byte(i+1), false)
}

func (s *soak) cutOff(i int, cut bool) {
	s.wire.set(byte(i+1), cut)
	if cut {
		s.cut[i] = true
	} else {
		delete(s.cut, i)
	}
}

// readAll reads every file of every volume that has k whole slots within reach.
func (s *soak) readAll() {
	s.t.Helper()
	for _, id := range s.ids {
		if s.whole(id, true) >= s.k(id) {
			s.readVolume(id)
		}
	}
}

func (s *soak) readVolume(id digest.Hash) {
	s.t.Helper()
	got, err := s.client.Open(s.t.Context(), id)
	must(s.t, err)
	files := 0
	for e, err := range got.Entries(s.t.Context(), "") {
		must(s.t, err)
		if e.Kind != cbfs.File {
			continue
		}
		files++
		path, out := e.Path, bytes.Buffer{}
		if err := got.Read(s.t.Context(), path, &out); err != nil || !bytes.Equal(out.Bytes(), s.want[id][path]) {
			s.t.Fatalf("%s of %s: %d bytes, %v", path, id, out.Len(), err)
		}
	}
	if files != len(s.want[id]) {
		s.t.Fatalf("%d files, want %d", files, len(s.want[id]))
	}
}

// calm ends all cuts, has every relay look at everything, and waits until all is whole and confirmed; then all is read.
func (s *soak) calm() {
	s.t.Helper()
	for i := range s.cut {
		s.cutOff(i, false)
	}
	for i, n := range s.relays { // what rotted unseen is found by a scrub, a day later; here at once
		for _, name := range s.files(i, "chunks/*/*") {
			root, err := digest.ParseHash("0x" + filepath.Base(name))
			must(s.t, err)
			if _, err := n.store.Get(root); err != nil && !errors.Is(err, store.ErrMissing) {
				s.t.Fatal(err)
			}
		}
		for _, id := range s.ids {
			has(n, s.volume(id), 0) // which reads the table's parts
			n.handle.Rotten(id)
		}
	}
	for _, id := range s.ids {
		s.until("all is whole", func() bool {
			s.jump.Add(int64(1_100 * time.Millisecond))
			return s.whole(id, false) == len(s.volume(id).Slots)
		})
		s.confirmed(id)
	}
	s.readAll()
}
