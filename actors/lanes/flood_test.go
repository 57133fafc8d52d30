package lanes

import (
	"bytes"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/params"
)

// Transactions of peers come as they were sent; what is empty, too long or cut is not taken.
//
// Spec: WP "Network Layer" (flooding); commonware §1.3.
func TestFloodFrames(t *testing.T) {
	raw := [][]byte{{1, 2, 3}, bytes.Repeat([]byte{7}, 300)}
	frame := encodeFlood(raw)
	back, err := decodeFlood(frame)
	if err != nil || len(back) != 2 || !bytes.Equal(back[0], raw[0]) || !bytes.Equal(back[1], raw[1]) {
		t.Fatalf("%v, %v", back, err)
	}
	for cut := range frame {
		if _, err := decodeFlood(frame[:cut]); err == nil {
			t.Errorf("cut at byte %d it is taken", cut)
		}
	}
	for name, bad := range map[string][]byte{
		"none":     encodeFlood(nil),
		"too long": encodeFlood([][]byte{make([]byte, params.MaxTxBytes+1)}),
		"too many": encodeFlood(make([][]byte, floodTxs+1)),
		"trailing": append(bytes.Clone(frame), 0),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := decodeFlood(bad); err == nil {
				t.Errorf("%s: taken", name)
			}
		})
	}
}

func FuzzFlood(f *testing.F) {
	f.Add(encodeFlood([][]byte{{1, 2, 3}, {4}}))
	f.Fuzz(func(t *testing.T, data []byte) {
		if raw, err := decodeFlood(data); err == nil && !bytes.Equal(encodeFlood(raw), data) {
			t.Error("two encodings")
		}
	})
}
