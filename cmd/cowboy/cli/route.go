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
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The limits of transactions about names and gateways, in cycles and cells.
const (
	nameCycles = 100_000
	nameCells  = 5_000
)

// routeCommand is about names that lead to actors.
//
// Spec: gateway-payments-streams §A.
func (a *app) routeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "route", Short: "Register names that lead to actors",
		Long: "A name has 3 to 64 characters a-z, 0-9 and -, and is registered under .cowboy.network, .cow or .cowboy; a name without an end is one\n" +
			"of .cowboy.network. It costs by its length and time, and leads to an actor that declares ingress.http. When its time is over its\n" +
			"owner alone may have it for 2,592,000 blocks; then it is auctioned for 604,800, from 10 times its fee down to the fee.",
	}
	cmd.AddCommand(a.routeRegister(), a.routeRenew(), a.routeTransfer(), a.routeSetActor(), a.routePolicy(), a.routeResolve(), a.routeLookup(),
		a.routeQuote(), a.routeList(), a.routeAttach(), a.routeVerify(), a.routeDetach())
	return cmd
}

// methodOf is the transaction that calls a method of a registry.
func methodOf(home byte, method string, value unit.Amount, args cbor.Map) (*tx.Execute, error) {
	data, err := cbor.Append(nil, args)
	return &tx.Execute{To: account.System(home), Amount: value, Handler: []byte(method), Payload: data}, err
}

// naming gives the method of a name space and its first arguments: those of top-level domains have methods of their own.
func naming(text, plain, label string) (method string, args cbor.Map, err error) {
	d, err := route.ParseDomain(text)
	if err != nil {
		return "", nil, usageError{err}
	}
	if d.Space == route.Network {
		return plain, cbor.Map{{Key: "name", Value: d.String()}}, nil
	}
	if label == "" {
		return plain, cbor.Map{{Key: "name", Value: d.String()}}, nil
	}
	return label, cbor.Map{{Key: "label", Value: d.Label}, {Key: "tld_kind", Value: uint64(d.Space)}}, nil
}

// quoted asks the node what a name costs.
func (a *app) quoted(cmd *cobra.Command, name string, blocks uint64) (wire.NameQuote, error) {
	var q wire.NameQuote
	err := a.node().Read(cmd.Context(), fmt.Sprintf("/name/%s/quote?blocks=%d", url.PathEscape(name), blocks), &q)
	return q, err
}

func (a *app) routeRegister() *cobra.Command {
	var actor string
	var blocks uint64
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "register NAME", Short: "Register a name for an actor, at the price of now", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(actor)
			if err != nil {
				return err
			}
			method, fields, err := naming(args[0], "register", "register_tld_label")
			if err != nil {
				return err
			}
			q, err := a.quoted(cmd, args[0], blocks)
			if err != nil {
				return err
			}
			fields = append(fields, cbor.Pair{Key: "actor_address", Value: addr[:]}, cbor.Pair{Key: "duration_blocks", Value: q.Blocks})
			in, err := methodOf(account.RouteRegistry, method, unit.Amount(q.Price), fields)
			if err != nil {
				return err
			}
			result, err := a.send(cmd.Context(), flags, in)
			if err != nil {
				return err
			}
			return a.showSent(result, "", fmt.Sprintf("Name: %s\nPrice: %s\n", q.FQDN, cby(q.Price)))
		},
	}
	cmd.Flags().StringVar(&actor, "actor", "", "the actor it leads to")
	cmd.Flags().Uint64Var(&blocks, "blocks", 0, "for how many blocks (default: a period, a year)")
	require(cmd, "actor")
	flags.register(cmd, nameCycles, nameCells)
	return cmd
}

func (a *app) routeRenew() *cobra.Command {
	var blocks uint64
	var most string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "renew NAME", Short: "Prolong a name from its expiry; what the fee does not need comes back", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			method, fields, err := naming(args[0], "renew", "renew_tld")
			if err != nil {
				return err
			}
			fields = append(fields, cbor.Pair{Key: "duration_blocks", Value: blocks})
			value, err := parseCBY(most)
			if err != nil {
				return err
			}
			in, err := methodOf(account.RouteRegistry, method, value, fields)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().Uint64Var(&blocks, "blocks", 31_536_000, "by how many blocks")
	cmd.Flags().StringVar(&most, "max-price", "100", "most CBY to pay")
	flags.register(cmd, nameCycles, nameCells)
	return cmd
}

