package cli

import (
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/api"
)

// peer is a relay that another one knows.
type peer struct {
	Owner    string `json:"owner"`
	Node     string `json:"node_id"`
	Endpoint string `json:"endpoint"`
	SeenMs   uint64 `json:"seen_ms"`
	Holds    bool   `json:"as_on_chain"` // node and endpoint
}

// relayPeers asks a relay which others it spoke with, and the chain which of them are so.
//
// Spec: storage-cbfs §3.3 (SyncPeers).
func (a *app) relayPeers() *cobra.Command {
	var address string
	cmd := &cobra.Command{
		Use: "peers", Short: "Ask a relay which other relays it spoke with, and when", Args: cobra.NoArgs,
		Long: "Ask a relay which other relays it spoke with, and when: those that reach it, and those it reaches. What it says is held to the chain.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			owner, err := a.addressFlag(address)
			if err != nil {
				return err
			}
			list, err := a.peersOf(cmd.Context(), owner)
			if err != nil {
				return err
			}
			var text strings.Builder
			for i := range list {
				p := &list[i]
				holds := "as on chain"
				if !p.Holds {
					holds = "not as on chain"
				}
				fmt.Fprintf(&text, "%s  %s  %s  %q\n", p.Owner, time.UnixMilli(int64(p.SeenMs)).UTC().Format(time.RFC3339), holds, p.Endpoint)
			}
			fmt.Fprintf(&text, "%d relays.\n", len(list))
			return a.show(list, "%s", text.String())
		},
	}
	cmd.Flags().StringVarP(&address, "address", "a", "", "the relay's owner (default: the wallet)")
	return cmd
}

func (a *app) peersOf(ctx context.Context, owner account.Address) (list []peer, err error) {
	s := api.Storage{Node: a.node()}
	r, err := s.Relay(ctx, owner)
	if err != nil {
		return nil, err
	}
	_, own, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return nil, err
	}
	pool := &reach.Pool{Key: own, Now: time.Now}
	defer pool.Close()
	known, err := pool.Known(ctx, r)
	list = make([]peer, len(known))
	for i := range known {
		p := &known[i]
		one, err := s.Relay(ctx, p.Owner)
		if err != nil && !errors.Is(err, reach.ErrUnknown) {
			return nil, err
		}
		holds := err == nil && one.Node == p.Node && one.Endpoint == p.Endpoint
		list[i] = peer{p.Owner.String(), wire.Hash(p.Node), p.Endpoint, p.SeenMs, holds}
	}
	return list, err
}
