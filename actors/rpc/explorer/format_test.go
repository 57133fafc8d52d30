package explorer

import (
	"fmt"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for got, want := range map[string]string{
		grouped(uint64(1234567)): "1\u202f234\u202f567", grouped("all"): "all", short("0x0123456789abcdef"): "0x012345…cdef",
		storageKey("6162"): "ab", storageKey("00"): "0x00", storageValue("01"): "1", storageValue("ff"): "0xff",
		storageValue("7b" + strings.Repeat("00", 3)): "0x7b000000", clock(0): "1970-01-01 00:00:00",
	} {
		t.Run(want, func(t *testing.T) {
			if got != want {
				t.Errorf("%q, want %q", got, want)
			}
		})
	}
	if s := fmt.Sprint(storageValue("5901f4" + strings.Repeat("00", 500))); len([]rune(s)) != 401 {
		t.Errorf("a long value has %d characters", len([]rune(s)))
	}
}
