package shape

import (
	"encoding/json"
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
	if got := h.Fill(rand.New(rand.NewPCG(1, 2)), `{"a": $flag, "b": "$5"}`, people).String(); got != `{"a": true, "b": "$5"}` && got != `{"a": false, "b": "$5"}` {
		t.Error(got)
	}
}

// FuzzHandlers holds the reader to answering any source.
func FuzzHandlers(f *testing.F) {
	f.Add(source, uint64(1))
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
