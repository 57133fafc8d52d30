package release

import (
	"context"
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Errors of a release. Neither comes with a value, and those that wrap neither of the last two may do better at another time.
var (
	// ErrUnavailable reports a committee of which too few gave their partials.
	ErrUnavailable = errors.New("SecretCommitteeUnavailable")
	// ErrRefused reports, beside ErrUnavailable, that so many proxies will not serve, whenever they are asked, that the others are too few.
	ErrRefused = errors.New("its proxies refuse")
	// ErrCorrupted reports an envelope that the partials do not open, or that is none.
	ErrCorrupted = errors.New("CiphertextCorrupted: the envelope does not open")
)

// Sealed is a data key as the chain has it, with the committee that serves it.
type Sealed struct {
	ChainID   uint64
	Height    uint64
	Secret    cbss.SecretID
	Version   uint64
	Recipient secret.Recipient
	Envelope  *cbss.Envelope
	Serving   secret.Generation
	Proxies   []proxy.Peer // in the committee's order; those that are gone have no address
}

// Client asks proxies for a runner, or for an account itself.
type Client struct {
	Key   *sig.PrivateKey
	Peers proxy.Peers
	// Accuse brings a proxy's fault to the chain; Silent is told of a request that a proxy did not answer, as it was signed. Both may be nil.
	Accuse func(ctx context.Context, in *tx.SlashCbssProxy) error
	Silent func(q *cbss.Request, raw []byte)
}

// Open gets the data key, for a job of an actor, or without a job (zero) for the key's own account, which is the actor then: whoever is the actor pays. The
// caller erases the key. Errors: ErrUnavailable, ErrRefused, ErrCorrupted.
//
// Spec: secrets-cbss §4 (runner use), §11.
func (c *Client) Open(ctx context.Context, s *Sealed, actor account.Address, job digest.Hash) (data [cbss.DataKeySize]byte, err error) {
	r := &asking{client: c, sealed: s}
	if r.key, err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
		return data, err
	}
	r.request = cbss.Request{
		ChainID: s.ChainID, Secret: s.Secret, Version: s.Version, Actor: actor, Runner: c.Key.Address(), Recipient: uint8(s.Recipient), Job: job,
		Block: s.Height, Epoch: s.Serving.Epoch, RunnerKey: [32]byte(r.key.PublicKey().Bytes()),
	}
	rand.Read(r.request.Nonce[:])
	return r.open(ctx)
}

// asking is one release under way.
type asking struct {
	client  *Client
	sealed  *Sealed
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
func (r *asking) open(ctx context.Context) (data [cbss.DataKeySize]byte, err error) {
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
	refused, spare := 0, len(order)-g.Threshold()
	for waiting > 0 {
		one := <-answers
		waiting--
		if one.err != nil {
			last = one.err
			if errors.Is(one.err, errRefusal) {
				refused++
			}
			if refused > spare { // whatever the others say
				break
			}
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
			return data, ErrCorrupted
		}
		for range g.Threshold() - len(good) - waiting {
			next()
		}
	}
	if refused > spare {
		return data, fmt.Errorf("%w: %w: %s", ErrUnavailable, ErrRefused, strings.TrimPrefix(last.Error(), errRefusal.Error()+": "))
	}
	return data, fmt.Errorf("%w: %d of %d proxies that are needed gave a partial: %w", ErrUnavailable, len(good), g.Threshold(), last)
}

// errRefusal reports a proxy that will not serve, whenever it is asked.
var errRefusal = errors.New("a proxy refuses")

// ask gets the partial of the proxy at a place.
//
// Spec: secrets-cbss §4 (deadline 1,500 ms), §10 (1, 2).
func (r *asking) ask(ctx context.Context, place uint32, to *proxy.Peer) partial {
	if to.Address == "" {
		return partial{err: errors.New("a proxy of the committee is gone")}
	}
	within, cancel := context.WithTimeout(ctx, frame.Deadline)
	defer cancel()
	q := r.request
	q.Proxy = to.ID
	raw := q.Signed(r.client.Key)
	status, answer, err := r.client.Peers.Ask(within, to, frame.PartialSign, raw)
	if r.client.Silent != nil && ctx.Err() == nil && (err != nil || status == frame.Later) {
		r.client.Silent(&q, raw)
	}
	switch {
	case err != nil:
		return partial{err: err}
	case status == frame.Refused:
		return partial{err: fmt.Errorf("%w: %.200s", errRefusal, answer)}
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

func (r *asking) combine(good []partial) (data [cbss.DataKeySize]byte, err error) {
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
func (r *asking) sort(ctx context.Context, list []partial) (right []partial) {
	to, err := cbss.ParseIdentity(r.sealed.Envelope.Data[:])
	if err != nil {
		return list
	}
	for _, one := range list {
		if !errors.Is(cbss.CheckPartial(to, r.sealed.Serving.Commitments, one.Partial), cbss.ErrPartial) {
			right = append(right, one)
			continue
		}
		if r.client.Accuse != nil {
			_ = r.client.Accuse(ctx, &tx.SlashCbssProxy{Proxy: one.proxy.ID, Fault: uint64(secret.InvalidPartial), Evidence: one.evidence})
		}
	}
	return right
}
