package api

import "time"

// forgetAfter is how long transactions that were sent keep their nonces while none of them comes onto the chain: a node may drop what it took, and what is
// sent behind the gap would wait for ever.
const forgetAfter = 10 * time.Second

// Nonces are those a program gave to transactions it did not wait for. The zero value is that of a program which has sent none.
type Nonces struct {
	next  uint64    // the lowest one for the next transaction
	seen  uint64    // the account's own
	moved time.Time // when the account's own moved last, or nothing was on its way
}

// Least is the lowest nonce for the next transaction of an account that stands at own. What was sent goes before it, unless the account has not moved for ten
// seconds: whatever is sent meanwhile does not put that off.
func (n *Nonces) Least(own uint64, now time.Time) uint64 {
	switch {
	case own >= n.next, now.Sub(n.moved) > forgetAfter && own <= n.seen:
		n.next, n.moved = own, now
	case own > n.seen:
		n.moved = now
	}
	n.seen = own
	return n.next
}

// Sent notes the nonce of a transaction that a node took.
func (n *Nonces) Sent(nonce uint64) { n.next = nonce + 1 }
