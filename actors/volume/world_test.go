package volume

import (
	"bytes"
	"cmp"
	"context"
	"crypto/ed25519"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	rpcwire "github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	chain "github.com/cowboyinc/cowboy-go/chain/relay"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/net/mutual"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// world is the rules of the chain over a state in memory, without blocks: what somebody sends is in force at once.
type world struct {
	t      testing.TB
	relays []*node

	mu       sync.Mutex
	registry *chain.Registry
	manager  *volume.Manager
	refuse   func() error // instead of a commit

	room   uint64        // bytes that each relay has
	wire   *wire         // instead of QUIC; nil for QUIC
	limits mutual.Limits // of relays over QUIC
	jump   atomic.Int64
	open   func(number byte, capacity uint64) (*store.Store, error) // of a store; nil for a directory
}

// now is the clock of clients and relays, ahead of the machine's by what a test lets pass.
func (w *world) now() time.Time { return time.Now().Add(time.Duration(w.jump.Load())) }

var network = cbfs.Network{ChainID: 1_337, Name: "cowboy-1337"}

func walletOf(n byte) *sig.PrivateKey {
	key, err := sig.ParsePrivateKey(bytes.Repeat([]byte{n}, 32))
	if err != nil {
		panic(err)
	}
	return key
}

var ann = walletOf(200)

// node is a relay that is up.
type node struct {
	self     account.Address
	dir      string
	server   *mutual.Server // nil over a wire
	detach   func()         // from the wire; nil over QUIC
	endpoint string
	tree     *supervision.Tree
	store    *store.Store
	handle   *relay.Handle
	stop     context.CancelFunc
	pool     *reach.Pool
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// newWorld has so many relays, all up.
func newWorld(t testing.TB, relays int) *world {
	t.Helper()
	return newWorldOver(t, relays, nil, nil)
}

// newBoundedWorld has relays whose servers have limits of the test's.
func newBoundedWorld(t testing.TB, relays int, limits mutual.Limits) *world {
	t.Helper()
	return newWorldOf(&world{t: t, limits: limits}, relays)
}

// newWorldOver has relays that are reached over a wire, or by QUIC where it is nil, and whose stores are opened somewhere, or in directories.
func newWorldOver(t testing.TB, relays int, over *wire, open func(number byte, capacity uint64) (*store.Store, error)) *world {
	t.Helper()
	return newWorldOf(&world{t: t, wire: over, open: open, limits: mutual.DefaultLimits()}, relays)
}

func newWorldOf(w *world, relays int) *world {
	t := w.t
	w.room = cmp.Or(w.room, 1<<30)
	t.Helper()
	o := state.New(state.Config{}, state.NewMemory(state.Config{})).Overlay()
	silent := func(string, []byte) {}
	w.registry = &chain.Registry{State: o, Terms: chain.Genesis(), Height: 10, TimeMs: 10_000, Beacon: []byte{1}, Emit: silent}
	w.manager = &volume.Manager{State: o, Relays: w.registry, Height: 10, Development: true, Emit: silent, Keys: keysOfAll}
	must(t, account.Credit(o, volume.Home(), 1_000_000*unit.CBY))
	must(t, account.Credit(o, chain.Home(), 1_000_000*unit.CBY))
	for i := range relays {
		n := w.begin(byte(i+1), filepath.Join(t.TempDir(), "store"), w.room)
		w.relays = append(w.relays, n)
		w.mu.Lock()
		must(t, w.registry.Register(n.self, w.profile(byte(i+1), n), 5_000*unit.CBY))
		must(t, w.registry.Heartbeat(n.self))
		w.mu.Unlock()
	}
	return w
}

func seedOf(n byte) ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
}

func (w *world) profile(number byte, n *node) chain.Profile {
	p := chain.Profile{Node: digest.Hash{number}, Endpoint: n.endpoint, Capacity: w.room}
	copy(p.Key[:], seedOf(number).Public().(ed25519.PublicKey))
	return p
}

// begin starts a relay over a folder.
func (w *world) begin(number byte, dir string, capacity uint64) *node {
	w.t.Helper()
	var disk *store.Store
	var err error
	if w.open != nil {
		disk, err = w.open(number, capacity)
	} else {
		disk, err = store.Open(dir, capacity)
	}
	must(w.t, err)
	ctx, cancel := context.WithCancel(context.Background())
	n := &node{self: walletOf(number).Address(), dir: dir, store: disk, handle: relay.NewHandle(), stop: cancel}
	mine := &mine{w, n.self}
	directory := reach.NewDirectory(mine, w.now)
	peers := &reach.Peers{}
	n.pool = &reach.Pool{Key: seedOf(number), Node: digest.Hash{number}, Self: n.self, Now: w.now, Peers: peers}
	responder := relay.NewResponder(&relay.Responder{
		Self: n.self, Node: digest.Hash{number}, Network: network, Store: disk, Directory: directory, Now: w.now, Rotten: n.handle.Rotten,
		Hinted: n.handle.Hinted, Peers: peers,
	})
	if w.wire != nil {
		n.endpoint, n.detach = w.wire.attach(number, responder.Answer), func() { w.wire.detach(number) }
		n.pool.Dial = w.wire.dialer(number)
	} else {
		socket, listener, err := mutual.Listen("127.0.0.1:0")
		must(w.t, err)
		n.server, err = mutual.Serve(socket, listener, seedOf(number), w.limits, responder.Answer)
		must(w.t, err)
		n.endpoint = n.server.Address().String()
	}
	mender := &relay.Mender{Base: ctx, Self: n.self, Store: disk, Directory: directory, Pool: n.pool, Now: w.now, Settled: responder.Settled}
	n.tree, err = supervision.New(relay.Tree(func() *relay.Keeper {
		return &relay.Keeper{Handle: n.handle, Self: n.self, Store: disk, Every: 50 * time.Millisecond, Clock: supervision.RealClock{},
			Observe: func(what string, err error) {
				if err != nil && what != "poll" {
					w.t.Logf("relay %d: %s: %v", number, what, err)
				}
			}}
	}, func() *relay.Worker { return &relay.Worker{Chain: mine, Mender: mender} }), supervision.Config{})
	must(w.t, err)
	n.tree.Spawn()
	w.t.Cleanup(func() { n.end() })
	return n
}

// end stops a relay.
func (n *node) end() {
	if n.stop == nil {
		return
	}
	n.stop()
	n.stop = nil
	_ = n.tree.Stop(context.Background())
	if n.server != nil {
		_ = n.server.Close()
	} else {
		n.detach()
	}
	n.pool.Close()
	_ = n.store.Close()
}

// kill ends a relay and loses its disk.
func (w *world) kill(i int) {
	w.relays[i].end()
	must(w.t, os.RemoveAll(w.relays[i].dir))
}

// pass lets blocks pass, in which relays that are up beat.
func (w *world) pass(blocks uint64) {
	w.mu.Lock()
	w.manager.Height += unit.Height(blocks)
	w.registry.Height = w.manager.Height
	w.registry.TimeMs += blocks * 1_000
	w.mu.Unlock()
	w.until("heartbeats", func() bool {
		w.mu.Lock()
		defer w.mu.Unlock()
		for _, n := range w.relays {
			r, err := chain.Load(w.registry.State, n.self)
			if err != nil || n.stop != nil && uint64(w.registry.Height-r.Beat) >= 300 {
				return false
			}
		}
		return true
	})
}

// until waits for something that relays do, while blocks pass: so many that it comes first unless it never comes, however slow the machine is.
func (w *world) until(what string, is func() bool) {
	w.t.Helper()
	again := time.NewTicker(20 * time.Millisecond)
	defer again.Stop()
	for range 6_000 {
		if is() {
			return
		}
		w.mu.Lock()
		w.manager.Height++
		w.registry.Height = w.manager.Height
		w.registry.TimeMs += 1_000
		w.mu.Unlock()
		<-again.C
	}
	for i, n := range w.relays {
		if n.stop != nil {
			says, _ := n.handle.Status()
			w.t.Logf("relay %d: %+v", i+1, says)
		}
	}
	w.t.Fatalf("never: %s", what)
}

// mine is the chain as one account sees it.
type mine struct {
	*world
	self account.Address
}

// Height implements reach.Source.
func (w *world) Height(context.Context) (uint64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return uint64(w.manager.Height), nil
}

// Volume implements reach.Source.
func (w *world) Volume(_ context.Context, id digest.Hash) (*reach.Volume, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r := w.registry.State
	v, err := volume.Load(r, id)
	if err != nil {
		return nil, reach.ErrUnknown
	}
	out := &reach.Volume{
		ID: id, Owner: v.Owner, Name: v.Name, Private: v.Private, Status: v.Status.String(), Manifest: v.ManifestRoot, Root: v.ShardRoot, Chunks: v.Chunks,
		Raw: v.Raw, K: v.K, M: v.M,
	}
	p, err := chain.LoadPlacement(r, id)
	if err != nil {
		return nil, err
	}
	out.Version = p.Version
	for i := range p.Slots {
		bad, err := w.registry.Degraded(p, i, v.ShardRoot)
		if err != nil {
			return nil, err
		}
		asked, err := w.registry.Asked(id, uint8(i))
		if err != nil {
			return nil, err
		}
		out.Slots = append(out.Slots, reach.Slot{Relay: p.Slots[i].Relay, Root: p.Slots[i].Root, Degraded: bad, Challenged: asked})
	}
	list, err := volume.Tokens(r, id)
	for _, token := range list {
		t, _ := volume.LoadToken(r, token)
		out.Tokens = append(out.Tokens, reach.Token{ID: token, Body: t.Body, Used: t.Used})
	}
	return out, err
}

// Relay implements reach.Source.
func (w *world) Relay(_ context.Context, owner account.Address) (*reach.Relay, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, err := chain.Load(w.registry.State, owner)
	if err != nil {
		return nil, reach.ErrUnknown
	}
	out := &reach.Relay{Owner: owner, Node: r.Node, Key: r.Key, Endpoint: r.Endpoint, Status: r.Status.String(), Heartbeat: uint64(r.Beat)}
	ids, err := chain.OpenChallenges(w.registry.State, owner, 100)
	for _, id := range ids {
		c, err := chain.LoadChallenge(w.registry.State, id)
		if err != nil || !c.Drawn {
			continue
		}
		out.Challenges = append(out.Challenges, reach.Challenge{
			ID: id, Volume: c.Volume, Ask: cbfs.Ask{Root: c.Root, Slot: c.Slot, Ordinal: c.Ordinal, Draw: c.Draw}, Deadline: uint64(c.Deadline),
		})
	}
	return out, err
}

// Revoked implements reach.Source.
func (w *world) Revoked(_ context.Context, wallet account.Address, key digest.Hash) (uint64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	r, err := volume.LoadRevocation(w.registry.State, wallet, key)
	if err != nil || r == nil {
		return 0, err
	}
	return uint64(r.At), nil
}

// Account implements reach.Source.
func (w *world) Account(context.Context, account.Address) (*rpcwire.StorageAccount, error) {
	return nil, reach.ErrUnknown
}

// Commit implements Chain.
func (m *mine) Commit(_ context.Context, v *reach.Volume, token *[cbfs.TokenIDSize]byte, c volume.Commit) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		return m.refuse()
	}
	err := m.manager.Commit(m.self, v.ID, token, c)
	if errors.Is(err, volume.ErrConflict) {
		err = ErrConflict
	}
	return err
}

