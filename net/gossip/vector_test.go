package gossip

import (
	"encoding/hex"
	"strings"
	"testing"
)

// The frames as doc.go draws them, put together by hand.
func TestWireShapes(t *testing.T) {
	n := Name{0xab}
	name := "ab" + strings.Repeat("00", 31)
	for want, got := range map[string][]byte{
		"02" + "01" + "61" + "02" + "6263": encodeItems([][]byte{[]byte("a"), []byte("bc")}, 3),
		"01" + "02" + name + name:          encodeAnnounce([]Name{n, n}),
		"02" + name:                        one(kindWant, n),
		"03" + name + "7879":               encodeBlock(n, []byte("xy")),
		"04" + name:                        one(kindGone, n),
	} {
		if hex.EncodeToString(got) != want {
			t.Errorf("%x, want %s", got, want)
		}
	}
}
