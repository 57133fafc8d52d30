package shape

import (
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Form is how the pairs of a payload are written.
type Form uint8

// The forms.
const (
	Raw   Form = iota // a text
	Map               // a map in JSON
	Words             // the values without quotes, with Sep between them
	Value             // the first value, in JSON
)

// Pair is one entry of a drawn payload: a name, which words have none of, and the JSON of its value.
type Pair struct{ Name, Value string }

// Payload is a drawn payload.
type Payload struct {
	Form  Form
	Pairs []Pair
	Sep   string // of Words
	Text  string // of Raw
}

// String is the payload as it is sent.
func (p Payload) String() string {
	parts := make([]string, len(p.Pairs))
	switch p.Form {
	case Map:
		for i, pair := range p.Pairs {
			parts[i] = quoted(pair.Name) + ":" + pair.Value
		}
		return "{" + strings.Join(parts, ",") + "}"
	case Words:
		for i, pair := range p.Pairs {
			parts[i] = unquoted(pair.Value)
		}
		return lines.Replace(strings.Join(parts, p.Sep)) // a payload is a line of a story
	case Value:
		if len(p.Pairs) > 0 {
			return p.Pairs[0].Value
		}
	}
	return p.Text
}

var lines = strings.NewReplacer("\n", " ", "\r", " ")

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // text marshals
	}
	return string(out)
}

func unquoted(value string) string {
	var text string
	if json.Unmarshal([]byte(value), &text) != nil {
		return value
	}
	return text
}

// edges are numbers programs trip over: those around nothing, around the sizes of machine words, and a coin's base units.
var edges = [...]string{
	"0", "1", "2", "3", "10", "100", "-1", "255", "256", "1000000", "999999999", "1000000000", "1000000001", "2147483648", "9223372036854775807",
	"-9223372036854775808", "18446744073709551615", "18446744073709551616",
	"115792089237316195423570985008687907853269984665640564039457584007913129639936",
}

// Draw makes a payload for a handler. people are the texts that stand for addresses.
func (h *Handler) Draw(r *rand.Rand, people []string) Payload {
	if len(h.Fields) == 0 && len(h.Words) == 0 || r.IntN(24) == 0 {
		if r.IntN(2) == 0 {
			return Payload{Text: pick(r, []string{"", "{}", "null", "[]", "0", quoted("x")})}
		}
		return Payload{Form: Words, Pairs: []Pair{{Value: h.value(r, Any, 0, people)}}}
	}
	if len(h.Fields) == 0 {
		return h.words(r, people)
	}
	p := Payload{Form: Map}
	for _, f := range h.Fields {
		p.Pairs = append(p.Pairs, Pair{f.Name, h.value(r, f.Kind, f.Of, people)})
	}
	h.spoil(r, &p, people)
	return p
}

// words draws a payload that is no map.
func (h *Handler) words(r *rand.Rand, people []string) Payload {
	p := Payload{Form: Words, Sep: h.Sep}
	if h.JSON {
		p.Form = Value
	}
	list := h.Words
	if h.Many {
		list = slices.Repeat(list[:1], r.IntN(5))
	}
	for _, f := range list {
		p.Pairs = append(p.Pairs, Pair{Value: h.value(r, f.Kind, f.Of, people)})
	}
	if len(p.Pairs) > 0 {
		h.spoil(r, &p, people)
	}
	return p
}

// spoil leaves an entry out, or makes one something else, now and then.
func (h *Handler) spoil(r *rand.Rand, p *Payload, people []string) {
	switch r.IntN(16) {
	case 0: // one is missing
		i := r.IntN(len(p.Pairs))
		p.Pairs = slices.Delete(p.Pairs, i, i+1)
	case 1: // one is something else
		p.Pairs[r.IntN(len(p.Pairs))].Value = h.value(r, Kind(r.IntN(int(List)+1)), Kind(r.IntN(int(List))), people)
	}
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (h *Handler) value(r *rand.Rand, kind, of Kind, people []string) string {
	switch kind {
	case Any:
		return h.value(r, Kind(r.IntN(int(Any))), 0, people)
	case Address:
		return quoted(pick(r, people))
	case Text:
		return quoted(h.text(r))
	case Flag:
		return strconv.FormatBool(r.IntN(2) == 0)
	case Decimal:
		if r.IntN(3) > 0 {
			return strconv.FormatInt(int64(r.IntN(2_000))-100, 10) + "." + strconv.Itoa(r.IntN(1_000))
		}
	case Hex:
		octets := make([]byte, pick(r, []int{0, 1, 20, 20, 32}))
		for i := range octets {
			octets[i] = byte(r.Uint32())
		}
		return quoted(hex.EncodeToString(octets))
	case List:
		parts := make([]string, r.IntN(4))
		for i := range parts {
			parts[i] = h.value(r, of, Number, people)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return h.number(r)
}

func (h *Handler) number(r *rand.Rand) string {
	switch n := r.IntN(8); {
	case n < 2 && len(h.Numbers) > 0:
		return strconv.FormatInt(pick(r, h.Numbers)+int64(r.IntN(3))-1, 10)
	case n < 4:
		return pick(r, edges[:])
	case n < 7:
		return strconv.Itoa(r.IntN(1_000))
	}
	return strconv.FormatInt(r.Int64()>>r.IntN(63), 10)
}

// coin is the base units of a CBY; maxPaid is the most that is drawn, so that who pays can pay again.
const (
	coin    = 1_000_000_000
	maxPaid = 100 * coin
)

// Coins draws what comes with a call of a handler that looks at it, in base units: nothing, borders, and what the source compares with.
func (h *Handler) Coins(r *rand.Rand) uint64 {
	if !h.Paid {
		return 0
	}
	switch n := r.IntN(8); {
	case n < 2 && len(h.Numbers) > 0:
		return uint64(min(max(pick(r, h.Numbers)+int64(r.IntN(3))-1, 0), maxPaid))
	case n < 6:
		return pick(r, []uint64{0, 1, coin - 1, coin, coin + 1, 10 * coin, maxPaid})
	}
	return r.Uint64N(maxPaid)
}

func (h *Handler) text(r *rand.Rand) string {
	switch n := r.IntN(8); {
	case n < 4 && len(h.Texts) > 0:
		return pick(r, h.Texts)
	case n < 7:
		return string(rune('a' + r.IntN(4)))
	}
	return pick(r, []string{"", " ", "é", "0", strings.Repeat("x", 100), "\x00"})
}

// Fill puts drawn values into a shape an author wrote: $address, $number, $text and $flag stand for them.
func (h *Handler) Fill(r *rand.Rand, shape string, people []string) Payload {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(shape, "$")
		b.WriteString(before)
		if !found {
			return Payload{Text: b.String()}
		}
		shape = after
		known := false
		for word, kind := range map[string]Kind{"address": Address, "number": Number, "text": Text, "flag": Flag} { // order-free: no word begins another
			if rest, ok := strings.CutPrefix(shape, word); ok {
				b.WriteString(h.value(r, kind, 0, people))
				shape, known = rest, true
			}
		}
		if !known {
			b.WriteByte('$')
		}
	}
}
