package operate

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner/secrets"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// NewSecrets gives a runner's key the secrets of its jobs, by the chain behind its node. Each poll of the node challenges a proxy that did not answer.
func NewSecrets(c *Client) *secrets.Client {
	s := &secrets.Client{Key: c.wallet.Key, Chain: &sealedBy{c, api.Releases{Node: c.wallet.Node}}, Peers: api.NewProxies()}
	c.polled = s.Tick
	return s
}

// sealedBy is the chain behind a node. It implements secrets.Chain.
type sealedBy struct {
	*Client
	api.Releases
}

func permanent(format string, args ...any) error {
	return &work.Error{Kind: work.Permanent, Err: fmt.Errorf(format, args...)}
}

// Sealed implements secrets.Chain.
func (s *sealedBy) Sealed(ctx context.Context, id cbss.SecretID, version *uint64) (*secrets.Sealed, error) {
	node := s.wallet.Node
	sealed, err := s.Begin(ctx)
	if err != nil {
		return nil, err
	}
	path := "/secrets/" + id.Account.String() + "/" + id.KeyHash.Hex()
	var known wire.SecretVersions
	err = node.Read(ctx, path, &known)
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
	out := &secrets.Sealed{Sealed: *sealed}
	out.Secret, out.Version = id, v.Version
	of := secret.AccountScope(id.Account)
	if v.Recipient == secret.OfSecret.String() {
		out.Recipient, of = secret.OfSecret, secret.Scope{Secret: id, Version: v.Version}
	}
	raw, err := unhex(v.WrappedDek)
	if err != nil {
		return nil, err
	}
	if out.Envelope, err = cbss.ParseEnvelope(raw); err != nil {
		return nil, permanent("CiphertextCorrupted: %v", err)
	}
	if out.Payload, err = s.payload(ctx, path, v, out.ChainID); err != nil {
		return nil, err
	}
	return out, told(s.Serving(ctx, of, &out.Sealed))
}

// told says of what a node tells whether another try can do better.
func told(err error) error {
	if errors.Is(err, api.ErrTold) || errors.Is(err, release.ErrCorrupted) || errors.Is(err, reach.ErrUnknown) {
		return &work.Error{Kind: work.Permanent, Err: err}
	}
	return err
}

// Wrapped implements secrets.Chain.
func (s *sealedBy) Wrapped(ctx context.Context, volume digest.Hash) (*release.Sealed, error) {
	sealed, err := s.Releases.Wrapped(ctx, volume)
	return sealed, told(err)
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
	entry, err := at.Find(ctx, file)
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
