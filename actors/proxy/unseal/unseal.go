// Package unseal gets what opens content keys of paid streams, for the beneficiary of a SealRequest: it asks the publisher's committee, opens the answers with
// the beneficiary's key, holds every partial to the committee's commitments, and combines as many as the threshold.
//
// What it gives opens the content keys of the request's key epochs whenever they are registered: it is to be kept as they are. A proxy whose signed answer has
// a wrong partial is named with the evidence.
//
// Deliberately absent: the chain, and the content keys themselves (package cbss opens them).
//
// Spec: secrets-cbss §3, §10 (1), §11.
package unseal

import (
	"context"
	"crypto/ecdh"
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/frame"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// Committee is who shares a publisher's release key, as the chain has it.
type Committee struct {
	ChainID   uint64
	Publisher account.Address
	Master    cbss.Key
	Serving   secret.Generation
	Proxies   []proxy.Peer // in the committee's order; those that are gone have no address
}

// ErrFew reports that fewer proxies than the threshold gave partials.
var ErrFew = errors.New("SecretCommitteeUnavailable: fewer proxies than it takes gave partials")

// answered is what became of asking a proxy.
type answered struct {
	place    uint32
	partials []cbss.Point
	wrong    *tx.SlashCbssProxy // nil for none
	err      error
}

// Collect asks all proxies of a committee for the answers to a SealRequest, and gives for each of its key epochs, in their order, what opens its content key.
// wrong names proxies that signed wrong partials. Errors: ErrFew, with what the last proxy said; the context's.
//
// Spec: secrets-cbss §3 (check, combine), §4 (deadline 1,500 ms), §10 (1).
func Collect(ctx context.Context, peers proxy.Peers, c *Committee, n uint64, q *stream.Request, key *ecdh.PrivateKey) (
	sigmas []cbss.Point, wrong []*tx.SlashCbssProxy, err error,
) {
	answers := make(chan answered, len(c.Proxies))
	for i := range c.Proxies {
		go func() { answers <- c.ask(ctx, peers, uint32(i+1), n, q, key) }()
	}
	var good []answered
	for range c.Proxies {
		one := <-answers
		if one.wrong != nil {
			wrong = append(wrong, one.wrong)
		}
		if one.err != nil {
			err = one.err
			continue
		}
		if len(good) < c.Serving.Threshold() {
			good = append(good, one)
		}
	}
	if len(good) < c.Serving.Threshold() {
		return nil, wrong, fmt.Errorf("%w: %d of %d: %w", ErrFew, len(good), c.Serving.Threshold(), errors.Join(ctx.Err(), err))
	}
	for at := range q.To - q.From + 1 {
		list := make([]cbss.Partial, len(good))
		for i := range good {
			list[i] = cbss.Partial{Place: good[i].place, Point: good[i].partials[at]}
		}
		sigma, err := cbss.Combine(list)
		if err != nil {
			return nil, wrong, err
		}
		sigmas = append(sigmas, sigma)
	}
	return sigmas, wrong, nil
}

// ask gets the answer of the proxy at a place, and looks at all of it.
func (c *Committee) ask(ctx context.Context, peers proxy.Peers, place uint32, n uint64, q *stream.Request, key *ecdh.PrivateKey) answered {
	fails := func(format string, args ...any) answered { return answered{err: fmt.Errorf(format, args...)} }
	to := &c.Proxies[place-1]
	if to.Address == "" {
		return fails("a proxy of the committee is gone")
	}
	within, cancel := context.WithTimeout(ctx, 2*frame.Deadline) // it signs as many as 32 times
	defer cancel()
	status, body, err := peers.Ask(within, to, frame.SealSign, binary.BigEndian.AppendUint64(nil, n))
	if err != nil {
		return fails("a proxy does not answer: %w", err)
	}
	if status != frame.Done {
		return fails("a proxy refuses: %.200q", body)
	}
	plain, err := frame.Open(key, frame.SealInfo, secret.SealContext(c.ChainID, n, q, to.ID), body)
	if err != nil {
		return fails("an answer does not open")
	}
	a, signature, err := cbss.ParseSealAnswer(plain)
	if err != nil {
		return fails("an answer is malformed: %w", err)
	}
	by, err := sig.Default().Recover(a.Hash(), signature)
	want, bad := to.Key.Address()
	if err != nil || bad != nil || by != want || !c.fits(a, to, q) {
		return fails("an answer is not the proxy's, or not to the request")
	}
	for i := range a.Partials {
		err := cbss.CheckPartial(a.Identity(i, c.Master), c.Serving.Commitments, cbss.Partial{Place: place, Point: a.Partials[i]})
		if err != nil {
			one := fails("a proxy gave a wrong partial: %w", err)
			one.wrong = &tx.SlashCbssProxy{Proxy: to.ID, Fault: uint64(secret.InvalidPartial), Evidence: append([]byte{byte(i)}, plain...)}
			return one
		}
	}
	return answered{place: place, partials: a.Partials}
}

// fits reports whether an answer is what was asked for.
func (c *Committee) fits(a *cbss.SealAnswer, to *proxy.Peer, q *stream.Request) bool {
	return a.ChainID == c.ChainID && a.Publisher == c.Publisher && a.Stream == q.Stream && a.From == q.From && a.Proxy == to.ID &&
		a.Epoch == c.Serving.Epoch && uint64(len(a.Partials)) == q.To-q.From+1
}
