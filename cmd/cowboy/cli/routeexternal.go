package cli

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/route"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of a transaction that posts a check of a domain, whose callback runs on what is left: cycles and cells.
const (
	checkCycles = 300_000
	checkCells  = 30_000
)

// domainCommand is a command that calls a method for a domain outside of the network.
func (a *app) domainCommand(
	use, short, method string, cycles, cells uint64, more func() (unit.Amount, cbor.Map, error), after func(cmd *cobra.Command, domain string) error,
) *cobra.Command {
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use + " DOMAIN", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := route.ParseExternal(strings.ToLower(args[0]))
			if err != nil {
				return usageError{err}
			}
			value, fields, err := more()
			if err != nil {
				return err
			}
			in, err := methodOf(account.RouteRegistry, method, value, append(cbor.Map{{Key: "fqdn", Value: d.Label}}, fields...))
			if err != nil {
				return err
			}
			if err := a.sendAndShow(cmd.Context(), flags, in); err != nil || after == nil || !flags.wait || a.asJSON {
				return err
			}
			return after(cmd, d.Label)
		},
	}
	flags.register(cmd, cycles, cells)
	return cmd
}

// routeAttach begins to attach a domain.
//
// Spec: gateway-payments-streams §A.2 (begin_attach_external).
func (a *app) routeAttach() *cobra.Command {
	var actor string
	var service bool
	cmd := a.domainCommand("attach", "Begin to attach a domain of your own to an actor; with --wait print the records it needs", "begin_attach_external",
		nameCycles, nameCells, func() (unit.Amount, cbor.Map, error) {
			addr, err := parseAddress(actor)
			method := route.ByAlias
			if service {
				method = route.ByService
			}
			return 0, cbor.Map{{Key: "actor_address", Value: addr[:]}, {Key: "method", Value: uint64(method)}}, err
		}, a.showDomain)
	cmd.Flags().StringVar(&actor, "actor", "", "the actor it is to lead to")
	cmd.Flags().BoolVar(&service, "srv", false, "it leads to the edge by an SRV record and not by a CNAME")
	require(cmd, "actor")
	return cmd
}

// routeVerify has runners look a domain's records up.
//
// Spec: gateway-payments-streams §A.2 (reverify_external).
func (a *app) routeVerify() *cobra.Command {
	var most string
	cmd := a.domainCommand("verify", "Have three runners look a domain's records up, first and every 30 days; what they do not cost comes back",
		"reverify_external", checkCycles, checkCells, func() (unit.Amount, cbor.Map, error) {
			value, err := parseCBY(most)
			return value, nil, err
		}, nil)
	cmd.Flags().StringVar(&most, "max-price", "1", "most CBY to pay")
	return cmd
}

// routeDetach ends an attachment.
//
// Spec: gateway-payments-streams §A.2 (detach_external).
func (a *app) routeDetach() *cobra.Command {
	return a.domainCommand("detach", "Take a domain away from its actor", "detach_external", nameCycles, nameCells,
		func() (unit.Amount, cbor.Map, error) { return 0, nil, nil }, nil)
}

func (a *app) showDomain(cmd *cobra.Command, domain string) error {
	var n wire.Name
	if err := a.node().Read(cmd.Context(), "/name/"+url.PathEscape(domain), &n); err != nil {
		return err
	}
	return a.show(n, "%s", nameText(n))
}

// externalText is a domain outside of the network, with the records that prove it.
func externalText(n wire.Name) string {
	x := n.External
	kind := "CNAME"
	if x.Method == uint64(route.ByService) {
		kind = "SRV"
	}
	text := fmt.Sprintf("%s\nActor: %s\nOwner: %s\nStatus: %s\n", n.FQDN, n.Actor, n.Owner, n.Status)
	if x.Reason != "" {
		text += "Reason: " + x.Reason + "\n"
	}
	text += fmt.Sprintf("Records:\n  %s  TXT  %q\n  %s  %s  %s\n  %s  CNAME  %s, or a name below it\n",
		x.TextAt, x.Text, x.TargetAt, kind, x.Target, x.ACMEAt, x.ACME)
	if x.ReverifyAt > 0 {
		return text + fmt.Sprintf("To be verified again at block: %d\n", x.ReverifyAt)
	}
	return text + fmt.Sprintf("The challenge expires at block: %d\n", n.ExpiresAt)
}
