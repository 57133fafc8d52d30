package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/event"
)

// Subscription is an actor's subscription to another's events. Amounts are in base units, gas in cycles. Spec: gateway-payments-streams §H.1.
type Subscription struct {
	SubID        string `json:"sub_id"`
	Emitter      string `json:"emitter"`
	Topic        string `json:"topic"`                // hexadecimal
	TopicText    string `json:"topic_text,omitempty"` // when the bytes are printable UTF-8
	Subscriber   string `json:"subscriber"`
	HandlerName  string `json:"handler_name"`
	GasPrepaid   uint64 `json:"gas_prepaid"`
	GasRemaining uint64 `json:"gas_remaining"`
	GasPaid      uint64 `json:"gas_paid"`     // what of its price is left
	StoragePaid  uint64 `json:"storage_paid"` // the price of its cells, which comes back
	Bid          uint64 `json:"bid"`
	SubHeight    uint64 `json:"sub_height"`
	Fires        uint64 `json:"fires"`
	LastFault    uint16 `json:"last_fault"` // code of the last fire's, 0 for none
}

// Subscriptions is a page of the subscriptions of an actor, or the order of a topic. Spec: gateway-payments-streams §H.2.
type Subscriptions struct {
	Subscriptions []Subscription `json:"subscriptions"`
	Count         uint64         `json:"count,omitempty"` // of a topic: how many there are in all
	NextCursor    string         `json:"next_cursor,omitempty"`
}

// ViewSubscription shows a subscription.
func ViewSubscription(id digest.Hash, s *event.Subscription) Subscription {
	return Subscription{
		SubID: Hash(id), Emitter: s.Emitter.String(), Topic: Hex(s.Topic), TopicText: Text(s.Topic), Subscriber: s.Subscriber.String(),
		HandlerName: string(s.Handler), GasPrepaid: s.Prepaid, GasRemaining: s.Gas, GasPaid: uint64(s.Paid), StoragePaid: uint64(s.Bond), Bid: uint64(s.Bid),
		SubHeight: uint64(s.Since), Fires: s.Fires, LastFault: s.LastOutcome,
	}
}
