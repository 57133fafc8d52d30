package operate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/secrets"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// NewSecrets gives a runner's key the secrets of its jobs, by the chain behind its node. Each poll of the node challenges a proxy that did not answer.
func NewSecrets(c *Client) work.Secrets {
	s := &secrets.Client{Key: c.wallet.Key, Chain: &sealedBy{c}, Peers: &proxies{exchange.Client{Body: frame.MaxBody}}}
	c.polled = s.Tick
	return s
}

// proxies asks proxies over the network.
type proxies struct{ exchange.Client }

// Ask implements proxy.Peers.
func (p *proxies) Ask(ctx context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	return p.Client.Ask(ctx, to.Address, to.TLS, kind, body)
}

// sealedBy is the chain behind a node. It implements secrets.Chain.
type sealedBy struct{ *Client }

// Owner implements secrets.Chain.
//
// Spec: sdk §9.2.
func (s *sealedBy) Owner(ctx context.Context, submitter account.Address) (account.Address, error) {
	var a wire.Actor
	err := s.wallet.Node.Read(ctx, "/actor/"+submitter.String(), &a)
	if api.NotFound(err) || err == nil && a.Creator == "" {
		return submitter, nil
	}
	if err != nil {
		return submitter, err
	}
	return account.ReadAddress(a.Creator)
}

func permanent(format string, args ...any) error {
	return &work.Error{Kind: work.Permanent, Err: fmt.Errorf(format, args...)}
}

// Sealed implements secrets.Chain.
func (s *sealedBy) Sealed(ctx context.Context, id cbss.SecretID, version *uint64) (*secrets.Sealed, error) {
	node := s.wallet.Node
	var health wire.Health
	if err := node.Read(ctx, "/health/detailed", &health); err != nil {
		return nil, err
	}
	var height wire.Height
	if err := node.Read(ctx, "/height", &height); err != nil {
		return nil, err
	}
	path := "/secrets/" + id.Account.String() + "/" + id.KeyHash.Hex()
	var known wire.SecretVersions
	err := node.Read(ctx, path, &known)
	if api.NotFound(err) {
		return nil, permanent("SecretNotFound: the account has no such secret")
	}
	if err != nil {
		return nil, err
	}
	v, err := chosen(&known, version)
	if err != nil {
		return nil, err
	}
	out := &secrets.Sealed{ChainID: health.ChainID, Height: height.Height, Version: v.Version}
	keyed := "/release-key/" + id.Account.String()
	if v.Recipient == secret.OfSecret.String() {
		out.Recipient = secret.OfSecret
		keyed += fmt.Sprintf("/%s/%d", id.KeyHash.Hex(), v.Version)
	}
	raw, err := unhex(v.WrappedDek)
	if err != nil {
		return nil, err
	}
	if out.Envelope, err = cbss.ParseEnvelope(raw); err != nil {
		return nil, permanent("CiphertextCorrupted: %v", err)
	}
	if out.Payload, err = s.payload(ctx, path, v, health.ChainID); err != nil {
		return nil, err
	}
	var key wire.ReleaseKey
	if err := node.Read(ctx, keyed, &key); err != nil {
		return nil, err
	}
	return out, s.committee(ctx, &key, out)
}

// payloadWithin bounds how long a payload is looked for in storage.
const payloadWithin = 30 * time.Second

