package secrets

import (
	"context"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Rules of challenges. The blocks are those that chains begin with; where governance has others, a challenge that comes too early is refused before it costs
// anything, and made again.
//
// Spec: secrets-cbss §5, §6 (MIN_CHALLENGE_DELAY, LIVENESS_MAX_AGE).
const (
	challengeAfter = 416
	challengeUntil = 480
	challengeAgain = 16 // blocks between two tries
	maxSilent      = 1_024
)

// silence is a request that a proxy has not answered. It is not kept over a restart: nothing but the proxy's health rests on it.
type silence struct {
	raw     []byte
	proxy   digest.Hash
	release digest.Hash
	block   uint64
	next    uint64 // the height of the next try
}

// unanswered remembers a request for a challenge. The oldest go where there are too many.
func (c *Client) unanswered(q *cbss.Request, raw []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.silent) >= maxSilent {
		c.silent = slices.Delete(c.silent, 0, 1)
	}
	c.silent = append(c.silent, silence{raw, q.Proxy, q.Release(), q.Block, q.Block + challengeAfter})
}

// due takes a request out whose challenge is due; false for none. What is too old is forgotten.
func (c *Client) due(height uint64) (one silence, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.silent = slices.DeleteFunc(c.silent, func(s silence) bool { return height > s.block+challengeUntil })
	at := slices.IndexFunc(c.silent, func(s silence) bool { return height >= s.next })
	if at < 0 {
		return one, false
	}
	one = c.silent[at]
	c.silent = slices.Delete(c.silent, at, at+1)
	return one, true
}

// Tick is told the height, and challenges at most one proxy that did not answer. A proxy whose answer was lost on its way has posted its receipt, and is not
// challenged: the bond would be its.
//
// Spec: secrets-cbss §4 (79), §5 (liveness challenge).
func (c *Client) Tick(ctx context.Context, height uint64) {
	one, ok := c.due(height)
	if !ok {
		return
	}
	has, err := c.Chain.Receipted(ctx, one.release)
	if err == nil && slices.Contains(has, one.proxy) {
		return
	}
	if err == nil {
		err = c.Chain.Challenge(ctx, &tx.SubmitLivenessChallenge{Request: one.raw, Proxy: one.proxy})
	}
	if err == nil {
		return
	}
	one.next = height + challengeAgain
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.silent) < maxSilent {
		c.silent = append(c.silent, one)
	}
}
