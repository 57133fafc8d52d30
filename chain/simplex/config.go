package simplex

import (
	"fmt"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Observer is the rank of a node that is no validator: it follows and never votes.
const Observer = ^uint32(0)

// Millis is a length of time in milliseconds.
type Millis uint64

// Timeouts are the node-local deadlines. Spec: commonware §3.2.
type Timeouts struct {
	Leader        Millis // without a proposal: nullify
	Certification Millis // without a certificate: nullify
	Retry         Millis // between repetitions of a nullify vote
	Skip          Millis // of silence after which a leader is not waited for
	Fetch         Millis // one backfill request
	Patience      Millis // without a proposal of a leader on probation: nullify; 0 if it is waited for like all others
	Relay         Millis // without a proposal others have voted for: ask one of them; 0: never
	Tell          Millis // a certificate of votes that all have, for signs that they have it too; then it is sent to the rest. 0: it is sent at once
	Settle        Millis // the commits of a block in which nothing ran, to be verified with the votes for a later one; 0 if they do not wait
	Leave         Millis // of such a block, the votes for the leader's certificate and the own commit for the vote for its child; 0 if they do not wait
}

// DefaultTimeouts are the recommended deadlines for blocks of one second.
// Spec: commonware §3.2, §8 (9).
func DefaultTimeouts() Timeouts {
	return Timeouts{Leader: 2_000, Certification: 3_000, Retry: 5_000, Skip: 11_000, Fetch: 1_000, Settle: 50, Leave: 25}
}

// DefaultRetention is how many views below the last finalized one are kept. Spec: commonware §3.2.
const DefaultRetention = 10

// Config is what one State runs on: the epoch's facts, equal on every node, and the node's own rank and deadlines.
type Config struct {
	Namespace sig.Namespace
	Epoch     uint64
	Stakes    []unit.Amount // of each validator, by rank in the set sorted by public key
	Self      uint32        // own rank, or Observer

	// Anchor is the hash of the block the epoch builds on, and AnchorHeight its height: view 0.
	Anchor       digest.Hash
	AnchorHeight uint64
	// LastHeight is the height of the epoch's last block, which is proposed again until it is final; 0 means that the epoch never ends.
	LastHeight uint64

	Timeouts  Timeouts
	Retention uint64 // views
	Scheme    Scheme
}

// Validate gives ErrConfig unless the configuration can run.
// Spec: commonware §3.2.
func (c *Config) Validate() error {
	t := c.Timeouts
	switch {
	case len(c.Stakes) == 0 || len(c.Stakes) > sig.MaxParticipants:
		return fmt.Errorf("%w: %d validators", ErrConfig, len(c.Stakes))
	case c.Self != Observer && int(c.Self) >= len(c.Stakes):
		return fmt.Errorf("%w: rank %d of %d", ErrConfig, c.Self, len(c.Stakes))
	case c.totalStake().Sign() == 0:
		return fmt.Errorf("%w: no stake", ErrConfig)
	case c.LastHeight != 0 && c.LastHeight <= c.AnchorHeight:
		return fmt.Errorf("%w: the epoch ends at or before its anchor", ErrConfig)
	case t.Leader == 0 || t.Leader >= t.Certification || t.Certification >= t.Skip:
		return fmt.Errorf("%w: want 0 < leader < certification < skip", ErrConfig)
	case t.Patience >= t.Leader || t.Relay >= t.Leader || 2*t.Tell >= t.Leader:
		return fmt.Errorf("%w: want patience, relay and twice tell < leader", ErrConfig)
	case t.Retry == 0 || t.Retry >= t.Skip || t.Fetch == 0:
		return fmt.Errorf("%w: want 0 < retry < skip and 0 < fetch", ErrConfig)
	case c.Retention == 0 || c.Scheme == nil:
		return fmt.Errorf("%w: no retention or no scheme", ErrConfig)
	}
	return nil
}

// anchor is the block of view 0.
func (c *Config) anchor() sig.Subject {
	return sig.Subject{BlockHash: c.Anchor, Height: c.AnchorHeight, Round: sig.Round{Epoch: c.Epoch}}
}

func (c *Config) round(view uint64) sig.Round { return sig.Round{Epoch: c.Epoch, View: view} }

func (c *Config) totalStake() *big.Int {
	total := new(big.Int)
	for _, s := range c.Stakes {
		total.Add(total, new(big.Int).SetUint64(uint64(s)))
	}
	return total
}

// Leader is the rank of a view's leader, drawn by stake from the seed of the view before: the signature as one big-endian integer, modulo the
// total stake, falls into one validator's interval. View 1 has no seed before it: (epoch + view) mod n, past validators without stake.
//
// Spec: WP §6.1 (VRF, weighted by stake); commonware §3.1.
func (c *Config) Leader(view uint64, seed sig.BLSSignature) uint32 {
	if view <= 1 {
		n := uint64(len(c.Stakes))
		at := (c.Epoch%n + view%n) % n
		for c.Stakes[at] == 0 {
			at = (at + 1) % n
		}
		return uint32(at)
	}
	x := new(big.Int).SetBytes(seed[:])
	x.Mod(x, c.totalStake())
	upTo := new(big.Int)
	for i, s := range c.Stakes {
		upTo.Add(upTo, new(big.Int).SetUint64(uint64(s)))
		if x.Cmp(upTo) < 0 {
			return uint32(i)
		}
	}
	panic("simplex: a remainder is below its modulus")
}
