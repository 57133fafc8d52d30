package examples

import (
	"fmt"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/testkit"
)

const measured = `
from cowboy_sdk import actor, public, runtime, streams
from cowboy_sdk.stream_actor import StreamActor


@actor
class Measured(StreamActor):
    @public
    def init(self, payload):
        runtime.assume_ownership_if_unowned()
        self.open_stream("measured", publisher_key=bytes(range(32)))

    @public
    def tags(self, payload):
        streams.check_tags({"k": "x" * int(payload)})

    @public
    def filter(self, payload):
        streams.check_filter({"field": "kind", "op": "eq", "value": "x" * int(payload)})

    @public
    def kind(self, payload):
        self.publish_own({"kind": "k" * int(payload), "payload_inline": b"x", "timestamp_unix_ms": 1})

    @public
    def content_type(self, payload):
        self.publish_own({"content_type": "c" * int(payload), "payload_inline": b"x", "timestamp_unix_ms": 1})
`

// The lengths of a message's parts and of a filter from both sides. In CBOR tags of one text are 6 bytes more than it, and that filter 27.
//
// Spec: gateway-payments-streams §E.1.
func TestLengthsOfStreams(t *testing.T) {
	c := testkit.NewChain(t)
	owner := c.Account("owner")
	stream := owner.Deploy(measured, []byte("{}"))
	owner.Fund(stream, 100*unit.CBY)
	for _, at := range []struct {
		handler string
		most    int
	}{{"tags", 2_048 - 6}, {"filter", 2_048 - 27}, {"kind", 64}, {"content_type", 128}} {
		t.Run(at.handler, func(t *testing.T) {
			owner.Call(stream, at.handler, fmt.Sprint(at.most))
			refused(t, owner.Try(stream, at.handler, fmt.Sprint(at.most+1)), "Stream")
		})
	}
}
