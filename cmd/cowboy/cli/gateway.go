package cli

import (
	"fmt"
	"net/url"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// gatewayCommand is about gateways, which bring requests over HTTP to actors.
//
// Spec: gateway-payments-streams §B, §C.
func (a *app) gatewayCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "gateway", Short: "Register a gateway, which brings requests over HTTP to actors, and list gateways",
		Long: "A gateway stakes at least 10,000 CBY and sends a heartbeat at least every 3,600 blocks; a silent one brings no requests that change\n" +
			"anything. Leaving takes 604,800 blocks from the first `unstake` to the second, which gives the stake back.",
	}
	cmd.AddCommand(a.gatewayRegister(), a.gatewayCall("heartbeat", "Send a heartbeat for the wallet's gateway", "heartbeat"),
		a.gatewayCall("unstake", "Have the wallet's gateway leave, or take its stake back when the delay is over", "unstake"), a.gatewayGet(), a.gatewayList(),
		a.gatewayReceipt())
	return cmd
}

func (a *app) gatewayRegister() *cobra.Command {
	var endpoint, stake string
	var port uint16
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register", Short: "Register the wallet as a gateway, add to its stake, or change where it answers", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			coins, err := parseCBY(stake)
			if err != nil {
				return err
			}
			in, err := methodOf(account.GatewayRegistry, "register_gateway", coins, cbor.Map{
				{Key: "endpoint", Value: endpoint}, {Key: "http_port", Value: uint64(port)},
			})
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&endpoint, "endpoint", "", "where it answers: a host's name or address")
	cmd.Flags().Uint16Var(&port, "port", 443, "the port it answers at")
	cmd.Flags().StringVar(&stake, "stake", "10000", "CBY to add to the stake; 0 where only the endpoint changes")
	require(cmd, "endpoint")
	flags.register(cmd, nameCycles, nameCells)
	return cmd
}

// gatewayCall is a method without arguments.
func (a *app) gatewayCall(use, short, method string) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use, Short: short, Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in, err := methodOf(account.GatewayRegistry, method, 0, cbor.Map{})
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	flags.register(cmd, nameCycles, nameCells)
	return cmd
}

func (a *app) gatewayGet() *cobra.Command {
	return &cobra.Command{
		Use: "get ADDRESS", Short: "Print a gateway", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			var g wire.Gateway
			if err := a.node().Read(cmd.Context(), "/gateway/"+addr.String(), &g); err != nil {
				return err
			}
			return a.show(g, "%s\n", gatewayText(g))
		},
	}
}

func gatewayText(g wire.Gateway) string {
	state := "silent"
	switch {
	case g.LeavingSince != nil:
		state = fmt.Sprintf("leaving since block %d", *g.LeavingSince)
	case g.Active:
		state = "active"
	}
	return fmt.Sprintf("%s  %s:%d  stake %s  health %d  %s", g.Address, g.Endpoint, g.Port, cby(g.Stake), g.Health, state)
}

func (a *app) gatewayList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print all gateways and the coins in their pool", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Gateways{Gateways: []wire.Gateway{}}
			err := pages(cmd.Context(), a, "/gateways", func(page *wire.Gateways) string {
				all.Gateways, all.Pool = append(all.Gateways, page.Gateways...), page.Pool
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text []string
			for _, g := range all.Gateways {
				text = append(text, gatewayText(g))
			}
			return a.show(all, "%sPool: %s in epoch %d\n", textLines(text, "No gateway is registered."), cby(all.Pool.Amount), all.Pool.Epoch)
		},
	}
}

func (a *app) gatewayReceipt() *cobra.Command {
	return &cobra.Command{
		Use: "receipt REQUEST", Short: "Print the receipt of a request", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var r wire.Request
			if err := a.node().Read(cmd.Context(), "/request/"+url.PathEscape(args[0]), &r); err != nil {
				return err
			}
			return a.show(r, "%s\nActor: %s\nGateway: %s\nStatus: %s\nExpires at block: %d\n", r.ID, r.Target, r.Gateway, r.Status, r.ExpiresAt)
		},
	}
}
