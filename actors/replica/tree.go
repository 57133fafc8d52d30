package replica

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/flow"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	chainstate "github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// status is how far a block of the tree got.
type status uint8

const (
	held     status = iota // its bytes are here
	checking               // signatures are being recovered, or it executes
	good
	bad
)

// node is a block above the root of the tree.
type node struct {
	hash   digest.Hash
	raw    []byte
	block  *block.Block
	status status
	wanted bool            // somebody needs its verdict
	claims []simplex.Claim // of its header, not seen to
	final  bool            // it waits for the ledger
	asked  time.Time       // when agreement first asked about it; zero: it did not
	timed  bool            // its proposer's clock was taken down

	source   link.Peer // who sent the bytes; zero if nobody is known to have
	proposed bool      // its proposer did
	sound    bool      // the signatures of its transactions were verified, or there are none

	flaw   simplex.Flaw // once bad: what its proposer answers for
	reason string       // with a flaw

	// while checking
	txs      []tx.Verified
	verified bool   // txs are the block's
	run      uint64 // the execution asked for; 0: none

	// once good
	receipts  []*block.Receipt
	flows     *flow.Sheet
	state     *chainstate.Commit
	epochSeed []byte // what header proofs of the block's epoch are made over

	notarization *sig.Certificate
	finalization *sig.Certificate
}

func (n *node) height() unit.Height { return n.block.Header.Height }

// head is a block that others can be built on.
type head struct {
	header    *block.Header
	hash      digest.Hash
	state     *chainstate.Commit
	epochSeed []byte
}

// markInvalid marks a block as bad by itself, not for what it stands on.
func (n *node) markInvalid(reason string) {
	n.status, n.flaw, n.reason = bad, simplex.FlawedBlock, reason
}

func (n *node) head() head { return head{&n.block.Header, n.hash, n.state, n.epochSeed} }

// tree holds the blocks above the newest one that was handed to the ledger, its root. Blocks are known by the hash of their header; bytes whose
// transactions are not the header's never enter.
type tree struct {
	genesis digest.Hash
	root    head
	nodes   map[digest.Hash]*node
	levels  map[unit.Height][]*node // the same by height
}

// ingest takes a block's bytes. It gives nil where they are no block, or are not the body its header commits to: such bytes say nothing about the
// block of that hash.
func (t *tree) ingest(raw []byte) *node {
	b, err := block.Decode(raw)
	if err != nil {
		return nil
	}
	return t.add(b, raw)
}

func (t *tree) add(b *block.Block, raw []byte) *node {
	hash := b.Hash()
	if n := t.nodes[hash]; n != nil {
		return n
	}
	if b.Header.Height <= t.root.header.Height || !bodyFits(b) {
		return nil
	}
	return t.put(&node{hash: hash, raw: raw, block: b})
}

// adopt takes a block that was checked; nil where it is not above the root.
func (t *tree) adopt(f Final) *node {
	if n := t.nodes[f.Hash]; n != nil {
		return n
	}
	if f.Block.Header.Height <= t.root.header.Height {
		return nil
	}
	return t.put(&node{hash: f.Hash, raw: f.Raw, block: f.Block})
}

func (t *tree) put(n *node) *node {
	if t.levels == nil {
		t.levels = map[unit.Height][]*node{}
	}
	t.nodes[n.hash] = n
	t.levels[n.height()] = append(t.levels[n.height()], n)
	return n
}

// remove forgets a block.
func (t *tree) remove(n *node) {
	delete(t.nodes, n.hash)
	height := n.height()
	level := slices.DeleteFunc(t.levels[height], func(other *node) bool { return other == n })
	if len(level) == 0 {
		delete(t.levels, height)
		return
	}
	t.levels[height] = level
}

func bodyFits(b *block.Block) bool {
	hashes := make([]digest.Hash, len(b.Txs))
	for i, t := range b.Txs {
		hashes[i] = t.SigningHash()
	}
	return b.Header.TxCount == uint32(len(b.Txs)) && b.Header.TxRoot == block.TxRoot(hashes)
}

// head gives a block that can be built on: the root or a good one.
func (t *tree) head(hash digest.Hash) (head, bool) {
	if hash == t.root.hash {
		return t.root, true
	}
	if n := t.nodes[hash]; n != nil && n.status == good {
		return n.head(), true
	}
	return head{}, false
}

// seedFor is what header proofs of a block with this header on this parent are made over: the genesis hash in epoch 0, else the seed that the
// epoch's first block took over. It is nil where a first block brings none.
// Spec: WP §6.1; commonware §3.6.
func (t *tree) seedFor(h *block.Header, parent head) []byte {
	switch {
	case h.Epoch == 0:
		return t.genesis[:]
	case parent.header.Epoch == h.Epoch:
		return parent.epochSeed
	case h.ParentSeed == nil:
		return nil
	}
	return h.ParentSeed.Signature[:]
}

// next finds the first block that has to be judged before hash can be: itself if its parent was judged, else an ancestor. It gives nil and the hash
// that is missing where the walk ends at a block that is not here, and nil and zero where nothing is to be done: the block was judged, or is being.
func (t *tree) next(hash digest.Hash) (ready *node, missing digest.Hash) {
	for {
		n := t.nodes[hash]
		switch {
		case n == nil && hash == t.root.hash:
			return nil, digest.Hash{}
		case n == nil:
			return nil, hash
		case n.status != held:
			return nil, digest.Hash{}
		}
		parent := n.block.Header.ParentHash
		if _, ok := t.head(parent); ok {
			return n, digest.Hash{}
		}
		if p := t.nodes[parent]; p != nil && p.status == bad || n.height() <= t.root.header.Height+1 {
			n.status = bad // on a bad block, or beside the root
			return nil, digest.Hash{}
		}
		hash = parent
	}
}

// path lists the blocks from above the root up to hash, ascending; ok is false while one is not here.
func (t *tree) path(hash digest.Hash) (list []*node, missing digest.Hash, ok bool) {
	for hash != t.root.hash {
		n := t.nodes[hash]
		if n == nil {
			return nil, hash, false
		}
		list = append(list, n)
		hash = n.block.Header.ParentHash
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list, digest.Hash{}, true
}

// advance makes a child of the root the new one and forgets what does not stand above it.
func (t *tree) advance(n *node) {
	t.root = n.head()
	for _, other := range t.levels[n.height()] {
		delete(t.nodes, other.hash)
	}
	delete(t.levels, n.height())
}

// drop forgets held blocks of earlier rounds than round that nobody wants.
func (t *tree) drop(round sig.Round, keep func(*node) bool) {
	for _, n := range t.nodes { // order-free: only removes
		if n.status == held && !n.wanted && n.block.Header.Round().Compare(round) < 0 && !keep(n) {
			t.remove(n)
		}
	}
}

// unasked counts the bytes of held blocks that nobody asked for.
func (t *tree) unasked() (bytes int) {
	for _, n := range t.nodes { // order-free: a sum
		if n.status == held && !n.wanted {
			bytes += len(n.raw)
		}
	}
	return bytes
}