// Self implements relay.Chain.
func (m *mine) Self(ctx context.Context) (*reach.Relay, error) { return m.Relay(ctx, m.self) }

// Held implements relay.Chain.
func (m *mine) Held(context.Context) (list []relay.Held, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	held, err := chain.HeldBy(m.registry.State, m.self, 0, 100)
	for _, one := range held {
		list = append(list, relay.Held{Volume: one.Volume, Slot: one.Slot})
	}
	return list, err
}

// Heartbeat implements relay.Chain.
func (m *mine) Heartbeat(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.registry.Heartbeat(m.self)
}

// Confirm implements relay.Chain.
func (m *mine) Confirm(_ context.Context, h relay.Held, root digest.Hash) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.manager.Confirm(m.self, h.Volume, h.Slot, root)
}

// Prove implements relay.Chain.
func (m *mine) Prove(_ context.Context, id digest.Hash, p *cbfs.Proof) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	right, err := m.registry.Prove(m.self, id, p)
	if err == nil && !right {
		m.t.Error("a relay is punished for a fraud")
	}
	return err
}

// Repair implements relay.Chain.
func (m *mine) Repair(_ context.Context, h relay.Held, version uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.manager.Repair(m.self, h.Volume, h.Slot, version)
}

// keysOfAll takes every wrap: no committee is part of this world.
func keysOfAll(cbss.SecretID, uint64, *volume.Wrap) error { return nil }

