package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit"
)

// What is read may be larger than the memory of a call: that is a MemoryError and no error of the encoding.
//
// Spec: WP §4.1 (10 MiB a call); sdk §15, §18.
func TestDecodingBeyondMemory(t *testing.T) {
	c := testkit.NewChain(t)
	by := c.Account("alice")
	at := by.Deploy(`
from cowboy_sdk import actor, codec

@actor
class Reader:
    def read(self, payload):
        n = int(payload)
        try:
            head = b"\x99" + n.to_bytes(2, "big") if n < 65536 else b"\x9a" + n.to_bytes(4, "big")
            return str(len(codec.decode(head + b"\xf6" * n))).encode()
        except MemoryError:
            return b"memory"
        except Exception as e:
            return type(e).__name__.encode()
`, nil)
	for payload, want := range map[string]string{"1000": "1000", "900000": "memory"} {
		t.Run(payload, func(t *testing.T) {
			if got := by.Call(at, "read", payload); got != want {
				t.Errorf("%s: %s, want %s", payload, got, want)
			}
		})
	}
}
