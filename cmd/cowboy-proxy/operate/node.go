package operate

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	runner "github.com/cowboyinc/cowboy-go/cmd/cowboy-runner/operate"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// Node is the chain behind a node, as a proxy sees it and its operator's key sends to it. It implements proxy.Node.
type Node struct {
	api    *api.Client
	chain  *runner.Client
	proxy  digest.Hash
	before func(ctx context.Context) error // each poll; may be nil
}

// NewNode gives the chain behind a node to a proxy. before is called before each poll, and may be nil.
func NewNode(node *api.Client, operator *runner.Client, id digest.Hash, before func(ctx context.Context) error) *Node {
	return &Node{node, operator, id, before}
}

// reading reads hexadecimal fields; its first error stays.
type reading struct{ err error }

func (r *reading) bytes(text string) []byte {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	r.err = errors.Join(r.err, err)
	return raw
}

func (r *reading) into(dst []byte, text string) {
	raw := r.bytes(text)
	if len(raw) != len(dst) {
		r.err = errors.Join(r.err, fmt.Errorf("%d bytes instead of %d", len(raw), len(dst)))
		return
	}
	copy(dst, raw)
}

func (r *reading) hashes(list []string) (out []digest.Hash) {
	for _, text := range list {
		var h digest.Hash
		r.into(h[:], text)
		out = append(out, h)
	}
	return out
}

func (r *reading) keys(list []string) (out []cbss.Key) {
	for _, text := range list {
		var k cbss.Key
		r.into(k[:], text)
		out = append(out, k)
	}
	return out
}

func (r *reading) scope(text string) secret.Scope {
	of, err := secret.ParseScope(r.bytes(text))
	r.err = errors.Join(r.err, err)
	return of
}

// peer reads a proxy.
func (r *reading) peer(p *wire.Proxy) proxy.Peer {
	one := proxy.Peer{Address: p.NetworkAddr}
	r.into(one.ID[:], p.ID)
	r.into(one.Key[:], p.PublicKey)
	r.into(one.HPKE[:], p.HPKE)
	r.into(one.TLS[:], p.TLS)
	return one
}

func (r *reading) task(w *wire.KeyWork) proxy.Task {
	t := proxy.Task{
		Scope: r.scope(w.Scope), Quorum: int(w.Threshold), Requested: w.Requested, Deadline: w.Deadline, Committee: r.hashes(w.Committee),
	}
	if w.Reshare {
		b := &w.Before
		t.Before = &secret.Generation{Epoch: b.Epoch, Committee: r.hashes(b.Committee), Commitments: r.keys(b.Commitments)}
		r.into(t.Master[:], b.Master)
	}
	return t
}

// Look implements proxy.Node.
func (n *Node) Look(ctx context.Context, scopes []secret.Scope) (v proxy.View, err error) {
	if n.before != nil {
		if err := n.before(ctx); err != nil {
			return v, err
		}
	}
	var work wire.ProxyWork
	if err := n.api.Read(ctx, "/proxy-work/"+wire.Hash(n.proxy), &work); err != nil {
		return v, err
	}
	r := &reading{}
	v.Height, v.Freshness = work.Height, work.Freshness
	for i := range work.Keys {
		v.Tasks = append(v.Tasks, r.task(&work.Keys[i]))
	}
	for i := range work.Peers {
		v.Peers = append(v.Peers, r.peer(&work.Peers[i]))
	}
	for _, c := range work.Challenges {
		one := proxy.Challenge{Deadline: c.Deadline}
		r.into(one.ID[:], c.ID)
		r.into(one.Release[:], c.Release)
		v.Challenges = append(v.Challenges, one)
	}
	for i := range work.Locks {
		l := &work.Locks[i]
		one := proxy.Lock{Scope: r.scope(l.Scope), Data: r.bytes(l.Identity), Epoch: l.Epoch, Members: l.Members, Quorum: l.Threshold}
		r.into(one.ID[:], l.ID)
		v.Locks = append(v.Locks, one)
	}
	for i := range work.Seals {
		q := &work.Seals[i]
		one := proxy.Seal{Number: q.Number, Scope: r.scope(q.Scope), Data: r.bytes(q.Identity), Epoch: q.Epoch, Members: q.Members, Quorum: q.Threshold}
		r.into(one.Context[:], q.Context)
		v.Seals = append(v.Seals, one)
	}
	for _, of := range scopes {
		k, err := n.key(ctx, of)
		if err != nil {
			return v, err
		}
		v.Keys = append(v.Keys, k)
	}
	return v, r.err
}