// create makes a volume of ann's.
func (w *world) create(name string, private bool, k, m uint8) digest.Hash {
	w.t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	q := volume.Request{Name: name, K: k, M: m, Private: private}
	if private {
		q.Wrap = volume.Wrap{DEK: []byte{1}, Epoch: 1}
	}
	id, err := w.manager.Create(ann.Address(), q, 2_000*unit.CBY)
	must(w.t, err)
	return id
}

// client is one of somebody's, with the key of private volumes.
func (w *world) client(key *sig.PrivateKey) *Client {
	c := &Client{Chain: &mine{w, key.Address()}, Wallet: key, Network: network, Key: &[KeySize]byte{42}, Now: w.now}
	if c.open(); w.wire != nil {
		c.pool.Dial = w.wire.dialer(0)
	}
	w.t.Cleanup(c.Close)
	return c
}

func content(text []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
}

func file(path string, data []byte) Change {
	return Change{Path: path, Kind: cbfs.File, Open: content(data), Size: uint64(len(data))}
}

// read gets a file whole.
func read(ctx context.Context, c *Client, id digest.Hash, path string) ([]byte, error) {
	s, err := c.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = s.Read(ctx, path, &out)
	return out.Bytes(), err
}

// confirmed waits until all slots of a volume whose relays are up have confirmed its newest commit.
func (w *world) confirmed(id digest.Hash) {
	w.t.Helper()
	up := map[account.Address]bool{}
	for _, n := range w.relays {
		up[n.self] = n.stop != nil
	}
	w.until(fmt.Sprintf("%s is confirmed", id), func() bool {
		v, err := w.Volume(context.Background(), id)
		must(w.t, err)
		for _, s := range v.Slots {
			if up[s.Relay] && s.Root != v.Root {
				return false
			}
		}
		return true
	})
}
