package system

import "github.com/cowboyinc/cowboy-go/runtime/chapter"

// eventCalls are what the chapter of event subscriptions will offer. Spec: sdk §10.
func eventCalls() []chapter.Syscall {
	return []chapter.Syscall{
		{Name: "subscribe_event", Sig: "emitter, topic, handler, gas_prepaid, bid=0"},
		{Name: "unsubscribe_event", Sig: chapter.Unbound},
		{Name: "force_unsubscribe_event", Sig: chapter.Unbound},
		{Name: "update_bid", Sig: chapter.Unbound},
		{Name: "topup_subscription", Sig: chapter.Unbound},
	}
}
