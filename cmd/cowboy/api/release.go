package api

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/volume"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// ErrTold reports a node that tells of something which is none: a key, a commitment, a proxy.
var ErrTold = errors.New("the node tells of a key or a proxy that is none")

// Proxies asks proxies over the network. It implements proxy.Peers.
type Proxies struct{ client exchange.Client }

// NewProxies gives one.
func NewProxies() *Proxies { return &Proxies{exchange.Client{Body: frame.MaxBody}} }

// Ask implements proxy.Peers.
func (p *Proxies) Ask(ctx context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	return p.client.Ask(ctx, to.Address, to.TLS, kind, body)
}

// Releases is the secret service behind a node.
type Releases struct{ Node *Client }

// Begin reads what every request of a release has: the chain and its height.
func (r Releases) Begin(ctx context.Context) (*release.Sealed, error) {
	var health wire.Health
	if err := r.Node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	var height wire.Height
	err := r.Node.Read(ctx, "/height", &height)
	return &release.Sealed{ChainID: health.ChainID, Height: height.Height}, err
}

// Serving reads who serves a release key into what is sealed to it.
func (r Releases) Serving(ctx context.Context, of secret.Scope, out *release.Sealed) error {
	path := "/release-key/" + of.Secret.Account.String()
	if of.Version > 0 {
		path += fmt.Sprintf("/%s/%d", of.Secret.KeyHash.Hex(), of.Version)
	}
	var key wire.ReleaseKey
	if err := r.Node.Read(ctx, path, &key); err != nil {
		return err
	}
	out.Serving.Epoch = key.Epoch
	for _, text := range key.Commitments {
		raw, err := unhex(text)
		if err != nil || len(raw) != cbss.KeySize {
			return ErrTold
		}
		out.Serving.Commitments = append(out.Serving.Commitments, cbss.Key(raw))
	}
	for _, text := range key.Committee {
		raw, err := unhex(text)
		if err != nil || len(raw) != digest.Size {
			return ErrTold
		}
		peer := proxy.Peer{ID: digest.Hash(raw)}
		out.Serving.Committee = append(out.Serving.Committee, peer.ID)
		var p wire.Proxy
		err = r.Node.Read(ctx, "/proxy/"+text, &p)
		if err != nil && !NotFound(err) {
			return err
		}
		if err == nil {
			public, bad := unhex(p.PublicKey)
			print, worse := unhex(p.TLS)
			if err := errors.Join(bad, worse); err != nil || len(public) != sig.CompressedKeySize || len(print) != digest.Size {
				return ErrTold
			}
			peer.Key, peer.TLS, peer.Address = sig.CompressedKey(public), digest.Hash(print), p.NetworkAddr
		}
		out.Proxies = append(out.Proxies, peer)
	}
	return nil
}

// Wrapped reads the key of a private volume, as it is wrapped; nil for a public one. Errors: reach.ErrUnknown, release.ErrCorrupted, ErrTold.
//
// Spec: secrets-cbss §11; storage-cbfs §2.2.
func (r Releases) Wrapped(ctx context.Context, id digest.Hash) (*release.Sealed, error) {
	var v wire.Volume
	if err := r.Node.Read(ctx, "/volume/"+wire.Hash(id), &v); err != nil {
		return nil, unknown("volume "+wire.Hash(id), err)
	}
	if v.WrappedDEK == "" {
		return nil, nil
	}
	raw, err := unhex(v.WrappedDEK)
	if err != nil {
		return nil, ErrTold
	}
	envelope, err := cbss.ParseEnvelope(raw)
	if err != nil {
		return nil, errors.Join(release.ErrCorrupted, err)
	}
	to, err := cbss.ParseIdentity(envelope.Data[:])
	if err != nil || to.Secret.KeyHash != cbss.VolumeKeyHash(id) {
		return nil, release.ErrCorrupted
	}
	out, err := r.Begin(ctx)
	if err != nil {
		return nil, err
	}
	out.Secret, out.Version, out.Recipient, out.Envelope = to.Secret, to.Version, secret.OfVolume, envelope
	if err := r.Serving(ctx, secret.AccountScope(to.Secret.Account), out); err != nil {
		return nil, err
	}
	return out, bound(&v, to, &out.Serving)
}

// bound holds the release key that serves to what stands with a volume's wrapped key: another one's partials do not open it. Error: ErrTold.
//
// Spec: storage-cbfs §2.2 (wrapping_key_hash, cbss_release_key_material_hash).
func bound(v *wire.Volume, to *cbss.Identity, serving *secret.Generation) error {
	key, bad := digest.ParseHash(v.KeyHash)
	material, worse := digest.ParseHash(v.ReleaseHash)
	if errors.Join(bad, worse) != nil || len(serving.Commitments) == 0 || serving.Commitments[0] != to.Master {
		return ErrTold
	}
	if serving.Epoch != v.CommitteeEpoch { // that committee has passed the key on
		serving = nil
	}
	if secret.Bound(&volume.Wrap{KeyHash: key, ReleaseHash: material, Epoch: v.CommitteeEpoch}, to.Master, serving) != nil {
		return ErrTold
	}
	return nil
}

// Owner is whose secret a job means that names no account: its submitter's, or that of who made the actor which submitted it.
//
// Spec: sdk §9.2.
func (r Releases) Owner(ctx context.Context, submitter account.Address) (account.Address, error) {
	var a wire.Actor
	err := r.Node.Read(ctx, "/actor/"+submitter.String(), &a)
	if NotFound(err) || err == nil && a.Creator == "" {
		return submitter, nil
	}
	if err != nil {
		return submitter, err
	}
	return account.ReadAddress(a.Creator)
}

func unhex(text string) ([]byte, error) { return hex.DecodeString(strings.TrimPrefix(text, "0x")) }
