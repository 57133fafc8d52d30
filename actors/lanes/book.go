package lanes

import (
	"container/list"
	"math/bits"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/bank"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// tiers is one more than the highest fee tier: fees are 128-bit numbers.
const tiers = 129

// item is a waiting transaction. Nobody changes it after it was made.
type item struct {
	tx    tx.Verified
	tier  int
	seq   uint64 // order of admission
	since unit.Height
	own   bool // a client of this node sent it
}

func (i *item) lane() params.Lane       { return i.tx.Lane() }
func (i *item) sender() account.Address { return i.tx.Tx().From }
func (i *item) nonce() uint64           { return i.tx.Tx().Nonce }

// tierOf is the fee tier of a transaction at a lane's basefees: the bit length of its effective fee per byte.
//
// Spec: WP §6.4; node-rpc-cli §3 (score).
func tierOf(v tx.Verified, fees params.Basefees) int {
	f := block.NewEffectiveFee(v, fees)
	size := uint64(max(v.Size(), 1))
	hi, rest := f.Hi/size, f.Hi%size
	lo, _ := bits.Div64(rest, f.Lo, size)
	if hi > 0 {
		return 64 + bits.Len64(hi)
	}
	return bits.Len64(lo)
}

// view is what admission reads of the newest final block.
type view struct {
	params  *params.Params
	rows    *tx.Table // of the next block
	fees    params.Basefees
	height  unit.Height
	account func(account.Address) (account.Account, error)
	state   state.Reader // of who pays for others
}

// book is the router's knowledge of every waiting transaction.
type book struct {
	limits  Limits
	seq     uint64
	bytes   int
	items   map[digest.Hash]*place
	own     map[digest.Hash]*item
	senders map[account.Address][]*item // ascending nonces without a gap
	worst   [tiers]list.List            // of *item, oldest first
	dropped recent.Table[digest.Hash, refusal]
}

// refusal is why a transaction is not taken again, up to a height.
type refusal struct {
	reason *tx.Reject
	until  unit.Height
}

// refuse remembers dropped transactions and why they were.
func (b *book) refuse(hashes []digest.Hash, reason *tx.Reject, now unit.Height) {
	if reason == nil {
		return
	}
	for _, h := range hashes {
		b.dropped.Put(h, refusal{reason, now + refusedFor}, refusedMost)
	}
}

// refused gives the reason for which a transaction is not looked at, or nil.
func (b *book) refused(hash digest.Hash, now unit.Height) error {
	if b.known(hash) {
		return ErrKnown
	}
	if r, found := b.dropped.Find(hash); found && now < r.until {
		return r.reason
	}
	return nil
}

// place is where an item stands in its tier.
type place struct {
	item    *item
	element *list.Element
}

func newBook(l Limits) *book {
	return &book{limits: l, items: map[digest.Hash]*place{}, own: map[digest.Hash]*item{}, senders: map[account.Address][]*item{}}
}

// admit decides about a verified transaction, of a client of this node or not. It returns the new item and those that leave for it, or a reject; an error
// that is no reject means that the state could not be read.
//
// Spec: WP §2.2, §6.4; node-rpc-cli §3 (admission order).
func (b *book) admit(v tx.Verified, own bool, w view) (added *item, removed []*item, err error) {
	if err := b.refused(v.Hash(), w.height); err != nil {
		return nil, nil, err
	}
	t := v.Tx()
	if v, err = v.Under(w.rows); err != nil {
		return nil, nil, err
	}
	sender, err := w.account(t.From)
	if err != nil {
		return nil, nil, err
	}
	queue := b.senders[t.From]
	next := sender.Nonce
	if len(queue) > 0 {
		next = max(next, queue[len(queue)-1].nonce()+1)
	}
	if t.Nonce < sender.Nonce || t.Nonce > next {
		return nil, nil, &tx.NonceError{Have: t.Nonce, Want: next}
	}
	sender.Nonce = t.Nonce
	if err := v.Admit(&sender, w.params, w.fees); err != nil {
		return nil, nil, err
	}
	if err := w.covered(v); err != nil {
		return nil, nil, err
	}
	fees, err := w.params.Lanes.Scale(w.fees, v.Lane())
	if err != nil {
		return nil, nil, tx.ErrBelowBasefee
	}
	it := &item{tx: v, tier: tierOf(v, fees), seq: b.seq, since: w.height, own: own}
	switch at := slices.IndexFunc(queue, func(o *item) bool { return o.nonce() == t.Nonce }); {
	case at >= 0:
		if !outbids(t, queue[at].tx.Tx()) {
			return nil, nil, ErrReplacement
		}
		removed = []*item{queue[at]}
	case len(queue) >= b.limits.Account:
		return nil, nil, ErrAccountFull
	default:
		if removed, err = b.room(it); err != nil {
			return nil, nil, err
		}
	}
	b.seq++
	for _, r := range removed {
		b.remove(r)
	}
	b.insert(it)
	return it, removed, nil
}

// covered makes the checks of who pays a transaction's fees where that is not its sender.
//
// Spec: entitlement-extras §5 (UseOwnerBalance); gateway-payments-streams §G.3.
func (w *view) covered(v tx.Verified) error {
	owner, named := v.Tx().Payer()
	if !named {
		return nil
	}
	if card, err := v.Purse(w.state, w.height+1); err != nil || card != nil {
		return w.reserve(v, card, err)
	}
	payer, err := w.account(owner)
	if err != nil {
		return err
	}
	return v.Covered(w.state, w.height+1, &payer)
}

// reserve makes the checks of a card at the prices of the next block.
//
// Spec: gateway-payments-streams §G.3 (2).
func (w *view) reserve(v tx.Verified, card *bank.Purse, err error) error {
	if err != nil {
		return err
	}
	lane, err := w.params.Lanes.Scale(w.fees, v.Lane())
	if err != nil {
		return tx.ErrBelowBasefee
	}
	return v.Reserve(card, w.height+1, lane)
}

// outbids is the replacement rule: both maximum fees at least a tenth higher, no priority fee lower.
func outbids(t, old *tx.Tx) bool {
	return raised(t.MaxFeePerCycle, old.MaxFeePerCycle) && raised(t.MaxFeePerCell, old.MaxFeePerCell) &&
		t.MaxPriorityFeePerCycle >= old.MaxPriorityFeePerCycle && t.MaxPriorityFeePerCell >= old.MaxPriorityFeePerCell
}

// raised reports new ≥ old + old/10, rounded up, without overflow.
func raised(new, old uint64) bool {
	return new >= old && new-old >= old/10+min(old%10, 1)
}

// room finds who leaves for a new item: the youngest of the lowest tiers below its own, each with its sender's later transactions. ErrFull
// when that is not enough, or would take the item's own predecessors.
func (b *book) room(it *item) (removed []*item, err error) {
	count, size := len(b.items)+1, b.bytes+it.tx.Size()
	for tier := 0; count > b.limits.Txs || size > b.limits.Bytes; {
		if tier >= it.tier {
			return nil, ErrFull
		}
		victim := b.youngest(tier, removed)
		if victim == nil {
			tier++
			continue
		}
		if victim.sender() == it.sender() {
			return nil, ErrFull
		}
		for _, later := range b.from(victim) {
			if !slices.Contains(removed, later) {
				removed = append(removed, later)
				count, size = count-1, size-later.tx.Size()
			}
		}
	}
	return removed, nil
}

// youngest is the newest item of a tier that is not leaving already.
func (b *book) youngest(tier int, leaving []*item) *item {
	for e := b.worst[tier].Back(); e != nil; e = e.Prev() {
		if it := e.Value.(*item); !slices.Contains(leaving, it) {
			return it
		}
	}
	return nil
}

// from is an item and its sender's later ones.
func (b *book) from(it *item) []*item {
	queue := b.senders[it.sender()]
	return queue[slices.Index(queue, it):]
}

func (b *book) known(hash digest.Hash) bool { return b.items[hash] != nil }

func (b *book) insert(it *item) {
	queue := b.senders[it.sender()]
	at, _ := slices.BinarySearchFunc(queue, it.nonce(), func(o *item, n uint64) int {
		switch {
		case o.nonce() < n:
			return -1
		case o.nonce() > n:
			return 1
		}
		return 0
	})
	b.senders[it.sender()] = slices.Insert(queue, at, it)
	b.items[it.tx.Hash()] = &place{item: it, element: b.worst[it.tier].PushBack(it)}
	if it.own {
		b.own[it.tx.Hash()] = it
	}
	b.bytes += it.tx.Size()
}

func (b *book) remove(it *item) {
	p := b.items[it.tx.Hash()]
	if p == nil {
		return
	}
	delete(b.items, it.tx.Hash())
	delete(b.own, it.tx.Hash())
	b.worst[it.tier].Remove(p.element)
	b.bytes -= it.tx.Size()
	queue := slices.DeleteFunc(b.senders[it.sender()], func(o *item) bool { return o == p.item })
	if len(queue) == 0 {
		delete(b.senders, it.sender())
		return
	}
	b.senders[it.sender()] = queue
}

// included removes what a final block made stale: its senders' transactions with nonces below the account's.
func (b *book) included(txs []*tx.Tx, w view) (removed []*item, err error) {
	seen := map[account.Address]bool{}
	for _, t := range txs {
		if seen[t.From] || len(b.senders[t.From]) == 0 {
			continue
		}
		seen[t.From] = true
		sender, err := w.account(t.From)
		if err != nil {
			return nil, err
		}
		for _, it := range b.senders[t.From] {
			if it.nonce() < sender.Nonce {
				removed = append(removed, it)
			}
		}
	}
	b.removeAll(removed)
	return removed, nil
}

// drop removes transactions by identity, each with its sender's later ones, which cannot be included without it.
func (b *book) drop(hashes []digest.Hash) (removed []*item) {
	for _, h := range hashes {
		if p := b.items[h]; p != nil {
			leaving := slices.Clone(b.from(p.item))
			b.removeAll(leaving)
			removed = append(removed, leaving...)
		}
	}
	return removed
}

// expire removes what has waited longer than it may.
func (b *book) expire(now unit.Height) []*item {
	var old []digest.Hash
	for tier := range b.worst {
		for e := b.worst[tier].Front(); e != nil; e = e.Next() {
			if it := e.Value.(*item); uint64(now-min(it.since, now)) > b.limits.MaxAge {
				old = append(old, it.tx.Hash())
			}
		}
	}
	return b.drop(old)
}

// unpaid removes what admission would refuse by now since nobody can pay for it: what it moves, its fees, or what a payer has granted. Each goes with its
// sender's later ones, as drop has it.
//
// Spec: WP §2.2, §2.3; entitlement-extras §5 (UseOwnerBalance).
func (b *book) unpaid(w view) (removed []*item, err error) {
	var dead []digest.Hash
	for from, queue := range b.senders {
		sender, err := w.account(from)
		if err != nil {
			return nil, err
		}
		for _, it := range queue {
			sender.Nonce = it.nonce()
			err := it.tx.Admit(&sender, w.params, w.fees)
			if err == nil {
				err = w.covered(it.tx)
			}
			class, refused := tx.ClassOf(err)
			if err != nil && !refused {
				return nil, err
			}
			if class == tx.ErrFunds || class == tx.ErrValue || class == tx.ErrPayer {
				dead = append(dead, it.tx.Hash())
				break
			}
		}
	}
	return b.drop(dead), nil
}

func (b *book) removeAll(items []*item) {
	for _, it := range items {
		b.remove(it)
	}
}

// adopt takes an item over from a lane after a restart of the router, oldest first.
func (b *book) adopt(it *item) bool {
	taken := slices.ContainsFunc(b.senders[it.sender()], func(o *item) bool { return o.nonce() == it.nonce() })
	if taken || b.known(it.tx.Hash()) {
		return false
	}
	b.insert(it)
	b.seq = max(b.seq, it.seq+1)
	return true
}

// waiting lists what clients of this node sent up to a height, in order of admission.
func (b *book) waiting(since unit.Height) []*item {
	var found []*item
	for _, it := range b.own { // order-free: sorted below
		if it.since <= since {
			found = append(found, it)
		}
	}
	return inOrder(found)
}

// of lists a lane's items in order of admission.
func (b *book) of(lane params.Lane) []*item {
	var found []*item
	for tier := range b.worst {
		for e := b.worst[tier].Front(); e != nil; e = e.Next() {
			if it := e.Value.(*item); it.lane() == lane {
				found = append(found, it)
			}
		}
	}
	slices.SortFunc(found, bySeq)
	return found
}

func bySeq(a, b *item) int {
	switch {
	case a.seq < b.seq:
		return -1
	case a.seq > b.seq:
		return 1
	}
	return 0
}
