package cli

import (
	"context"
	"crypto/ecdh"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/proxy"
	"github.com/cowboyinc/cowboy-go/actors/proxy/unseal"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/stream"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/net/exchange"
)

// proxyPeers asks proxies over the network. It implements proxy.Peers.
type proxyPeers struct{ exchange.Client }

// Ask implements proxy.Peers.
func (p *proxyPeers) Ask(ctx context.Context, to *proxy.Peer, kind byte, body []byte) (byte, []byte, error) {
	return p.Client.Ask(ctx, to.Address, to.TLS, kind, body)
}

// collecting is one `cowboy stream keys`.
type collecting struct {
	*app
	stream digest.Hash
	me     account.Address
	key    *ecdh.PrivateKey
	peers  proxy.Peers
	file   *keyFile
	said   strings.Builder
	opened []uint64 // key epochs
}

// run goes through the account's requests of the stream, and asks about those that may have something new.
func (c *collecting) run(ctx context.Context) error {
	var known wire.StreamKeys
	if err := c.node().Read(ctx, "/account/"+c.me.String()+"/stream-keys", &known); err != nil {
		return err
	}
	number := uint64(0)
	for _, k := range known.Keys {
		if trim0x(k.PublicKey) == hex.EncodeToString(c.key.PublicKey().Bytes()) {
			number = k.AccountKeyID
		}
	}
	if number == 0 {
		public := c.key.PublicKey().Bytes()
		return usageError{fmt.Errorf("KEY_REVOKED: %s has not registered this key\n  cowboy stream register-key --public-key %x", c.me, public)}
	}
	var list []wire.SealRequest
	err := pages(ctx, c.app, "/account/"+c.me.String()+"/seal-requests", func(page *wire.SealRequests) string {
		for _, q := range page.Requests {
			if q.StreamID == wire.Hash(c.stream) {
				list = append(list, q)
			}
		}
		return behind(page.NextCursor)
	})
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usageError{errors.New("ENTITLEMENT_REQUIRED: no request of yours for this stream\n" +
			"  `cowboy stream buy` raises one, and `cowboy stream seal` for epochs that were bought before")}
	}
	committee, err := c.committee(ctx)
	if err != nil {
		return err
	}
	for i := range list {
		if err := c.collect(ctx, committee, &list[i], number); err != nil {
			return err
		}
	}
	if err := c.file.save(); err != nil {
		return err
	}
	fmt.Fprintf(&c.said, "%d keys of %d key epochs are new in %s\n", len(c.opened), len(c.file.Keys), c.file.path)
	return c.show(map[string]any{"opened": c.opened, "keys": c.file.path}, "%s", c.said.String())
}

// committee reads who shares the publisher's key.
func (c *collecting) committee(ctx context.Context) (*unseal.Committee, error) {
	publisher, err := c.termsOf(ctx, c.stream)
	if err != nil {
		return nil, err
	}
	var to cbss.Identity
	if err := c.towards(ctx, publisher, &to); err != nil {
		return nil, err
	}
	out := &unseal.Committee{ChainID: to.ChainID, Publisher: publisher, Master: to.Master}
	var key wire.ReleaseKey
	if err := c.node().Read(ctx, "/release-key/"+publisher.String(), &key); err != nil {
		return nil, err
	}
	out.Serving.Epoch = key.Epoch
	for _, text := range key.Commitments {
		raw, err := hex.DecodeString(trim0x(text))
		if err != nil || len(raw) != cbss.KeySize {
			return nil, errors.New("the node tells of a commitment that is none")
		}
		out.Serving.Commitments = append(out.Serving.Commitments, cbss.Key(raw))
	}
	for _, text := range key.Committee {
		id, err := parseHash(text)
		if err != nil {
			return nil, err
		}
		peer, err := c.peer(ctx, id)
		if err != nil {
			return nil, err
		}
		out.Serving.Committee, out.Proxies = append(out.Serving.Committee, id), append(out.Proxies, peer)
	}
	return out, nil
}

