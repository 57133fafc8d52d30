package examples

import (
	"fmt"
	"testing"

	"github.com/fxamacker/cbor/v2"

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

    @public
    def body(self, payload):
        self.publish_own({"payload_inline": b"x" * int(payload), "timestamp_unix_ms": 1})
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

// A page of messages has 60,000 bytes of them as they are kept: four that take a byte less or just these are a page, and of four that take a byte more the last
// is on the next. What a message takes is what another library makes of its fields.
//
// Spec: gateway-payments-streams §E.1 (StreamMessage), §E.2 (get_since).
func TestBytesOfAPage(t *testing.T) {
	const rest = 12_000 // of the last message
	taken := func(body int) int {
		data, err := cbor.Marshal(map[string]any{
			"version": 1, "stream_id": make([]byte, 32), "sequence": 1, "timestamp_unix_ms": 1, "kind": "", "content_type": "application/json",
			"tags": map[string]any{}, "payload_format": "PLAINTEXT", "payload_inline": make([]byte, body), "payload_hash": make([]byte, 32),
			"signing_key_id": 0, "publisher_sig": []byte{},
		})
		if err != nil {
			t.Fatal(err)
		}
		return len(data)
	}
	c := testkit.NewChain(t)
	owner := c.Account("owner")
	for bytes, first := range map[int]int{59_999: 4, 60_000: 4, 60_001: 3} {
		t.Run(fmt.Sprint(bytes), func(t *testing.T) {
			stream := owner.Deploy(measured, []byte("{}"))
			owner.Fund(stream, 100*unit.CBY)
			own := taken(rest) - rest // beside the body
			last := bytes - 3*(16_000+own) - own
			for _, body := range []int{16_000, 16_000, 16_000, last} {
				owner.Call(stream, "body", fmt.Sprint(body))
			}
			page := asked(t, c, stream, "get_since", `{"cursor":0}`)
			if list, _ := page["messages"].([]any); len(list) != first || fmt.Sprint(page["next_cursor"]) != fmt.Sprint(first) {
				t.Errorf("%d messages, on to %v; want %d", len(list), page["next_cursor"], first)
			}
		})
	}
}
