package lanes

import (
	"container/list"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// queue is one lane's transactions: tiers from high to low, each first in, first out.
type queue struct {
	items   map[digest.Hash]*place
	tiers   [tiers]list.List // of *item
	senders map[account.Address][]*item
}

func newQueue() *queue {
	return &queue{items: map[digest.Hash]*place{}, senders: map[account.Address][]*item{}}
}

func (q *queue) add(it *item) {
	if q.items[it.tx.Hash()] != nil {
		return
	}
	q.items[it.tx.Hash()] = &place{item: it, element: q.tiers[it.tier].PushBack(it)}
	own := append(q.senders[it.sender()], it)
	slices.SortFunc(own, func(a, b *item) int {
		if a.nonce() < b.nonce() {
			return -1
		}
		return 1
	})
	q.senders[it.sender()] = own
}

func (q *queue) remove(hash digest.Hash) {
	p := q.items[hash]
	if p == nil {
		return
	}
	delete(q.items, hash)
	q.tiers[p.item.tier].Remove(p.element)
	sender := p.item.sender()
	own := slices.DeleteFunc(q.senders[sender], func(o *item) bool { return o == p.item })
	if len(own) == 0 {
		delete(q.senders, sender)
		return
	}
	q.senders[sender] = own
}

// want bounds an offer.
type want struct {
	cycles unit.Cycles // enough limits to fill the lane's share of a block
	txs    int
	bytes  int
	// nonce is the account's next at the parent state; nil offers everything.
	nonce func(account.Address) (uint64, error)
	// take says which transactions are wanted; nil takes all.
	take func(tx.Verified) (bool, error)
}

func (w *want) wants(v tx.Verified) (bool, error) {
	if w.take == nil {
		return true, nil
	}
	return w.take(v)
}

// offer gives transactions from the best tier down, first in, first out, until one of the bounds is reached. A transaction comes after its
// sender's earlier ones in this lane, whatever their tier; those the parent state has seen are left out.
//
// Spec: WP §6.3 (lanes), §6.4; node-rpc-cli §3.
func (q *queue) offer(w want) ([]tx.Verified, error) {
	var out []tx.Verified
	var cycles unit.Cycles
	size := 0
	taken := map[account.Address]int{} // how many of the sender's were looked at
	for tier := tiers - 1; tier >= 0; tier-- {
		for e := q.tiers[tier].Front(); e != nil; e = e.Next() {
			if len(out) >= w.txs || size >= w.bytes || cycles >= w.cycles {
				return out, nil
			}
			it := e.Value.(*item)
			own := q.senders[it.sender()]
			at, known := taken[it.sender()]
			if !known && w.nonce != nil {
				next, err := w.nonce(it.sender())
				if err != nil {
					return nil, err
				}
				for at < len(own) && own[at].nonce() < next {
					at++
				}
			}
			for ; at < len(own) && own[at].nonce() <= it.nonce(); at++ {
				v := own[at].tx
				if wanted, err := w.wants(v); err != nil {
					return nil, err
				} else if !wanted {
					at = len(own) // its later ones cannot be executed without it
					break
				}
				out = append(out, v)
				cycles += v.Tx().CyclesLimit
				size += v.Size()
			}
			taken[it.sender()] = at
		}
	}
	return out, nil
}

// all lists the items in order of admission.
func (q *queue) all() []*item {
	found := make([]*item, 0, len(q.items))
	for tier := range q.tiers {
		for e := q.tiers[tier].Front(); e != nil; e = e.Next() {
			found = append(found, e.Value.(*item))
		}
	}
	slices.SortFunc(found, bySeq)
	return found
}

// inOrder sorts items by admission.
func inOrder(items []*item) []*item {
	slices.SortFunc(items, bySeq)
	return items
}
