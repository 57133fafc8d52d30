package relay

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"errors"
	"slices"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/net/mutual"
)

// need is what a question takes.
type need uint8

const (
	toRead need = iota
	toWrite
	toAnchor // to read what a commit is made from: the table and the manifest's first stripe, in which no file's bytes are
	toDelete // what was written: the owner alone
)

// of reports whether a mode allows it. Whoever writes may read what a commit is made from.
//
// Spec: storage-cbfs §2.5 (access_mode).
func (n need) of(m cbfs.Mode) bool {
	switch n {
	case toRead:
		return m.Reads()
	case toAnchor:
		return m.Reads() || m.Writes()
	}
	return m.Writes()
}

// needOf is what a question takes.
func needOf(q *protocol.Request) need {
	switch q.Op {
	case protocol.PutShard, protocol.HaveShards, protocol.PutPlacement:
		return toWrite
	case protocol.DeleteShard:
		return toDelete
	case protocol.GetPlacement, protocol.GetPage, protocol.GetPaths, protocol.GetManifest:
		return toAnchor
	case protocol.GetShard:
		if q.Number == 0 {
			return toAnchor
		}
	}
	return toRead
}

// volume looks a volume up; one that was made just now is looked for anew.
func (d *Responder) volume(ctx context.Context, q *protocol.Request) (*reach.Volume, protocol.Status) {
	v, err := d.Directory.Volume(ctx, q.Volume, false)
	if errors.Is(err, reach.ErrUnknown) {
		v, err = d.Directory.Volume(ctx, q.Volume, true)
	}
	switch {
	case errors.Is(err, reach.ErrUnknown):
		return nil, protocol.ErrNotFound
	case err != nil:
		return nil, protocol.ErrCapacity // no node answers: later
	}
	return v, protocol.Ok
}

// admit holds a question to the chain: the volume, its status, then the token. Whoever reads a public volume, and a relay that holds a slot, needs none.
//
// Spec: storage-cbfs §2.5, §3.3.
func (d *Responder) admit(ctx context.Context, from *mutual.Peer, q *protocol.Request, n need) (*reach.Volume, protocol.Status) {
	v, status := d.volume(ctx, q)
	writes := n == toWrite || n == toDelete
	if n == toAnchor && status == protocol.Ok && !d.newest(ctx, q, v) {
		n = toRead // a writer may bring any table, and be let into none of the volume's files by it
	}
	switch {
	case status != protocol.Ok:
		return nil, status
	case q.Op == protocol.HaveShards && known(from) && v.Readable():
		return v, protocol.Ok // a relay that is about to push
	case !writes && !v.Readable(), writes && !v.Writable():
		return nil, protocol.ErrNotFound
	case !writes && (!v.Private || d.holder(ctx, from, v)):
		return v, protocol.Ok
	case len(q.Token) == 0, n == toDelete && q.Token[0] == 0: // runners never get the right to delete
		return nil, protocol.ErrAuth
	case q.Token[0] == 0:
		status = d.runner(ctx, from, q, v, n)
	default:
		status = d.owner(ctx, from, q, v, n)
	}
	return v, status
}

// newest reports whether a question is about the newest commit; one that was made just now is looked for anew.
func (d *Responder) newest(ctx context.Context, q *protocol.Request, v *reach.Volume) bool {
	if q.Root.IsZero() || q.Root == v.Root {
		return true
	}
	fresh, err := d.Directory.Volume(ctx, v.ID, true)
	return err == nil && q.Root == fresh.Root
}

// holder reports whether the connection is that of a relay which holds a slot of the volume; one that was given to it just now is looked for anew.
func (d *Responder) holder(ctx context.Context, from *mutual.Peer, v *reach.Volume) bool {
	who, ok := from.Note.Load().(account.Address)
	if !ok {
		return false
	}
	if len(v.Holds(who)) > 0 {
		return true
	}
	fresh, err := d.Directory.Volume(ctx, v.ID, true)
	return err == nil && len(fresh.Holds(who)) > 0
}

