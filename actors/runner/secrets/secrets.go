package secrets

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/release"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Sealed is a version of a secret, as the chain has it.
type Sealed struct {
	release.Sealed
	Payload []byte
}

// Chain is what is wanted of the chain.
type Chain interface {
	// Owner is whose secret a job means that names no account: its submitter's, or that of who made the actor which submitted it.
	Owner(ctx context.Context, submitter account.Address) (account.Address, error)
	// Sealed gives a version of a secret, or the newest one. Errors: *work.Error for what is not there, or not in a form that can be opened.
	Sealed(ctx context.Context, id cbss.SecretID, version *uint64) (*Sealed, error)
	// Wrapped gives the key of a private volume, nil for a public one. Errors: *work.Error likewise.
	Wrapped(ctx context.Context, volume digest.Hash) (*release.Sealed, error)
	// Accuse brings a proxy's fault to the chain, Challenge says that it did not answer.
	Accuse(ctx context.Context, in *tx.SlashCbssProxy) error
	Challenge(ctx context.Context, in *tx.SubmitLivenessChallenge) error
	// Receipted lists the proxies with a receipt of a release.
	Receipted(ctx context.Context, release digest.Hash) ([]digest.Hash, error)
}

// Client gets secrets for a runner. It implements work.Secrets.
type Client struct {
	Key   *sig.PrivateKey // the runner's
	Chain Chain
	Peers proxy.Peers

	mu     sync.Mutex
	silent []silence
}

// Get implements work.Secrets.
//
// Spec: secrets-cbss §4 (runner use).
func (c *Client) Get(ctx context.Context, spec *job.Spec) (values map[string][]byte, err error) {
	values = map[string][]byte{}
	defer func() {
		if err != nil {
			for _, v := range values { // order-free: all of them go
				clear(v)
			}
			values = nil
		}
	}()
	for i := range spec.Secrets {
		one := &spec.Secrets[i]
		owner, err := c.Chain.Owner(ctx, spec.Submitter)
		if err != nil {
			return values, err
		}
		if one.Account != nil {
			owner = *one.Account
		}
		value, err := c.release(ctx, spec, cbss.SecretID{Account: owner, KeyHash: cbss.KeyHash(owner, one.Name)}, one.Version)
		if err != nil {
			return values, named(one.Name, err)
		}
		values[one.Name] = value
	}
	return values, nil
}

func named(name string, err error) error {
	return &work.Error{Kind: work.KindOf(err), Err: fmt.Errorf("secret %s: %w", name, err)}
}

// release opens one secret.
func (c *Client) release(ctx context.Context, spec *job.Spec, id cbss.SecretID, version *uint64) ([]byte, error) {
	s, err := c.Chain.Sealed(ctx, id, version)
	if err != nil {
		return nil, err
	}
	data, err := c.open(ctx, spec, &s.Sealed)
	if err != nil {
		return nil, err
	}
	defer clear(data[:])
	plain, err := cbss.OpenPayload(data, s.Envelope.Data[:], s.Payload)
	if err != nil {
		return nil, &work.Error{Kind: work.Permanent, Err: errors.New("CiphertextCorrupted: the payload does not open")}
	}
	return plain, nil
}

// open asks the proxies.
func (c *Client) open(ctx context.Context, spec *job.Spec, s *release.Sealed) (data [cbss.DataKeySize]byte, err error) {
	asks := release.Client{Key: c.Key, Peers: c.Peers, Accuse: c.Chain.Accuse, Silent: c.unanswered}
	data, err = asks.Open(ctx, s, spec.Submitter, spec.ID)
	if err == nil {
		return data, nil
	}
	kind := work.Transient
	if errors.Is(err, release.ErrRefused) || errors.Is(err, release.ErrCorrupted) {
		kind = work.Permanent
	}
	return data, &work.Error{Kind: kind, Err: err}
}

// VolumeKey gets the key of a volume that is attached to a job; nil for a public one. The caller erases it.
//
// Spec: secrets-cbss §11.
func (c *Client) VolumeKey(ctx context.Context, spec *job.Spec, volume digest.Hash) (*[cbss.DataKeySize]byte, error) {
	s, err := c.Chain.Wrapped(ctx, volume)
	if err != nil || s == nil {
		return nil, err
	}
	data, err := c.open(ctx, spec, s)
	if err != nil {
		return nil, err
	}
	return &data, nil
}
