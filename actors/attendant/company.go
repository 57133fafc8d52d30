package attendant

import (
	"bytes"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// favours bounds what a peer may have verified in a second.
const favours = 64

// company is the connected peers, ascending, and with which voting keys they say they sign.
type company struct {
	namespace sig.Namespace
	list      []*peer
}

type peer struct {
	id      link.Peer
	claim   *Introduce // the newest, nil before the first
	proven  bool       // the claim verifies
	refuted bool       // it does not
	granted int        // favours since the last renewal
	renewed time.Time
}

func (c *company) find(id link.Peer) (int, bool) {
	return slices.BinarySearchFunc(c.list, id, func(p *peer, id link.Peer) int { return bytes.Compare(p.id[:], id[:]) })
}

func (c *company) add(id link.Peer) {
	if at, known := c.find(id); !known {
		c.list = slices.Insert(c.list, at, &peer{id: id})
	}
}

func (c *company) remove(id link.Peer) {
	if at, known := c.find(id); known {
		c.list = slices.Delete(c.list, at, at+1)
	}
}

func (c *company) of(id link.Peer) *peer {
	if at, known := c.find(id); known {
		return c.list[at]
	}
	return nil
}

// grant reports whether a peer may have something more verified.
func (p *peer) grant(now time.Time) bool {
	if now.Sub(p.renewed) >= time.Second {
		p.granted, p.renewed = 0, now
	}
	p.granted++
	return p.granted <= favours
}

// introduced takes a peer's claim. It is verified when somebody with that key is looked for.
func (p *peer) introduced(f *Introduce) {
	if p.claim == nil || *p.claim != *f {
		p.claim, p.proven, p.refuted = f, false, false
	}
}

// with lists the peers that sign with a voting key.
func (c *company) with(key sig.BLSPublicKey) (list []link.Peer) {
	for _, p := range c.list {
		if p.claim == nil || p.claim.Key != key || p.refuted {
			continue
		}
		if !p.proven {
			point, err := bls.ParsePublicKey(key)
			p.proven = err == nil && bls.Verify(point, replica.Introduction(c.namespace, p.id), p.claim.Signature) == nil
			p.refuted = !p.proven
		}
		if p.proven {
			list = append(list, p.id)
		}
	}
	return list
}
