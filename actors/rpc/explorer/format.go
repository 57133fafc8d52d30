package explorer

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"html/template"
	"strconv"
	"strings"
	"time"

	"github.com/fxamacker/cbor/v2"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// functions are what the pages call.
var functions = template.FuncMap{
	"short":    short,
	"plain":    unitext.Plain,     // what a stranger wrote
	"line":     unitext.PlainLine, // the same on one line
	"facts":    facts,
	"number":   grouped,
	"cby":      func(n uint64) string { return unit.Amount(n).CBY() },
	"clock":    clock,
	"value":    storageValue,
	"key":      storageKey,
	"isTrue":   func(b *bool) bool { return b != nil && *b },
	"brief":    func(text any) string { return shorten(fmt.Sprintf("%s", text)) },
	"indent":   func(depth int) int { return min(depth, 12) },
	"ppm":      func(n uint64) string { return fmt.Sprintf("%d.%02d×", n/1_000_000, n%1_000_000/10_000) },
	"since":    since,
	"text":     func(text, hex string) string { return cmp.Or(text, hex) },
	"hue":      hue,
	"phrase":   phrase,
	"quantity": quantity,
	"price":    inCoins,
	"detail":   func(text string) string { return cut(unitext.PlainLine(text), 200) },
	"whole":    whole,
	"names":    names,
	"share":    percent,
	"bps":      func(n uint32) uint64 { return uint64(n) * 100 }, // millionths
	"jobOf":    jobOf,
	"inc":      func(n int) int { return n + 1 },
}

// short keeps both ends of a long hexadecimal name.
func short(name string) string {
	if len(name) <= 14 {
		return name
	}
	return name[:8] + "…" + name[len(name)-4:]
}

// grouped writes a number, or the number a pointer leads to, with its thousands apart.
func grouped(v any) string {
	if p, ok := v.(*uint64); ok {
		v = *p
	}
	digits := fmt.Sprint(v)
	if _, err := strconv.ParseUint(digits, 10, 64); err != nil {
		return digits
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteRune('\u202f')
		}
		b.WriteRune(d)
	}
	return b.String()
}

// clock gives a block's time, in universal time.
func clock(ms uint64) string {
	return time.UnixMilli(int64(ms)).UTC().Format("2006-01-02 15:04:05")
}

func since(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Hour:
		return d.Round(time.Second).String()
	}
	return d.Round(time.Minute).String()
}

// storageKey shows a storage key as text where it is text.
func storageKey(digits string) string {
	raw, err := hex.DecodeString(digits)
	if err != nil || len(raw) == 0 {
		return digits
	}
	for _, b := range raw {
		if b < ' ' || b > '~' {
			return "0x" + digits
		}
	}
	return string(raw)
}

// storageValue shows a storage value in CBOR's diagnostic notation, or as digits when it is something else.
func storageValue(digits string) string {
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return digits
	}
	text, err := cbor.Diagnose(raw)
	if err != nil {
		text = "0x" + digits
	}
	if runes := []rune(text); len(runes) > 400 {
		return string(runes[:400]) + "…"
	}
	return text
}

// hue gives an address its colour: one of twelve classes.
func hue(address string) string {
	n := uint64(0)
	if len(address) >= 10 {
		n, _ = strconv.ParseUint(address[len(address)-8:], 16, 64)
	}
	return fmt.Sprintf("hue-%d", n%12)
}

// phrase is what a stranger wrote, on one line and short enough for a row of a table.
func phrase(text string) string { return cut(unitext.PlainLine(text), 80) }
