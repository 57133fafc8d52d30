package shape

import (
	"encoding/json"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const source = `
from cowboy_sdk import Address, SELF, actor, callable_by, deferred, public

LIMIT = 7

def helper(payload):
    pass

@actor
class Thing:
    @public
    def init(self, payload):
        pass

    @deferred
    @public
    def documented(self, payload):
        """Does things. payload: JSON {"to": address, "amount": tokens,
        "note": text, "open": true or false, "heirs": [address, ...]}"""
        if payload["amount"] > 4_000:
            self._far(payload)

    @public
    def typed(self, to: Address, amount: int, names: list[str], sure: bool = False):
        pass

    @public
    async def read(self, payload):
        m = parse(payload)
        self.storage["kept"] = m["owner"]
        return self._far(m) or m.get("size", 3) == "red"

    def _far(self, m):
        return m["title"] != 99 and self.storage.get("other")

    @public
    def bare(self, payload: bytes):
        return b"x"

    @callable_by(SELF)
    def tick(self, payload):
        pass
`

// TestHandlers reads fields from signatures, docstrings and use, in that order. Spec: sdk §3.3.
func TestHandlers(t *testing.T) {
	list, err := Handlers([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]Field{
		"documented": {{"to", Address, 0}, {"amount", Number, 0}, {"note", Text, 0}, {"open", Flag, 0}, {"heirs", List, Address}},
		"typed":      {{"to", Address, 0}, {"amount", Number, 0}, {"names", List, Text}, {"sure", Flag, 0}},
		"read":       {{"owner", Address, 0}, {"title", Text, 0}, {"size", Number, 0}},
		"bare":       nil,
	}
	for _, h := range list {
		fields, ok := want[h.Name]
		if !ok || !reflect.DeepEqual(h.Fields, fields) {
			t.Errorf("%s: %v, want %v", h.Name, h.Fields, fields)
		}
		delete(want, h.Name)
		if h.Name == "read" && (!slices.Contains(h.Numbers, 99) || !slices.Contains(h.Texts, "red") || slices.Contains(h.Texts, "title")) {
			t.Errorf("numbers %v, texts %q", h.Numbers, h.Texts)
		}
	}
	if len(want) > 0 {
		t.Errorf("not found: %v", want)
	}
	plain, err := Handlers([]byte("def up(payload):\n    pass\ndef _down(payload):\n    pass\n"))
	if err != nil || len(plain) != 1 || plain[0].Name != "up" {
		t.Errorf("a module: %v %v", plain, err)
	}
	if _, err := Handlers([]byte("def (")); err == nil {
		t.Error("no source passes")
	}
}

// TestDraw: the same random source draws the same; payloads of a map are JSON of the fields, most of the time all of them and of their kind.
func TestDraw(t *testing.T) {
	list, err := Handlers([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	people := []string{"${alice}", "${bob}"}
	h := &list[0]
	draw := func() (all []string) {
		r := rand.New(rand.NewPCG(1, 2))
		for range 500 {
			all = append(all, h.Draw(r, people).String())
		}
		return all
	}
	drawn := draw()
	if !slices.Equal(drawn, draw()) {
		t.Error("drawing depends on something else")
	}
	whole, boundary := 0, 0
	for _, text := range drawn {
		if strings.Contains(text, "\n") {
			t.Fatalf("%q is more than a line", text)
		}
		var m struct {
			To, Note *string
			Amount   *int64
			Open     *bool
			Heirs    *[]string
		}
		if json.Unmarshal([]byte(text), &m) == nil && m.To != nil && m.Amount != nil && m.Open != nil && m.Note != nil && m.Heirs != nil {
			whole++
			if *m.Amount >= 3_999 && *m.Amount <= 4_001 {
				boundary++
			}
		}
	}
	if whole < 350 || boundary < 10 {
		t.Errorf("%d of 500 are whole, %d at the number the source compares with", whole, boundary)
	}
	if got := h.Fill(rand.New(rand.NewPCG(1, 2)), `{"a": $flag, "b": "$5"}`, people).String(); got != `{"a": true, "b": "$5"}` &&
		got != `{"a": false, "b": "$5"}` {
		t.Error(got)
	}
}

const parsing = `
LIMIT = 10 * 1_000
from cowboy_sdk import Address, actor, public, runtime

def parse(text):
    left, right = text.split(",")
    return int(left), Address.from_hex(right)

@actor
class Reader:
    STEP = 1 << 20

    @public
    def number(self, payload):
        n = int(payload)
        if n == LIMIT or n > self.STEP:
            raise ValueError(n)

    @public
    def text(self, p):
        word = p.decode().strip()
        return float(word)

    @public
    def pair(self, payload):
        return parse(payload.decode())

    @public
    def triple(self, payload):
        words = payload.split(b"|")
        self._far(words[2])
        return int(words[0])

    def _far(self, w):
        return Address(w.decode())

    @public
    def every(self, payload):
        return sum([int(x) for x in payload.decode().split()])

    @public
    def mapped(self, payload):
        a, b = map(int, payload.decode().split(";"))

    @public
    def plain(self, payload):
        import json
        return int(json.loads(payload))

    @public
    def hexed(self, payload):
        return bytes.fromhex(payload.decode())

    @public
    def told(self, payload):
        """Sends coins. payload: an address"""
        return self.elsewhere[payload]

    @public
    def paid(self, payload):
        if runtime.context()["value"] < 5:
            raise ValueError("5 at least")

    @public
    def kept(self, payload):
        paid = self.storage["paid"]
        self.storage["paid"] = {"coins": paid["coins"] - int(payload)}

    @public
    def head(self, payload):
        name, _, amount = payload.decode().partition("=")
        return int(amount)
`

// TestWords reads how a handler takes a payload apart that is no map: through decode, split, helpers, loops and constants with names. Spec: sdk §3.3.
func TestWords(t *testing.T) {
	list, err := Handlers([]byte(parsing))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Handler{}
	for _, h := range list {
		found[h.Name] = h
	}
	for name, want := range map[string]struct {
		kinds []Kind
		sep   string
	}{
		"number": {[]Kind{Number}, ""}, "text": {[]Kind{Decimal}, ""}, "pair": {[]Kind{Number, Address}, ","}, "triple": {[]Kind{Number, Text, Address}, "|"},
		"every": {[]Kind{Number}, " "}, "mapped": {[]Kind{Number, Number}, ";"}, "plain": {[]Kind{Number}, ""}, "hexed": {[]Kind{Hex}, ""},
		"told": {[]Kind{Address}, ""}, "paid": {nil, ""}, "kept": {[]Kind{Number}, ""}, "head": {[]Kind{Text, Number}, "="},
	} {
		t.Run(name, func(t *testing.T) {
			h := found[name]
			var kinds []Kind
			for _, f := range h.Words {
				kinds = append(kinds, f.Kind)
			}
			if !slices.Equal(kinds, want.kinds) || h.Sep != want.sep || h.Fields != nil {
				t.Errorf("%v %q %v, want %v %q", kinds, h.Sep, h.Fields, want.kinds, want.sep)
			}
		})
	}
	if n := found["number"].Numbers; !slices.Contains(n, 10_000) || !slices.Contains(n, 1<<20) {
		t.Errorf("numbers %v", n)
	}
	if !found["every"].Many || !found["plain"].JSON || !found["paid"].Paid || found["number"].Paid {
		t.Errorf("%+v", found)
	}
}

// TestDrawWords: what is drawn for a handler that reads a number or a pair is one most of the time, the numbers the source compares with and those at the
// borders of words among them; a handler that is paid gets coins.
func TestDrawWords(t *testing.T) {
	list, err := Handlers([]byte(parsing))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	numbers, pairs, paid := map[string]int{}, 0, map[uint64]bool{}
	for range 2_000 {
		text := list[0].Draw(r, []string{"0xa"}).String()
		if n, ok := new(big.Int).SetString(text, 10); ok {
			numbers[n.String()]++
			numbers["all"]++
		}
		if left, right, ok := strings.Cut(list[2].Draw(r, []string{"0xa"}).String(), ","); ok && right == "0xa" && left != "" {
			pairs++
		}
		paid[list[9].Coins(r)] = true
	}
	for _, border := range []string{"0", "-1", "10000", "10001", "9999", "18446744073709551616", "1048577"} {
		if numbers[border] == 0 {
			t.Errorf("%s is never drawn", border)
		}
	}
	if numbers["all"] < 1_500 || pairs < 1_500 || !paid[0] || !paid[1] || !paid[4] || !paid[coin] {
		t.Errorf("%d numbers, %d pairs of 2,000; coins %v", numbers["all"], pairs, len(paid))
	}
}

// FuzzHandlers holds the reader to answering any source.
func FuzzHandlers(f *testing.F) {
	f.Add(source, uint64(1))
	f.Add(parsing, uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		list, err := Handlers([]byte(text))
		if err != nil {
			return
		}
		r := rand.New(rand.NewPCG(seed, 0))
		for i := range list {
			if s := list[i].Draw(r, []string{"a"}).String(); strings.Contains(s, "\n") {
				t.Errorf("%q", s)
			}
		}
	})
}