// peer reads a proxy; one that is gone has no address.
func (c *collecting) peer(ctx context.Context, id digest.Hash) (proxy.Peer, error) {
	one := proxy.Peer{ID: id}
	var p wire.Proxy
	err := c.node().Read(ctx, "/proxy/"+wire.Hash(id), &p)
	if missing(err) {
		return one, nil
	}
	if err != nil {
		return one, err
	}
	for _, field := range []struct {
		into []byte
		text string
	}{{one.Key[:], p.PublicKey}, {one.TLS[:], p.TLS}} {
		raw, err := hex.DecodeString(trim0x(field.text))
		if err != nil || len(raw) != len(field.into) {
			return one, errors.New("the node tells of a proxy that is none")
		}
		copy(field.into, raw)
	}
	one.Address = p.NetworkAddr
	return one, nil
}

// collect gets the keys of one request that the file does not have, and says why it cannot.
func (c *collecting) collect(ctx context.Context, committee *unseal.Committee, v *wire.SealRequest, number uint64) error {
	wrapped := map[uint64][]byte{}
	for at := range v.ToKeyEpoch - v.FromKeyEpoch + 1 {
		epoch := v.FromKeyEpoch + at
		if known, err := c.file.key(epoch); err != nil || known != nil {
			if err != nil {
				return err
			}
			continue
		}
		content, err := c.registered(ctx, c.stream, epoch)
		if err != nil {
			return err
		}
		if content == nil {
			fmt.Fprintf(&c.said, "Key epoch %d: the publisher has registered no key yet\n", epoch)
			continue
		}
		wrapped[epoch] = content
	}
	if len(wrapped) == 0 {
		return nil
	}
	about := fmt.Sprintf("Request %d, key epochs %d to %d", v.Number, v.FromKeyEpoch, v.ToKeyEpoch)
	if why := unusable(v, number); why != "" {
		fmt.Fprintf(&c.said, "%s: %s\n", about, why)
		return nil
	}
	q := &stream.Request{
		Stream: c.stream, Beneficiary: c.me, From: v.FromKeyEpoch, To: v.ToKeyEpoch, Key: v.AccountKeyID, Generation: v.Generation,
		Emitted: unit.Height(v.EmittedAt),
	}
	sigmas, wrong, err := unseal.Collect(ctx, c.peers, committee, v.Number, q, c.key)
	for _, in := range wrong {
		fmt.Fprintf(&c.said, "The proxy %s signed a wrong partial: cowboy tx SlashCbssProxy --proxy-id %s --fault-class %d --evidence %x\n",
			in.Proxy.Hex(), in.Proxy.Hex(), in.Fault, in.Evidence)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", about, err)
	}
	for at, sigma := range sigmas {
		epoch := q.From + uint64(at)
		content, ok := wrapped[epoch]
		if !ok {
			continue
		}
		to := cbss.StreamIdentity(committee.ChainID, committee.Publisher, committee.Master, c.stream, epoch)
		key, err := openContent(content, to, sigma)
		if err != nil {
			fmt.Fprintf(&c.said, "Key epoch %d: its key is not wrapped for the committee\n", epoch)
			continue
		}
		c.file.put(epoch, key[:])
		c.opened = append(c.opened, epoch)
	}
	return nil
}

// unusable says why nobody would answer a request; "" for one that is answered.
func unusable(v *wire.SealRequest, number uint64) string {
	again := fmt.Sprintf("; cowboy stream seal --request %d", v.Number)
	switch {
	case v.State == stream.Expired.String() || v.State == stream.Void.String():
		return "it is " + v.State + again
	case v.Quorum == 0:
		return "nobody has paid the committee" + again
	case v.AccountKeyID != number:
		return fmt.Sprintf("it is for your key %d", v.AccountKeyID)
	}
	return ""
}

func openContent(content []byte, to *cbss.Identity, sigma cbss.Point) (key [cbss.DataKeySize]byte, err error) {
	e, err := cbss.ParseContent(content, to)
	if err != nil {
		return key, err
	}
	return e.Open(sigma)
}
