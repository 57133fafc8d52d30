package text

import (
	"fmt"
	"testing"
)

// Expected values by hand from CPython 3.11: '\ud800\udc00a'.encode() and relatives.
func TestEncodeRefusesSurrogates(t *testing.T) {
	for i, c := range []struct {
		in         []rune
		out        string
		start, end int
	}{
		{[]rune{'a', 0xE9, 0x20AC, 0x1F600}, "a\u00e9\u20ac\U0001f600", -1, -1},
		{[]rune{'a', 0xD800, 'b'}, "a", 1, 2},
		{[]rune{0xDFFF, 0xD800, 0xDC00, 'b'}, "", 0, 3},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got, err := AppendEncoded(nil, c.in)
			if err == nil {
				err = &EncodeError{-1, -1}
			}
			if string(got) != c.out || err.Start != c.start || err.End != c.end {
				t.Errorf("AppendEncoded(%x) = %q, %v; want %q, %d, %d", c.in, got, err, c.out, c.start, c.end)
			}
		})
	}
	if n := EncodedLen([]rune{'a', 0xE9, 0x20AC, 0x1F600}); n != 10 {
		t.Errorf("EncodedLen = %d, want 10", n)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte("\xf0\x9f\x98\x80\xed\xa0"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := AppendDecoded(nil, b)
		if err != nil {
			if err.Start < 0 || err.End <= err.Start || err.End > len(b) {
				t.Fatalf("impossible range %d-%d of %d", err.Start, err.End, len(b))
			}
			b = b[:err.Start]
		}
		out, bad := AppendEncoded(nil, s)
		if bad != nil || string(out) != string(b) {
			t.Fatalf("%x decodes and encodes to %x", b, out)
		}
	})
}