// payload reads the encrypted payload of a version: from the chain where it is kept inline, or else from a public volume.
//
// Spec: secrets-cbss §2 (cbfs_pointer), §12 (6).
func (s *sealedBy) payload(ctx context.Context, path string, v *wire.SecretVersion, chainID uint64) ([]byte, error) {
	if v.Inline {
		var payload wire.SecretPayload
		if err := s.wallet.Node.Read(ctx, fmt.Sprintf("%s/%d/payload", path, v.Version), &payload); err != nil {
			return nil, err
		}
		return unhex(payload.Payload)
	}
	place, err := unhex(v.Pointer)
	if err != nil {
		return nil, err
	}
	id, file, ok := secret.ParseStored(place)
	if !ok {
		return nil, permanent("the payload lies at a place that is no file of a volume")
	}
	ctx, cancel := context.WithTimeout(ctx, payloadWithin)
	defer cancel()
	c := &volume.Client{
		Chain: anchoring{api.Storage{Node: s.wallet.Node}, s.Client}, Wallet: s.wallet.Key, Network: api.NetworkOf(chainID), Now: time.Now,
	}
	defer c.Close()
	at, err := c.Open(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("the payload's volume: %w", err)
	}
	entry, err := at.Find(file)
	if err != nil || entry.Kind != cbfs.File || entry.Object.Size > secret.MaxPayload {
		return nil, permanent("CiphertextCorrupted: the volume has no such payload")
	}
	var sealed bytes.Buffer
	if err := at.Read(ctx, file, &sealed); err != nil {
		return nil, fmt.Errorf("the payload: %w", err)
	}
	return sealed.Bytes(), nil
}

// chosen is the version that is asked for, or the newest one that is not pending.
func chosen(known *wire.SecretVersions, version *uint64) (*wire.SecretVersion, error) {
	var found *wire.SecretVersion
	for i := range known.Versions {
		if v := &known.Versions[i]; version == nil && !v.Pending || version != nil && v.Version == *version {
			found = v
		}
	}
	switch {
	case found == nil:
		return nil, permanent("SecretNotFound: the secret has no such version")
	case found.Pending:
		return nil, permanent("SecretPending: the version has no sealed key yet")
	}
	return found, nil
}

// committee reads who serves a key.
func (s *sealedBy) committee(ctx context.Context, key *wire.ReleaseKey, out *secrets.Sealed) error {
	out.Serving.Epoch = key.Epoch
	for _, text := range key.Commitments {
		raw, err := unhex(text)
		if err != nil || len(raw) != cbss.KeySize {
			return permanent("the node tells of a commitment that is none")
		}
		out.Serving.Commitments = append(out.Serving.Commitments, cbss.Key(raw))
	}
	for _, text := range key.Committee {
		raw, err := unhex(text)
		if err != nil || len(raw) != 32 {
			return permanent("the node tells of a proxy that is none")
		}
		peer := proxy.Peer{ID: [32]byte(raw)}
		out.Serving.Committee = append(out.Serving.Committee, peer.ID)
		var p wire.Proxy
		err = s.wallet.Node.Read(ctx, "/proxy/"+text, &p)
		if err != nil && !api.NotFound(err) {
			return err
		}
		if err == nil {
			public, bad := unhex(p.PublicKey)
			print, worse := unhex(p.TLS)
			if err := errors.Join(bad, worse); err != nil || len(public) != sig.CompressedKeySize || len(print) != 32 {
				return permanent("the node tells of a proxy that is none")
			}
			peer.Key, peer.TLS, peer.Address = sig.CompressedKey(public), [32]byte(print), p.NetworkAddr
		}
		out.Proxies = append(out.Proxies, peer)
	}
	return nil
}

func unhex(text string) ([]byte, error) { return hex.DecodeString(strings.TrimPrefix(text, "0x")) }

// Accuse implements secrets.Chain.
func (s *sealedBy) Accuse(ctx context.Context, in *tx.SlashCbssProxy) error {
	return s.Send(ctx, in, tx.Cost{Cycles: 2_000_000, Cells: 30_000})
}

// Challenge implements secrets.Chain.
func (s *sealedBy) Challenge(ctx context.Context, in *tx.SubmitLivenessChallenge) error {
	return s.Send(ctx, in, tx.Cost{Cycles: 600_000, Cells: 10_000})
}

// Receipted implements secrets.Chain.
func (s *sealedBy) Receipted(ctx context.Context, release digest.Hash) (list []digest.Hash, err error) {
	var v wire.SecretRelease
	if err = s.wallet.Node.Read(ctx, "/release/"+wire.Hash(release), &v); api.NotFound(err) {
		return nil, nil
	}
	for _, e := range v.Entries {
		raw, bad := unhex(e.Proxy)
		if bad != nil || len(raw) != digest.Size {
			return nil, permanent("the node tells of a proxy that is none")
		}
		list = append(list, digest.Hash(raw))
	}
	return list, err
}
