package dev

import (
	"errors"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/rpc"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Mining says when a development network makes blocks.
type Mining string

// The ways.
const (
	Auto     Mining = "auto"     // as soon as something waits, and one each interval, for timers
	Interval Mining = "interval" // one each interval
	Manual   Mining = "manual"   // when asked to
)

// Never is the interval of a network that makes blocks when it is asked to.
const Never = 100 * 365 * 24 * time.Hour

// Set implements pflag.Value.
func (m *Mining) Set(text string) error {
	switch way := Mining(text); way {
	case Auto, Interval, Manual:
		*m = way
		return nil
	}
	return errors.New("it is auto, interval or manual")
}

// String implements pflag.Value.
func (m *Mining) String() string { return string(*m) }

// Type implements pflag.Value.
func (m *Mining) Type() string { return "auto|interval|manual" }

const (
	// chances is how many blocks are made at once for a transaction that none of them takes, such as one whose nonce comes later.
	chances = 16
	// driven is how many blocks in a row are made at once because messages wait, and no transaction: actors that never stop talking get the interval then.
	driven = 64
	// awaited is how many transactions are waited for; a flood of more is served as fast as by these.
	awaited = 10_000
)

// MaxInterval bounds the time between blocks.
const MaxInterval = 30 * 24 * time.Hour

// Replica makes the blocks.
type Replica interface {
	// Hurry has the block of a height made without waiting.
	Hurry(height unit.Height)
	// Pace changes the least time between two blocks.
	Pace(interval time.Duration)
}

// Pacing is the replica's interval: none where blocks are made when they are asked for.
func (c *Controls) Pacing() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pacing()
}

// Asked reports whether blocks are made when they are asked for only; without controls they never are.
func (c *Controls) Asked() bool { return c != nil && c.Pacing() == Never }

func (c *Controls) pacing() time.Duration {
	if c.mining == Manual {
		return Never
	}
	return c.every
}

// Switch changes when blocks are made, from now on; a time of 0 between blocks leaves that as it is. What waits when a network becomes automatic gets its
// block at once.
func (c *Controls) Switch(way Mining, every time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.mining = way
	if every > 0 {
		c.every = every
	}
	m := &c.miner
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mining, m.row = way == Auto, 0
	if m.replica == nil {
		return
	}
	m.replica.Pace(c.pacing())
	if m.mining && m.waiting() > 0 {
		m.replica.Hurry(m.final + 1)
	}
}

// awaitedTx is a transaction that blocks are made for.
type awaitedTx struct {
	had  int    // chances
	lost func() // is told when it had all; nil: nobody is
}

// miner has blocks made at once while something waits.
type miner struct {
	mu      sync.Mutex
	mining  bool // of itself
	replica Replica
	waiting func() int // transactions in the lanes
	final   unit.Height
	wanted  map[digest.Hash]*awaitedTx
	row     int // blocks made for messages alone
}

// hurry has the block of a height made at once.
func (m *miner) hurry(height uint64) {
	m.mu.Lock()
	replica := m.replica
	m.mu.Unlock()
	if replica != nil {
		replica.Hurry(unit.Height(height))
	}
}

// Mine connects a run of the node, whose replica makes the blocks.
func (c *Controls) Mine(n *rpc.Node, replica Replica) {
	c.mu.Lock()
	m := &c.miner
	m.mu.Lock()
	m.mining, m.replica, m.wanted, m.row = c.mining == Auto, replica, map[digest.Hash]*awaitedTx{}, 0
	m.waiting = func() int {
		transactions, _ := n.Pool.Count()
		return transactions
	}
	m.mu.Unlock()
	c.mu.Unlock()
	told := n.Submitted
	n.Submitted = func(hash digest.Hash) {
		if told != nil {
			told(hash)
		}
		m.taken(hash)
	}
}

// taken is told of a transaction that waits.
func (m *miner) taken(hash digest.Hash) {
	m.mu.Lock()
	mining := m.mining
	m.mu.Unlock()
	if mining {
		m.want(hash, nil)
	}
}

// want has blocks made at once until one holds a transaction, or it had its chances; lost, if set, is told of that and must not wait.
func (m *miner) want(hash digest.Hash, lost func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.replica == nil {
		return
	}
	if len(m.wanted) < awaited {
		m.wanted[hash] = &awaitedTx{lost: lost}
	}
	m.replica.Hurry(m.final + 1)
}

// Final is a ledger.Subscriber: what still waits after a block gets the next one at once.
func (c *Controls) Final(f *ledger.Final) {
	m := &c.miner
	m.mu.Lock()
	defer m.mu.Unlock()
	m.final = f.Height()
	if m.replica == nil {
		return
	}
	for i := range f.Block.Txs {
		delete(m.wanted, f.Block.Txs[i].SigningHash())
	}
	for hash, w := range m.wanted { // order-free: each is counted for itself
		if w.had++; w.had < chances {
			continue
		}
		delete(m.wanted, hash)
		if w.lost != nil {
			w.lost()
		}
	}
	if len(f.Block.Txs) > 0 {
		m.row = 0
	}
	messages, err := mailbox.Pending(f.State, nil, 1)
	if err == nil && len(messages) == 0 {
		messages, err = mailbox.PendingDeferred(f.State, nil, 1)
	}
	switch {
	case err != nil: // the block's own business; the interval goes on
	case len(m.wanted) > 0:
		m.replica.Hurry(m.final + 1)
	case m.mining && len(messages) > 0 && m.row < driven:
		m.row++
		m.replica.Hurry(m.final + 1)
	case len(messages) == 0:
		m.row = 0
	}
}
