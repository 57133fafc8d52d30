package operate

import (
	"context"
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/push/protocol"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/actors/runner"
	"github.com/cowboyinc/cowboy-go/actors/runner/bind"
	"github.com/cowboyinc/cowboy-go/actors/runner/lines"
	"github.com/cowboyinc/cowboy-go/actors/runner/purse"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Validators implements lines.Directory.
//
// Spec: runner-marketplace §9.
func (c *Client) Validators(ctx context.Context) (*lines.Sight, error) {
	return sightOf(ctx, c.wallet.Node)
}

func sightOf(ctx context.Context, node *api.Client) (*lines.Sight, error) {
	var all wire.Endpoints
	if err := node.Read(ctx, "/validators/endpoints", &all); err != nil {
		return nil, err
	}
	v := &lines.Sight{Height: all.Height}
	var err error
	if v.Set, err = all.Set(); err != nil {
		return nil, err
	}
	for i := range all.Endpoints {
		one, err := all.Endpoints[i].Invitation()
		if err != nil {
			return nil, err
		}
		v.Invitations = append(v.Invitations, one)
	}
	return v, nil
}

// Result has somebody told of each commitment and reveal that the node took, or of which it gave no answer: before it, the node would find them there already.
// tell must not wait.
func (c *Client) Result(tell func(id digest.Hash, raw []byte)) {
	c.wallet.Sent = func(t *tx.Tx) {
		if id, ok := tx.ResultOf(t.Instruction); ok {
			tell(id, t.Encode())
		}
	}
}

// standing is what status tells.
type standing struct {
	runner.Status
	Validators lines.Status `json:"validators"`
	Earnings   purse.Status `json:"earnings"`
	Binding    *bind.Status `json:"binding,omitempty"` // nil: the configuration has none
}

// examineValidators says whether this runner's validators can be found: polling goes on where they cannot.
func examineValidators(ctx context.Context, node *api.Client, key *sig.PrivateKey, chain uint64, say func(what string, err error)) {
	v, err := sightOf(ctx, node)
	if err != nil {
		say("validators that push jobs", err)
		return
	}
	subset, invited := protocol.Subset(protocol.RunnerParty(key.Compressed()), v.Set), 0
	for _, key := range subset {
		for _, one := range v.Invitations {
			if one.Validator != key {
				continue
			}
			if one.Check(chain) != nil {
				err = errors.Join(err, fmt.Errorf("what is told of %x is not signed by it", key[:8]))
				continue
			}
			invited++
		}
	}
	text := "jobs are pushed by %d of the %d validators of this runner's subset"
	if invited == 0 {
		text = "jobs are polled for: of the validators of this runner's subset, %d of %d push"
	}
	say(fmt.Sprintf(text, invited, len(subset)), err)
}

// pushed makes the lines of a runner.
func (r *running) pushed(h *lines.Handle, chain *Client, dispatcher *runner.Handle, key *sig.PrivateKey, clock supervision.Clock) func() *lines.Lines {
	return func() *lines.Lines {
		return &lines.Lines{
			Handle: h, Key: key, ChainID: r.config.Runner.ChainID, Directory: chain, Dispatcher: dispatcher, Capabilities: r.config.capabilities(),
			Clock: clock, Observe: func(what, validator string, err error) {
				r.ended.WithLabelValues(what).Inc()
				r.log.Info().Str("validator", validator).Err(err).Msg(what)
			},
		}
	}
}
