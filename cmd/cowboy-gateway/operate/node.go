package operate

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/gateway"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/runtime/outline"
)

// nodeBusy is the code of a node that answers no more requests for now.
const nodeBusy = 4029

// kept is how many connections to the node stay open, since a new one for each query costs more than the query.
const kept = 64

// openNode gives the node at an address, over connections that stay open.
func openNode(at string) *api.Client {
	node := api.New(at)
	node.Tries = 1 // who asks the gateway decides whether to ask again
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConns, transport.MaxIdleConnsPerHost = kept, kept
	node.HTTP.Transport = transport
	return node
}

// client is the chain behind a node.
type client struct {
	wallet *api.Wallet
	most   tx.Cost            // of a request: what its handler and its answer may use
	saw    func(block uint64) // is told which block has a payment; may be nil

	mu     sync.Mutex
	nonces api.Nonces
}

// Refused gives what the node answered as the gateway takes it.
func Refused(err error) error {
	var status *api.StatusError
	if !errors.As(err, &status) {
		return err
	}
	if status.Reply.Code == nodeBusy {
		return gateway.ErrBusy
	}
	name, _ := status.Reply.Context["name"].(string)
	if status.Status >= http.StatusInternalServerError && name == "" {
		return err
	}
	return &gateway.Refused{Status: status.Status, Name: name, Text: status.Reply.Message}
}

// Name implements gateway.Node.
func (c *client) Name(ctx context.Context, host string) (v wire.Name, err error) {
	return v, Refused(c.wallet.Node.Read(ctx, "/name/"+url.PathEscape(host), &v))
}

// Routes implements gateway.Node.
func (c *client) Routes(ctx context.Context, actor account.Address) (v wire.Routes, err error) {
	return v, Refused(c.wallet.Node.Read(ctx, "/actor/"+actor.String()+"/routes", &v))
}

// Query implements gateway.Node.
func (c *client) Query(ctx context.Context, actor account.Address, q *gateway.Question) (*gateway.Answer, error) {
	body, err := json.Marshal(wire.ReadRequest{Selector: q.Handler, Payload: hex.EncodeToString(q.Payload), MaxCycles: q.MaxCycles, MinBlock: q.MinBlock})
	if err != nil {
		return nil, err
	}
	var v wire.ReadReply
	if err := c.wallet.Node.Do(ctx, http.MethodPost, "/actor/"+actor.String()+"/read_handler", "application/json", body, &v); err != nil {
		return nil, Refused(err)
	}
	data, err := hex.DecodeString(v.Result)
	return &gateway.Answer{Block: v.BlockHeight, Root: v.StateRoot, Result: data}, err
}

// Request implements gateway.Node.
func (c *client) Request(ctx context.Context, id receipt.ID) (v wire.Request, err error) {
	return v, Refused(c.wallet.Node.Read(ctx, "/request/"+id.String(), &v))
}

// Stored implements gateway.Node.
func (c *client) Stored(ctx context.Context, actor account.Address, key string) ([]byte, bool, error) {
	var v struct {
		Value *string `json:"value"`
	}
	err := c.wallet.Node.Read(ctx, "/state/"+actor.String()+"/"+hex.EncodeToString([]byte(key)), &v)
	if api.NotFound(err) || err == nil && v.Value == nil {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	data, err := hex.DecodeString(*v.Value)
	return data, err == nil, err
}

// Events implements gateway.Node.
func (c *client) Events(ctx context.Context, actor account.Address, topic, after string) (io.ReadCloser, error) {
	q := url.Values{"kinds": {"events"}, "actor": {actor.String()}}
	if topic != "" {
		q.Set("topic", topic)
	}
	return c.stream(ctx, q, after)
}

// blocks opens the final blocks as gateway.Follower reads them.
func (c *client) blocks(ctx context.Context) (io.ReadCloser, error) {
	return c.stream(ctx, url.Values{"kinds": {"blocks"}}, "")
}

// stream opens a stream of the node's, behind a cursor or from now on. It has no time of its own, which the client of single calls has.
//
// Spec: node-rpc-cli §1.
func (c *client) stream(ctx context.Context, q url.Values, after string) (io.ReadCloser, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.wallet.Node.URL+"/stream?"+q.Encode(), nil)
	if err != nil {
		return nil, err
	}
	if after != "" {
		r.Header.Set("Last-Event-ID", after)
	}
	x, err := (&http.Client{Transport: c.wallet.Node.HTTP.Transport}).Do(r)
	if err != nil {
		return nil, err
	}
	if x.StatusCode != http.StatusOK {
		return nil, errors.Join(&gateway.Refused{Status: x.StatusCode, Text: "the node does not stream: " + x.Status}, x.Body.Close())
	}
	return x.Body, nil
}

// Interface implements gateway.Node.
func (c *client) Interface(ctx context.Context, actor account.Address) (*outline.Document, error) {
	v := new(outline.Document)
	return v, Refused(c.wallet.Node.Read(ctx, "/actor/"+actor.String()+"/interface", v))
}

// Proof implements gateway.Node.
func (c *client) Proof(ctx context.Context, path string) ([]byte, error) {
	var v json.RawMessage
	err := Refused(c.wallet.Node.Read(ctx, path, &v))
	return v, err
}

// Height implements gateway.Node.
func (c *client) Height(ctx context.Context) (uint64, error) {
	var v wire.Height
	err := c.wallet.Node.Read(ctx, "/height", &v)
	return v.Height, err
}

// Dispatch implements gateway.Node.
//
// Spec: gateway-payments-streams §B (65).
func (c *client) Dispatch(ctx context.Context, actor account.Address, envelope []byte, id receipt.ID) error {
	most := c.most
	most.Cycles += 4 * unit.Cycles(len(envelope))
	most.Cells += 4 * unit.Cells(len(envelope))
	return c.send(ctx, &tx.IngressDispatch{Target: actor, Envelope: envelope, RequestID: id}, most)
}

// Heartbeat implements gateway.Node.
func (c *client) Heartbeat(ctx context.Context) error {
	none, err := cbor.Append(nil, cbor.Map{})
	if err != nil {
		return err
	}
	in := &tx.Execute{To: account.System(account.GatewayRegistry), Handler: []byte("heartbeat"), Payload: none}
	return c.send(ctx, in, tx.Cost{Cycles: 100_000, Cells: 5_000})
}

// send sends a transaction behind those that were sent just before.
func (c *client) send(ctx context.Context, in tx.Instruction, most tx.Cost) error {
	_, err := c.sendNamed(ctx, in, most)
	return err
}

// sendNamed is send that also gives the transaction's hash.
func (c *client) sendNamed(ctx context.Context, in tx.Instruction, most tx.Cost) (hash digest.Hash, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	owner, err := c.wallet.Node.Account(ctx, c.wallet.Key.Address().String())
	if err != nil {
		return hash, Refused(err)
	}
	nonce, hash, err := c.wallet.SendNamed(ctx, in, c.nonces.Least(owner.Nonce, time.Now()), most)
	var failed *api.Failed
	switch {
	case errors.As(err, &failed):
		return hash, &gateway.Refused{Status: http.StatusBadGateway, Text: failed.Why}
	case err != nil:
		return hash, Refused(err)
	}
	c.nonces.Sent(nonce)
	return hash, nil
}