// runner holds a token of version 0 to what the chain has, byte for byte, and its holder to the certificate.
//
// Spec: storage-cbfs §2.5 (v0).
func (d *Responder) runner(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume, n need) protocol.Status {
	t, err := cbfs.DecodeRunnerToken(q.Token)
	if err != nil {
		return protocol.ErrInvalid
	}
	same := func(one reach.Token) bool { return one.ID == t.ID && bytes.Equal(one.Body, q.Token) }
	if !slices.ContainsFunc(v.Tokens, same) {
		fresh, err := d.Directory.Volume(ctx, v.ID, true) // it may have been granted just now
		if err != nil || !slices.ContainsFunc(fresh.Tokens, same) {
			return protocol.ErrAuth
		}
	}
	height, err := d.Directory.Height(ctx)
	if err != nil {
		return protocol.ErrCapacity
	}
	if t.Volume != v.ID || height < t.From || height >= t.Until || !n.of(t.Mode) {
		return protocol.ErrAuth
	}
	c, err := cbfs.DecodeCertificate(q.Certificate)
	if err != nil {
		return protocol.ErrInvalid
	}
	if c.Wallet != t.Runner || c.Key != from.Key || c.Holds(d.network()) != nil || !d.once("certificate", q.Certificate, c.Proven) {
		return protocol.ErrAuth
	}
	return d.unrevoked(ctx, c)
}

// unrevoked holds a certificate to what its wallet has revoked on chain. It is asked of certificates whose signatures are right alone.
//
// Spec: storage-cbfs §2.2 (ras:revocation), §2.5.
func (d *Responder) unrevoked(ctx context.Context, c *cbfs.Certificate) protocol.Status {
	switch revoked, err := d.Directory.Revoked(ctx, c.Wallet, digest.Hash(c.Key)); {
	case err != nil:
		return protocol.ErrCapacity
	case revoked:
		return protocol.ErrAuth
	}
	return protocol.Ok
}

// owner holds a token of version 1 to the volume's owner. Of the chain it takes what the directory remembers alone: whose the volume is, and which keys were
// revoked.
//
// Spec: storage-cbfs §2.5 (v1).
func (d *Responder) owner(ctx context.Context, from *mutual.Peer, q *protocol.Request, v *reach.Volume, n need) protocol.Status {
	t, err := cbfs.DecodeOwnerToken(q.Token)
	if err != nil {
		return protocol.ErrInvalid
	}
	if t.Volume != v.ID || !n.of(t.Mode) || t.Certificate.Key != from.Key || t.Holds(d.network(), v.Owner) != nil || !d.once("token", q.Token, t.Proven) {
		return protocol.ErrAuth
	}
	return d.unrevoked(ctx, &t.Certificate)
}

// once reports whether the signatures of a token or a certificate are right. Those that are right are remembered, since whoever moves a file shows the same
// token with each MiB of it.
func (d *Responder) once(kind string, raw []byte, proven func() error) bool {
	of := digest.Blake3([]byte(kind), raw)
	if d.proven.Contains(of) {
		return true
	}
	if proven() != nil {
		return false
	}
	d.proven.Add(of, struct{}{})
	return true
}

func (d *Responder) network() cbfs.Network {
	n := d.Network
	n.NowMs = uint64(d.Now().UnixMilli())
	return n
}

// handshake knows a connection for that of a relay: the key of the connection is the one the chain has for it, which has signed the moment.
//
// Spec: storage-cbfs §3.3 (RelayHandshake).
func (d *Responder) handshake(ctx context.Context, from *mutual.Peer, q *protocol.Request) *protocol.Answer {
	if len(q.Hashes) != 2 || len(q.Data) != ed25519.SignatureSize {
		return refuse(protocol.ErrInvalid)
	}
	now := d.network().NowMs
	if q.Offset+protocol.HandshakeSkewMs < now || q.Offset > now+protocol.HandshakeSkewMs {
		return refuse(protocol.ErrAuth)
	}
	h := protocol.HandshakeHash(q.Volume, q.Hashes[0], q.Offset)
	if !ed25519.Verify(from.Key[:], h[:], q.Data) {
		return refuse(protocol.ErrAuth)
	}
	owner := account.Address(q.Hashes[1][digest.Size-account.AddressSize:])
	r, err := d.Directory.Relay(ctx, owner)
	if err != nil || r.Node != q.Volume || [32]byte(r.Key) != from.Key {
		return refuse(protocol.ErrAuth)
	}
	from.Note.Store(owner)
	d.Peers.Seen(r, d.Now())
	return &protocol.Answer{}
}
