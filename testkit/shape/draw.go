package shape

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
)

// Pair is one entry of a drawn payload: a name and the JSON of its value.
type Pair struct{ Name, Value string }

// Payload is a drawn payload: a map, or Raw where Map is false.
type Payload struct {
	Map   bool
	Pairs []Pair
	Raw   string
}

// String is the payload as JSON.
func (p Payload) String() string {
	if !p.Map {
		return p.Raw
	}
	parts := make([]string, len(p.Pairs))
	for i, pair := range p.Pairs {
		parts[i] = quoted(pair.Name) + ":" + pair.Value
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func quoted(text string) string {
	out, err := json.Marshal(text)
	if err != nil {
		panic(err) // text marshals
	}
	return string(out)
}

// edges are numbers programs trip over.
var edges = [...]int64{0, 1, 2, 3, 10, 100, -1, 255, 256, 1_000_000, 1 << 31, 1<<63 - 1, -1 << 63}

// Draw makes a payload for a handler. people are the texts that stand for addresses.
func (h *Handler) Draw(r *rand.Rand, people []string) Payload {
	if len(h.Fields) == 0 || r.IntN(24) == 0 {
		return Payload{Raw: pick(r, []string{"", "{}", "null", "[]", "0", quoted("x")})}
	}
	p := Payload{Map: true}
	for _, f := range h.Fields {
		p.Pairs = append(p.Pairs, Pair{f.Name, h.value(r, f.Kind, f.Of, people)})
	}
	switch r.IntN(16) {
	case 0: // one is missing
		i := r.IntN(len(p.Pairs))
		p.Pairs = slices.Delete(p.Pairs, i, i+1)
	case 1: // one is something else
		p.Pairs[r.IntN(len(p.Pairs))].Value = h.value(r, Kind(r.IntN(int(List)+1)), Kind(r.IntN(int(List))), people)
	}
	return p
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func (h *Handler) value(r *rand.Rand, kind, of Kind, people []string) string {
	switch kind {
	case Address:
		return quoted(pick(r, people))
	case Text:
		return quoted(h.text(r))
	case Flag:
		return strconv.FormatBool(r.IntN(2) == 0)
	case List:
		parts := make([]string, r.IntN(4))
		for i := range parts {
			parts[i] = h.value(r, of, Number, people)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return strconv.FormatInt(h.number(r), 10)
}

func (h *Handler) number(r *rand.Rand) int64 {
	switch n := r.IntN(8); {
	case n < 2 && len(h.Numbers) > 0:
		return pick(r, h.Numbers) + int64(r.IntN(3)) - 1
	case n < 4:
		return pick(r, edges[:])
	case n < 7:
		return int64(r.IntN(1_000))
	}
	return r.Int64() >> r.IntN(63)
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
			return Payload{Raw: b.String()}
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