// routeChange is a command that changes something of a name and costs its fees alone.
func (a *app) routeChange(use, short, plain, label, flag, about string, field func(text string) (cbor.Pair, error)) *cobra.Command {
	var value string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: use + " NAME", Short: short, Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			method, fields, err := naming(args[0], plain, label)
			if err != nil {
				return err
			}
			more, err := field(value)
			if err != nil {
				return err
			}
			in, err := methodOf(account.RouteRegistry, method, 0, append(fields, more))
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, in)
		},
	}
	cmd.Flags().StringVar(&value, flag, "", about)
	require(cmd, flag)
	flags.register(cmd, nameCycles, nameCells)
	return cmd
}

// addressField is an argument that is an address.
func addressField(name string) func(text string) (cbor.Pair, error) {
	return func(text string) (cbor.Pair, error) {
		addr, err := parseAddress(text)
		return cbor.Pair{Key: name, Value: addr[:]}, err
	}
}

func (a *app) routeTransfer() *cobra.Command {
	return a.routeChange("transfer", "Give a name to another owner", "transfer", "transfer_tld", "to", "the new owner", addressField("new_owner"))
}

func (a *app) routeSetActor() *cobra.Command {
	return a.routeChange("set-actor", "Have a name lead to another actor", "set_actor", "", "actor", "the actor", addressField("actor_address"))
}

func (a *app) routePolicy() *cobra.Command {
	words := map[string]uint64{"owner-only": 0, "actor-managed": 1, "open": 2}
	return a.routeChange("policy", "Set what hosts below a name lead to", "set_subdomain_policy", "", "policy", "owner-only, actor-managed or open",
		func(text string) (cbor.Pair, error) {
			n, ok := words[text]
			if !ok {
				return cbor.Pair{}, usageError{fmt.Errorf("a policy is owner-only, actor-managed or open")}
			}
			return cbor.Pair{Key: "policy", Value: n}, nil
		})
}

func (a *app) routeResolve() *cobra.Command {
	return &cobra.Command{
		Use: "resolve NAME", Short: "Print a name, or the name a host lies below", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			var n wire.Name
			if err := a.node().Read(cmd.Context(), "/name/"+url.PathEscape(args[0]), &n); err != nil {
				return err
			}
			return a.show(n, "%s", nameText(n))
		},
	}
}

func nameText(n wire.Name) string {
	if n.External != nil {
		return externalText(n)
	}
	return fmt.Sprintf("%s\nActor: %s\nOwner: %s\nStatus: %s\nExpires at block: %d\nNames below it: %s\n", n.FQDN, n.Actor, n.Owner, n.Status, n.ExpiresAt,
		[...]string{"nobody answers", "its actor answers", "its actor answers"}[min(n.Policy, 2)])
}

func (a *app) routeLookup() *cobra.Command {
	return &cobra.Command{
		Use: "lookup ACTOR", Short: "Print the names that lead to an actor", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			var v wire.NamesOf
			if err := a.node().Read(cmd.Context(), "/actor/"+addr.String()+"/names", &v); err != nil {
				return err
			}
			return a.show(v, "%s", textLines(v.Names, "No name leads to this actor."))
		},
	}
}

// textLines are texts, one a line, or what to say where there are none.
func textLines(list []string, none string) string {
	if len(list) == 0 {
		return none + "\n"
	}
	return strings.Join(list, "\n") + "\n"
}

func (a *app) routeQuote() *cobra.Command {
	var blocks uint64
	cmd := &cobra.Command{
		Use: "quote NAME", Short: "Print the price of a name now", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q, err := a.quoted(cmd, args[0], blocks)
			if err != nil {
				return err
			}
			return a.show(q, "%s for %d blocks: %s (%s)\n", q.FQDN, q.Blocks, cby(q.Price), q.Status)
		},
	}
	cmd.Flags().Uint64Var(&blocks, "blocks", 0, "for how many blocks (default: a period, a year)")
	return cmd
}

func (a *app) routeList() *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "Print all names, expired ones too", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			all := wire.Names{Names: []wire.Name{}}
			err := pages(cmd.Context(), a, "/names", func(page *wire.Names) string {
				all.Names = append(all.Names, page.Names...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text []string
			for _, n := range all.Names {
				text = append(text, fmt.Sprintf("%s  %s  %s  until block %d", n.FQDN, n.Actor, n.Status, n.ExpiresAt))
			}
			return a.show(all, "%s", textLines(text, "No name is registered."))
		},
	}
}
