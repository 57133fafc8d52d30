package beacon

import (
	"fmt"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// scalar is a test scalar below the group order.
func scalar(label string, n ...any) []byte {
	h := digest.SHA256([]byte(fmt.Sprintln(label, n)))
	h[0] &= 0x3f
	return h[:]
}

func private(t testing.TB, label string, n ...any) *bls.PrivateKey {
	t.Helper()
	k, err := bls.ParsePrivateKey(scalar(label, n...))
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// set is a validator set with its voting keys and, once it has one, its shared key.
type set struct {
	names   []string
	keys    []*bls.PrivateKey
	publics []*bls.PublicKey
	sharing *bls.Sharing
	shares  []bls.Share
}

func newSet(t testing.TB, names ...string) *set {
	s := &set{names: names}
	for _, name := range names {
		k := private(t, "key", name)
		s.keys, s.publics = append(s.keys, k), append(s.publics, k.PublicKey())
	}
	return s
}

func named(n int) (names []string) {
	for i := range n {
		names = append(names, fmt.Sprint("v", i))
	}
	return names
}

// deal gives a set a key by a trusted dealer.
func (s *set) deal(t testing.TB) *set {
	t.Helper()
	var coefficients [][]byte
	for i := range sig.Quorum(len(s.names)) {
		coefficients = append(coefficients, scalar("genesis", i))
	}
	var err error
	if s.sharing, s.shares, err = bls.Deal(coefficients, uint32(len(s.names))); err != nil {
		t.Fatal(err)
	}
	return s
}

// ceremony is one run in one place. Its knobs are the faults.
type ceremony struct {
	t       testing.TB
	from    *set
	to      *set
	info    *Info
	players []*Player
	crashed []uint32          // dealers that never start
	silent  []uint32          // players that never answer
	tamper  func(d Deal) Deal // what a lying dealer does to a deal on its way
	forge   func(l *Log) *Log // and to its log
}

func newCeremony(t testing.TB, epoch uint64, from, to *set) *ceremony {
	t.Helper()
	info, err := NewInfo(namespace, epoch, from.sharing, from.publics, to.publics)
	if err != nil {
		t.Fatal(err)
	}
	c := &ceremony{t: t, from: from, to: to, info: info}
	for i, k := range to.keys {
		p, err := NewPlayer(info, uint32(i), k)
		if err != nil {
			t.Fatal(err)
		}
		c.players = append(c.players, p)
	}
	return c
}

func (c *ceremony) dealer(rank uint32) *Dealer {
	c.t.Helper()
	constant := private(c.t, "fresh", c.from.names[rank])
	if c.from.shares != nil {
		constant = c.from.shares[rank].Key
	}
	d, err := NewDealer(c.info, rank, c.from.keys[rank], constant)
	if err != nil {
		c.t.Fatal(err)
	}
	return d
}

// run plays the ceremony over the wire encodings and gives the logs that are valid, and what became of the others.
func (c *ceremony) run() (valid []*Log, refused map[uint32]error) {
	c.t.Helper()
	refused = map[uint32]error{}
	for rank := range uint32(len(c.from.names)) {
		if slices.Contains(c.crashed, rank) {
			continue
		}
		d := c.dealer(rank)
		for _, p := range c.players {
			c.offer(d, p)
		}
		log, err := d.Log()
		if err == nil {
			if c.forge != nil {
				log = c.forge(log)
			}
			if log, err = DecodeLog(log.Encode()); err == nil {
				err = c.info.Check(log)
			}
		}
		if err != nil {
			refused[rank] = err
			continue
		}
		valid = append(valid, log)
	}
	return valid, refused
}

func (c *ceremony) offer(d *Dealer, p *Player) {
	c.t.Helper()
	deal, err := d.Deal(p.rank)
	if err != nil {
		c.t.Fatal(err)
	}
	if c.tamper != nil {
		deal = c.tamper(deal)
	}
	if deal, err = DecodeDeal(deal.Encode()); err != nil {
		c.t.Fatal(err)
	}
	ack, err := p.Receive(deal)
	if err != nil || slices.Contains(c.silent, p.rank) {
		return
	}
	if ack, err = DecodeAck(ack.Encode()); err != nil {
		c.t.Fatal(err)
	}
	if err := d.Acknowledge(ack); err != nil {
		c.t.Fatal(err)
	}
}

// finish gives the new set its key.
func (c *ceremony) finish(logs []*Log) *Outcome {
	c.t.Helper()
	o, err := c.info.Finish(logs)
	if err != nil {
		c.t.Fatal(err)
	}
	c.to.sharing = o.Sharing
	for _, p := range c.players {
		share, err := p.Share(o)
		if err != nil {
			c.t.Fatalf("player %d: %v", p.rank, err)
		}
		c.to.shares = append(c.to.shares, share)
	}
	return o
}

// seed recovers a round's seed of the shares at the given ranks and verifies it under a group key.
func seed(s *set, group *bls.PublicKey, round sig.Round, ranks ...int) (sig.BLSSignature, error) {
	var partials []bls.Partial
	for _, r := range ranks {
		partials = append(partials, s.shares[r].Sign(namespace.Seed(round)))
	}
	out, err := bls.Recover(s.sharing.Threshold(), partials)
	if err == nil {
		err = bls.Verify(group, namespace.Seed(round), out)
	}
	return out, err
}
