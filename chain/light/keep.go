package light

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// keptVersion is the layout of an encoded client.
const keptVersion = 1

// Bounds of an encoded client: the members of the largest set, and a shared key of as many terms.
const (
	keptMembers = 4 + params.MaxValidators*96
	keptSharing = 64 + params.MaxValidators*48
)

// ChainID is the number of the chain the client follows.
func (c *Client) ChainID() uint64 { return c.chainID }

// Again is a client of the same set that has seen no header: it takes any header of the epoch, also one below the head of c.
func (c *Client) Again() *Client {
	again := *c
	again.head = Final{}
	return &again
}

// Encode is what the client has come to believe, so that another one can go on from there. Whoever keeps it must keep it where nobody else writes: it is
// trusted as the start was.
//
//	version(1) ‖ UInt chain id ‖ UInt blocks of an epoch ‖ UInt epoch ‖ UInt set ‖ UInt sharing ‖ Bytes members ‖ Bytes shared key ‖ Option header
//
// Spec: WP §2.5; commonware §5.6.
func (c *Client) Encode() []byte {
	dst := codec.AppendUint(codec.AppendU8(nil, keptVersion), c.chainID)
	for _, n := range []uint64{c.calendar.Blocks(), c.set.Epoch, c.record.Set, c.record.Sharing} {
		dst = codec.AppendUint(dst, n)
	}
	members := codec.AppendLen(nil, len(c.set.Members))
	for _, m := range c.set.Members {
		members = codec.AppendFixed(codec.AppendFixed(members, m.Address[:]), m.Key[:])
		members = codec.AppendUint(members, uint64(m.Weight))
	}
	dst = codec.AppendBytes(codec.AppendBytes(dst, members), c.set.Sharing)
	dst = codec.AppendBool(dst, c.head.header != nil)
	if c.head.header != nil {
		dst = c.head.header.Append(dst)
	}
	return dst
}

// Decode makes the client that was encoded. The error wraps a *codec.Error, or is about a set no chain has.
func Decode(data []byte) (*Client, error) {
	r := codec.NewReader(data)
	if version := r.U8(); r.Err() == nil && version != keptVersion {
		r.Fail(codec.ErrInvalid, uint64(version))
	}
	c := &Client{chainID: r.Uint()}
	blocks := r.Uint()
	set := stake.Set{Epoch: r.Uint()}
	record := stake.EpochRecord{Set: r.Uint(), Sharing: r.Uint()}
	members := r.Bytes(keptMembers)
	set.Sharing, set.Shared = append([]byte(nil), r.Bytes(keptSharing)...), record.Sharing
	if r.Option() {
		h := block.ReadHeader(r)
		c.head = Final{&h, h.Hash()}
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("light: kept client: %w", err)
	}
	var err error
	if c.calendar, err = params.NewCalendar(blocks); err != nil {
		return nil, fmt.Errorf("light: kept client: %w", err)
	}
	if set.Members, err = stake.DecodeMembers(members); err != nil {
		return nil, fmt.Errorf("light: kept client: %w", err)
	}
	if h := c.head.header; h != nil && (h.ChainID != c.chainID || c.calendar.Epoch(h.Height)+1 < set.Epoch || c.calendar.Epoch(h.Height) > set.Epoch) {
		return nil, fmt.Errorf("light: kept client: %w", ErrHeader)
	}
	return c, c.believe(set, record)
}
