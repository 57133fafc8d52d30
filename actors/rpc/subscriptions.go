package rpc

import (
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// subscriptions adds the calls about subscriptions to events.
//
// Spec: gateway-payments-streams §H.
func (s *server) subscriptions(mux *http.ServeMux) {
	b := s.Backend
	mux.HandleFunc("GET /subscription/{hash}", s.byHash(func(h digest.Hash) (any, error) { return b.Subscription(h) }))
	mux.HandleFunc("GET /actor/{addr}/subscriptions", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		var after *digest.Hash
		if text := r.URL.Query().Get("cursor"); text != "" {
			raw, err := hex.DecodeString(trim0x(text))
			if err != nil || len(raw) != digest.Size {
				return nil, badRequest("cursor is not one this node gave")
			}
			at := digest.Hash(raw)
			after = &at
		}
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		return b.Subscriptions(a, after, int(min(max(limit, 1), maxPage)))
	}))
	mux.HandleFunc("GET /actor/{addr}/orderbook", s.byAddress(func(r *http.Request, a account.Address) (any, error) {
		text := r.URL.Query().Get("topic")
		topic := []byte(text)
		if strings.HasPrefix(text, "0x") {
			raw, err := hex.DecodeString(text[2:])
			if err != nil {
				return nil, badRequest("a topic that begins with 0x is hexadecimal")
			}
			topic = raw
		}
		limit, err := number(r, "limit", defaultPage)
		if err != nil {
			return nil, err
		}
		return b.Orderbook(a, topic, int(min(max(limit, 1), event.PerTopic)))
	}))
}

// subscriptionCalls describes them.
func subscriptionCalls() []Call {
	return []Call{
		{"get", "/subscription/{hash}", "a subscription to events of an actor", nil, "", wire.Subscription{}},
		{"get", "/actor/{addr}/subscriptions", "what an actor has subscribed to", []string{
			"cursor:string:subscriptions after this identity", "limit:integer:how many, 50 unless told",
		}, "", wire.Subscriptions{}},
		{"get", "/actor/{addr}/orderbook", "who is told of an actor's events of a topic, in the order of the next emit", []string{
			"topic:string:the topic, or 0x and its hexadecimal digits", "limit:integer:how many, 50 unless told, at most 512",
		}, "", wire.Subscriptions{}},
	}
}

// Subscription implements Backend. Spec: gateway-payments-streams §H.1.
func (n *Node) Subscription(id digest.Hash) (v wire.Subscription, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	s, err := event.Load(t.State.Overlay(), id)
	if errors.Is(err, event.ErrUnknown) {
		return v, refuse(http.StatusNotFound, 4004, err.Error())
	}
	if err != nil {
		return v, err
	}
	return wire.ViewSubscription(id, s), nil
}

// Subscriptions implements Backend. Spec: gateway-payments-streams §H.1.
func (n *Node) Subscriptions(of account.Address, after *digest.Hash, limit int) (v wire.Subscriptions, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view := t.State.Overlay()
	ids, err := event.Of(view, of, after, limit)
	if err != nil {
		return v, err
	}
	if len(ids) == limit {
		v.NextCursor = wire.Hash(ids[limit-1])
	}
	return listed(view, v, ids)
}

// Orderbook implements Backend. Spec: gateway-payments-streams §H.2 (get_topic_orderbook).
func (n *Node) Orderbook(emitter account.Address, topic []byte, limit int) (v wire.Subscriptions, err error) {
	t, err := n.tip()
	if err != nil {
		return v, err
	}
	view, id := t.State.Overlay(), event.TopicID(emitter, topic)
	if v.Count, err = event.Count(view, id); err != nil {
		return v, err
	}
	order, err := event.Order(view, id, limit)
	if err != nil {
		return v, err
	}
	var ids []digest.Hash
	for _, x := range order {
		ids = append(ids, x.ID)
	}
	return listed(view, v, ids)
}

// listed shows subscriptions.
func listed(view state.Reader, v wire.Subscriptions, ids []digest.Hash) (wire.Subscriptions, error) {
	v.Subscriptions = []wire.Subscription{}
	for _, id := range ids {
		s, err := event.Load(view, id)
		if err != nil {
			return v, err
		}
		v.Subscriptions = append(v.Subscriptions, wire.ViewSubscription(id, s))
	}
	return v, nil
}
