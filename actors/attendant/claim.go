package attendant

import (
	"github.com/cowboyinc/cowboy-go/actors/link"
	"github.com/cowboyinc/cowboy-go/actors/roster"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

// claim is the voting key that a peer says it signs with.
type claim struct {
	made    *Introduction // the newest, nil before the first
	proven  bool          // it verifies
	refuted bool          // it does not
}

// peer is a connected peer with its claim.
type peer = roster.Peer[claim]

// introduced takes a peer's claim. It is verified when somebody with that key is looked for.
func (c *claim) introduced(f *Introduction) {
	if c.made == nil || *c.made != *f {
		*c = claim{made: f}
	}
}

// signs reports whether the peer's claim to a voting key holds.
func (c *claim) signs(key sig.BLSPublicKey, n sig.Namespace, id link.Peer) bool {
	if c.made == nil || c.made.Key != key || c.refuted {
		return false
	}
	if !c.proven {
		point, err := bls.ParsePublicKey(key)
		c.proven = err == nil && bls.Verify(point, roster.IntroductionPreimage(n, id), c.made.Signature) == nil
		c.refuted = !c.proven
	}
	return c.proven
}

// with lists the peers that sign with a voting key.
func (d *duties) with(key sig.BLSPublicKey) []link.Peer {
	return d.peers.IDs(func(p *peer) bool { return p.Role.signs(key, d.ceremony.Namespace, p.ID) })
}
