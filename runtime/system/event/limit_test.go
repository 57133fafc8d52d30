package event_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/drain"
	chapter "github.com/cowboyinc/cowboy-go/runtime/system/event"
)

// The limits of subscriptions, one below each, at it, and one above. Those of emits are in TestCapsOfEmits, that of a topic's subscribers in TestATopicIsFull.
//
// Spec: gateway-payments-streams §H.1 (topic at most 64 bytes), §H.2 (min prepaid gas).
func TestLimitsOfSubscriptions(t *testing.T) {
	w := newWorld(t)
	emitter, hooked := w.actor(), w.actor()
	for _, x := range []struct {
		name, topic string
		gas         uint64
		bid         uint64
		code        uint16
	}{
		{"topic of 63", strings.Repeat("t", 63), 50_000, 0, 0},
		{"topic of 64", strings.Repeat("t", 64), 50_000, 0, 0},
		{"topic of 65", strings.Repeat("t", 65), 50_000, 0, chapter.FaultTopic},
		{"gas of 49,999", "t", 49_999, 0, chapter.FaultPrepaid},
		{"gas of 50,000", "t", 50_000, 0, 0},
		{"gas of 50,001", "t", 50_001, 0, 0},
		{"a bid of nothing", "t", 50_000, 0, 0},
		{"a bid of one", "t", 50_000, 1, 0},
		{"a bid beyond the balance", "t", 50_000, uint64(101 * unit.CBY), drain.FaultValue},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := w.ann.Try(hooked, "subscribe", fmt.Sprintf("%x %s hook %d %d", [20]byte(emitter), x.topic, x.gas, x.bid))
			if r.Fault.Code != x.code {
				t.Errorf("%+v, want %d", r.Fault, x.code)
			}
		})
	}
}