// keyPath is where a node tells of a release key.
func keyPath(of secret.Scope) string {
	path := "/release-key/" + of.Secret.Account.String()
	if of.Version > 0 {
		path += fmt.Sprintf("/%s/%d", of.Secret.KeyHash.Hex(), of.Version)
	}
	return path
}

func (n *Node) key(ctx context.Context, of secret.Scope) (proxy.Key, error) {
	k := proxy.Key{Scope: of}
	var v wire.ReleaseKey
	err := n.api.Read(ctx, keyPath(of), &v)
	if api.NotFound(err) || err == nil && v.Master == "" {
		return k, nil
	}
	if err != nil {
		return k, err
	}
	r := &reading{}
	k.Found, k.Generation = true, secret.Generation{Epoch: v.Epoch, Committee: r.hashes(v.Committee), Commitments: r.keys(v.Commitments)}
	for _, p := range v.Prior {
		k.Prior = append(k.Prior, secret.Prior{Generation: secret.Generation{Epoch: p.Epoch}, Expires: unit.Height(p.ExpiresAt)})
	}
	return k, r.err
}

// Admit implements proxy.Node.
func (n *Node) Admit(ctx context.Context, request []byte) (a proxy.Admission, err error) {
	var v wire.Admission
	if err := n.api.Read(ctx, "/proxy-admission/"+wire.Hash(n.proxy)+"/"+hex.EncodeToString(request), &v); err != nil {
		return a, err
	}
	if a.Height, a.Refused, a.Pending = v.Height, v.Refused, v.Pending; a.Refused != "" {
		return a, nil
	}
	r := &reading{}
	a.Scope, a.Data = r.scope(v.Scope), r.bytes(v.Identity)
	a.Generation = secret.Generation{Epoch: v.Epoch, Committee: r.hashes(v.Committee), Commitments: r.keys(v.Commitments)}
	return a, r.err
}

// AdmitSeal implements proxy.Node.
func (n *Node) AdmitSeal(ctx context.Context, number uint64) (a proxy.SealAdmission, err error) {
	var v wire.SealAdmission
	if err := n.api.Read(ctx, fmt.Sprintf("/proxy-seal/%s/%d", wire.Hash(n.proxy), number), &v); err != nil {
		return a, err
	}
	if a.Height, a.Refused = v.Height, v.Refused; a.Refused != "" {
		return a, nil
	}
	r := &reading{}
	publisher, err := account.ReadAddress(v.Publisher)
	if err != nil {
		return a, err
	}
	a.Scope, a.To, a.Place = secret.AccountScope(publisher), v.ToKeyEpoch, v.Place
	a.Answer = cbss.SealAnswer{ChainID: v.ChainID, Publisher: publisher, From: v.FromKeyEpoch, Epoch: v.Epoch}
	r.into(a.Answer.Stream[:], v.StreamID)
	r.into(a.Public[:], v.PublicKey)
	r.into(a.Context[:], v.Context)
	r.into(a.Master[:], v.Master)
	return a, r.err
}

// Recorded implements proxy.Node.
func (n *Node) Recorded(ctx context.Context, release digest.Hash) (bool, error) {
	var v wire.SecretRelease
	err := n.api.Read(ctx, "/release/"+wire.Hash(release), &v)
	if api.NotFound(err) {
		return false, nil
	}
	for _, e := range v.Entries {
		if e.Proxy == wire.Hash(n.proxy) {
			return true, err
		}
	}
	return false, err
}

// mostCells and timesCycles bound what an instruction of a proxy may take: a rotation is charged for each signature on top of its own price.
const (
	mostCells   = 60_000
	timesCycles = 4
)

// Send implements proxy.Node.
func (n *Node) Send(ctx context.Context, in tx.Instruction) error {
	row, _ := tx.RowOf(in.Opcode())
	cycles := row.Intrinsic.Cycles
	if _, handler := in.(*tx.Execute); handler {
		cycles = params.CostReleaseReceipt // of a SealRequest
	}
	err := n.chain.Send(ctx, in, tx.Cost{Cycles: timesCycles * cycles, Cells: mostCells})
	var failed *api.Failed
	if errors.As(err, &failed) {
		return &proxy.Refusal{Why: failed.Why}
	}
	return err
}

// Peers asks other proxies over the network. It implements proxy.Peers.
type Peers struct{ exchange.Client }

// Ask implements proxy.Peers.
func (p *Peers) Ask(ctx context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	return p.Client.Ask(ctx, to.Address, to.TLS, kind, body)
}
