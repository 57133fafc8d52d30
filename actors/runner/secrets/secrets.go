package secrets

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/actors/runner/work"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/job"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Sealed is a version of a secret, as the chain has it, with the committee that serves it.
type Sealed struct {
	ChainID   uint64
	Height    uint64
	Version   uint64
	Recipient secret.Recipient
	Envelope  *cbss.Envelope
	Payload   []byte
	Serving   secret.Generation
	Proxies   []proxy.Peer // in the committee's order; those that are gone have no address
}

// Chain is what is wanted of the chain.
type Chain interface {
	// Owner is whose secret a job means that names no account: its submitter's, or that of who made the actor which submitted it.
	Owner(ctx context.Context, submitter account.Address) (account.Address, error)
	// Sealed gives a version of a secret, or the newest one. Errors: *work.Error for what is not there, or not in a form that can be opened.
	Sealed(ctx context.Context, id cbss.SecretID, version *uint64) (*Sealed, error)
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
	r := &release{client: c, sealed: s, id: id}
	if r.key, err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	r.request = cbss.Request{
		ChainID: s.ChainID, Secret: id, Version: s.Version, Actor: spec.Submitter, Runner: c.Key.Address(), Recipient: uint8(s.Recipient), Job: spec.ID,
		Block: s.Height, Epoch: s.Serving.Epoch, RunnerKey: [32]byte(r.key.PublicKey().Bytes()),
	}
	rand.Read(r.request.Nonce[:])
	data, err := r.open(ctx)
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

// release is one release under way.
type release struct {
	client  *Client
	sealed  *Sealed
	id      cbss.SecretID
	key     *ecdh.PrivateKey
	request cbss.Request // without its proxy
}

// partial is what a proxy gave, with what it signed.
type partial struct {
	cbss.Partial
	proxy    *proxy.Peer
	evidence []byte
	err      error
}

// open asks proxies until the envelope opens.
func (r *release) open(ctx context.Context) (data [cbss.DataKeySize]byte, err error) {
	g := &r.sealed.Serving
	order := mathrand.Perm(len(r.sealed.Proxies))
	answers := make(chan partial, len(order))
	asked, waiting := 0, 0
	next := func() {
		if asked == len(order) {
			return
		}
		at := order[asked]
		asked++
		waiting++
		go func() { answers <- r.ask(ctx, uint32(at+1), &r.sealed.Proxies[at]) }()
	}
	for range g.Threshold() {
		next()
	}
	var good []partial
	var last error
	for waiting > 0 {
		one := <-answers
		waiting--
		if one.err != nil {
			last = one.err
			next()
			continue
		}
		if good = append(good, one); len(good) < g.Threshold() {
			continue
		}
		if data, err = r.combine(good); err == nil {
			return data, nil
		}
		if good = r.sort(ctx, good); len(good) == g.Threshold() {
			return data, &work.Error{Kind: work.Permanent, Err: errors.New("CiphertextCorrupted: the envelope does not open")}
		}
		for range g.Threshold() - len(good) - waiting {
			next()
		}
	}
	kind := work.Transient
	if errors.Is(last, errRefused) {
		kind = work.Permanent
	}
	return data, &work.Error{Kind: kind, Err: fmt.Errorf("SecretCommitteeUnavailable: %d of %d proxies that are needed gave a partial: %w",
		len(good), g.Threshold(), last)}
}

// errRefused reports a proxy that will not serve, whenever it is asked.
var errRefused = errors.New("a proxy refuses")

// ask gets the partial of the proxy at a place.
//
// Spec: secrets-cbss §4 (deadline 1,500 ms), §10 (1, 2).
func (r *release) ask(ctx context.Context, place uint32, to *proxy.Peer) partial {
	if to.Address == "" {
		return partial{err: errors.New("a proxy of the committee is gone")}
	}
	within, cancel := context.WithTimeout(ctx, frame.Deadline)
	defer cancel()
	q := r.request
	q.Proxy = to.ID
	raw := q.Signed(r.client.Key)
	status, answer, err := r.client.Peers.Ask(within, to, frame.PartialSign, raw)
	if ctx.Err() == nil && (err != nil || status == frame.Later) {
		r.client.unanswered(&q, raw)
	}
	switch {
	case err != nil:
		return partial{err: err}
	case status == frame.Refused:
		return partial{err: fmt.Errorf("%w: %.200s", errRefused, answer)}
	case status != frame.Done:
		return partial{err: fmt.Errorf("a proxy does not serve now: %.200s", answer)}
	}
	plain, err := frame.Open(r.key, frame.AnswerInfo, q.Hash(), answer)
	if err != nil {
		return partial{err: errors.New("an answer does not open")}
	}
	reader := codec.NewReader(plain)
	said, signature := cbss.ReadAnswer(reader)
	by, err := sig.Default().Recover(said.Hash(), signature)
	if want, bad := to.Key.Address(); reader.Finish() != nil || err != nil || bad != nil || by != want || said.Request != q.Hash() || said.Proxy != to.ID ||
		said.Epoch != q.Epoch {
		return partial{err: errors.New("an answer is not the proxy's, or not to the request")}
	}
	return partial{Partial: cbss.Partial{Place: place, Point: said.Partial}, proxy: to, evidence: append(raw, plain...)}
}

func (r *release) combine(good []partial) (data [cbss.DataKeySize]byte, err error) {
	list := make([]cbss.Partial, len(good))
	for i := range good {
		list[i] = good[i].Partial
	}
	sigma, err := cbss.Combine(list)
	if err != nil {
		return data, err
	}
	return r.sealed.Envelope.Open(sigma)
}

// sort keeps the partials that are right, and brings those who signed wrong ones to the chain.
//
// Spec: secrets-cbss §5 (InvalidPartialReencrypt), §10 (1).
func (r *release) sort(ctx context.Context, list []partial) (right []partial) {
	to, err := cbss.ParseIdentity(r.sealed.Envelope.Data[:])
	if err != nil {
		return list
	}
	for _, one := range list {
		if !errors.Is(cbss.CheckPartial(to, r.sealed.Serving.Commitments, one.Partial), cbss.ErrPartial) {
			right = append(right, one)
			continue
		}
		_ = r.client.Chain.Accuse(ctx, &tx.SlashCbssProxy{Proxy: one.proxy.ID, Fault: uint64(secret.InvalidPartial), Evidence: one.evidence})
	}
	return right
}
