package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/light"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// recordOf asks for what a system actor keeps under a name, and holds the answer to a final block. ok is false where it keeps nothing; size is the proof's.
func (f *follower) recordOf(ctx context.Context, home account.Address, name []byte) (at light.Final, value []byte, ok bool, size int, err error) {
	p, encoded, at, err := f.proof(ctx, fmt.Sprintf("/proof/record/%s/%x", home, name))
	if err != nil {
		return at, nil, false, 0, err
	}
	e, err := f.entry(p, encoded)
	if err != nil {
		return at, nil, false, 0, err
	}
	if value, ok, err = at.Record(home, name, e); err != nil {
		return at, nil, false, 0, f.lied(err)
	}
	return at, value, ok, len(encoded), nil
}

func (a *app) lightRecord(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "record SYSTEM KEY", Short: "Prove what a system actor keeps under a key, or that it keeps nothing there", Args: cobra.ExactArgs(2),
		Long: "Prove what a system actor keeps under a key, or that it keeps nothing there. KEY is text, or 0x and hex digits; the bytes are as the chain\n" +
			"encodes them.",
		RunE: func(cmd *cobra.Command, args []string) error {
			home, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			name, err := storageKey(args[1])
			if err != nil {
				return err
			}
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			at, value, ok, size, err := f.recordOf(cmd.Context(), home, name)
			if err != nil {
				return err
			}
			view := struct {
				Block finalView `json:"block"`
				Actor string    `json:"actor"`
				Key   string    `json:"key"`
				Set   bool      `json:"set"`
				Value string    `json:"value"`
			}{viewFinal(at), home.String(), wire.Hex(name), ok, wire.Hex(value)}
			text := "is not set\n"
			if ok {
				text = fmt.Sprintf("holds %d bytes\nValue: %s\n", len(value), view.Value)
			}
			return a.show(view, "%sRecord %s of %s %sProof: %d bytes\n", view.Block.text(), view.Key, view.Actor, text, size)
		},
	}
}

func (a *app) lightRequest(from *lightStart) *cobra.Command {
	return &cobra.Command{
		Use: "request ID", Short: "Prove what became of a request over HTTP: the receipt that the chain keeps of it", Args: cobra.ExactArgs(1),
		Long: "Prove what became of a request over HTTP: the receipt that the chain keeps of it, with what the actor answered. ID is X-Cowboy-Request-Id.\n" +
			"Through a gateway: --rpc-url http://GATEWAY/_cowboy/chain",
		RunE: func(cmd *cobra.Command, args []string) error {
			id, ok := receipt.ParseID(args[0])
			if !ok {
				return usageError{fmt.Errorf("%q is not the identity of a request: want a UUID in lower case", shorten(args[0]))}
			}
			f, err := a.start(cmd.Context(), from)
			if err != nil {
				return err
			}
			at, value, ok, size, err := f.recordOf(cmd.Context(), receipt.Home(), receipt.Name(id[:]))
			if err != nil {
				return err
			}
			if !ok {
				return a.show(map[string]any{"block": viewFinal(at), "request_id": id.String(), "known": false},
					"%sNo request %s is known\nProof: %d bytes\n", viewFinal(at).text(), id, size)
			}
			c, err := receipt.Decode(value)
			if err != nil {
				return f.lied(err)
			}
			return a.showRequest(at, id, &c, size)
		},
	}
}

func (a *app) showRequest(at light.Final, id receipt.ID, c *receipt.Receipt, size int) error {
	view := struct {
		Block   finalView `json:"block"`
		ID      string    `json:"request_id"`
		Known   bool      `json:"known"`
		Status  string    `json:"status"`
		Target  string    `json:"target"`
		Gateway string    `json:"gateway"`
		Created uint64    `json:"created_at"`
		Expires uint64    `json:"expires_at"`
		HTTP    uint16    `json:"http_status,omitempty"`
		Body    string    `json:"body,omitempty"`
	}{viewFinal(at), id.String(), true, c.Status.String(), c.Target.String(), c.Gateway.String(), uint64(c.Created), uint64(c.Expires), 0, ""}
	text := ""
	if c.Envelope != nil {
		r, err := receipt.ParseStored(c.Envelope, receipt.MaxEnvelope)
		if err != nil {
			return err
		}
		view.HTTP, view.Body = r.Status, wire.Hex(r.Body)
		text = fmt.Sprintf("Answer: %d, %d bytes\nBody: %q\n", r.Status, len(r.Body), r.Body)
	}
	return a.show(view, "%sRequest %s: %s\nTarget: %s\nGateway: %s\nFrom block %d until %d\n%sProof: %d bytes\n", view.Block.text(), view.ID, view.Status,
		view.Target, view.Gateway, view.Created, view.Expires, text, size)
}
