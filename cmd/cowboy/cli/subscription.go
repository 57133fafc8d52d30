package cli

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// subscriptionCommand shows what actors have subscribed to, and adds gas to it.
//
// Spec: gateway-payments-streams §H.
func (a *app) subscriptionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use: "subscription", Short: "Look at subscriptions of actors to each other's events",
		Long: "Look at subscriptions of actors to each other's events. Actors subscribe themselves, with subscribe_event; anybody may add gas.",
	}
	cmd.AddCommand(a.subscriptionShow(), a.subscriptionList(), a.subscriptionOrder(), a.subscriptionTopUp())
	return cmd
}

func (a *app) subscriptionShow() *cobra.Command {
	return &cobra.Command{
		Use: "show SUB_ID", Short: "Print a subscription", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseHash(args[0])
			if err != nil {
				return err
			}
			var s wire.Subscription
			if err := a.node().Read(cmd.Context(), "/subscription/"+wire.Hash(id), &s); err != nil {
				return err
			}
			return a.show(s, "%s", subscriptionText(s))
		},
	}
}

// subscriptionText says in words what a subscription is.
func subscriptionText(s wire.Subscription) string {
	text := fmt.Sprintf("Emitter: %s\nTopic: %s\nSubscriber: %s, %s\nGas: %d left of %d, worth %s CBY\nBid: %s CBY\nSince: block %d\nFires: %d\n",
		s.Emitter, topicOf(s), s.Subscriber, s.HandlerName, s.GasRemaining, s.GasPrepaid, unit.Amount(s.GasPaid).CBY(),
		unit.Amount(s.Bid).CBY(), s.SubHeight, s.Fires)
	if s.LastFault != 0 {
		text += fmt.Sprintf("Last fire: failed, E%d\n", s.LastFault)
	}
	return text
}

func topicOf(s wire.Subscription) string {
	if s.TopicText != "" {
		return s.TopicText
	}
	return s.Topic
}

func (a *app) subscriptionList() *cobra.Command {
	return &cobra.Command{
		Use: "list ACTOR", Short: "Print what an actor has subscribed to", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			addr, err := parseAddress(args[0])
			if err != nil {
				return err
			}
			all := wire.Subscriptions{Subscriptions: []wire.Subscription{}}
			err = pages(cmd.Context(), a, "/actor/"+addr.String()+"/subscriptions", func(page *wire.Subscriptions) string {
				all.Subscriptions = append(all.Subscriptions, page.Subscriptions...)
				return page.NextCursor
			})
			if err != nil {
				return err
			}
			var text strings.Builder
			for _, s := range all.Subscriptions {
				fmt.Fprintf(&text, "%s  %s of %s  %d gas  bid %s CBY\n", s.SubID, topicOf(s), s.Emitter, s.GasRemaining, unit.Amount(s.Bid).CBY())
			}
			if len(all.Subscriptions) == 0 {
				text.WriteString("No subscriptions\n")
			}
			return a.show(all, "%s", text.String())
		},
	}
}

func (a *app) subscriptionOrder() *cobra.Command {
	var emitter, topic string
	var limit int
	cmd := &cobra.Command{
		Use: "orderbook", Short: "Print the subscribers of an actor's topic, in the order in which the next event reaches them", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			addr, err := parseAddress(emitter)
			if err != nil {
				return err
			}
			var book wire.Subscriptions
			path := fmt.Sprintf("/actor/%s/orderbook?limit=%d&topic=%s", addr, limit, url.QueryEscape(topic))
			if err := a.node().Read(cmd.Context(), path, &book); err != nil {
				return err
			}
			var text strings.Builder
			fmt.Fprintf(&text, "Subscriptions: %d of 512\n", book.Count)
			for rank, s := range book.Subscriptions {
				fmt.Fprintf(&text, "%d  %s  %s  bid %s CBY  %d gas\n", rank, s.SubID, s.Subscriber, unit.Amount(s.Bid).CBY(), s.GasRemaining)
			}
			return a.show(book, "%s", text.String())
		},
	}
	cmd.Flags().StringVar(&emitter, "emitter", "", "the actor that emits")
	cmd.Flags().StringVar(&topic, "topic", "", "the topic, or 0x and its hexadecimal digits")
	cmd.Flags().IntVar(&limit, "limit", 64, "how many, at most 512")
	require(cmd, "emitter", "topic")
	return cmd
}

func (a *app) subscriptionTopUp() *cobra.Command {
	var amount string
	flags := &sendFlags{}
	cmd := &cobra.Command{
		Use: "topup SUB_ID", Short: "Add gas for some coins, at the present basefee", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			id, err := parseHash(args[0])
			if err != nil {
				return err
			}
			coins, err := parseCBY(amount)
			if err != nil {
				return err
			}
			return a.sendAndShow(cmd.Context(), flags, &tx.Execute{
				To: account.System(account.EventSubscription), Handler: []byte("topup_subscription"), Payload: id[:], Amount: coins,
			})
		},
	}
	cmd.Flags().StringVar(&amount, "amount", "", "CBY")
	require(cmd, "amount")
	flags.register(cmd, sessionCycles, sessionCells)
	return cmd
}
