package purse

import (
	"encoding/hex"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/verifier"
)

// Count is what a runner was paid and lost, in base units.
type Count struct {
	Since   uint64 `json:"since"` // the block it begins behind
	Jobs    uint64 `json:"jobs"`  // that it was paid for
	Shares  uint64 `json:"shares"`
	Bonuses uint64 `json:"bonuses"` // of aggregators
	Tips    uint64 `json:"tips"`
	Slashed uint64 `json:"slashed"` // of its stake
}

// Event is what the verifier announces.
type Event struct {
	Topic string
	Data  string // hexadecimal, with 0x before it or without
}

// add counts an event if it is about a runner, and reports whether it is.
//
// Spec: runner-marketplace §5.2, §7, §8.1.
func (c *Count) add(e Event, runner account.Address) bool {
	numbers := map[string]int{verifier.TopicPaid: 3, verifier.TopicUnrevealed: 2, verifier.TopicUpheld: 2}[e.Topic]
	data, err := hex.DecodeString(strings.TrimPrefix(e.Data, "0x"))
	if numbers == 0 || err != nil {
		return false
	}
	var id digest.Hash
	var who account.Address
	r := codec.NewReader(data)
	r.Into(id[:])
	r.Into(who[:])
	var n [3]uint64
	for i := range numbers {
		n[i] = r.Uint()
	}
	if r.Finish() != nil || who != runner {
		return false
	}
	if e.Topic != verifier.TopicPaid {
		c.Slashed += n[1]
		return true
	}
	c.Jobs, c.Shares, c.Bonuses, c.Tips = c.Jobs+1, c.Shares+n[0], c.Bonuses+n[1], c.Tips+n[2]
	return true
}
