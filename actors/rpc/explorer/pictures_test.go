package explorer

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// TestPrograms reads what a source says of itself: a class marked @actor, its signatures and docstrings, functions of the module, nothing that is private.
func TestPrograms(t *testing.T) {
	p := describe(`"""A module."""
import cowboy_sdk


def ping(payload: bytes = b"", *rest) -> bytes:
    return payload


class Helper:
    def hidden(self):
        pass


@cowboy_sdk.actor
class Coin:
    """A coin,
    in two lines."""

    @public
    @callable_by(SELF, OWNER)
    async def mint(self, payload, amount: int = 1 + 2):
        """Makes
           some."""

    def _secret(self, payload):
        pass

    def burn(self, payload):
        b"no docstring"
`)
	want := []handler{
		{Name: "ping", Signature: `(payload: bytes = b"") → bytes`, Line: 5},
		{Name: "mint", Signature: "(payload, amount: int = 1 + 2)", Doc: "Makes some.", Line: 21,
			Marks: []string{"public", "callable_by(SELF, OWNER)", "async"}},
		{Name: "burn", Signature: "(payload)", Line: 28},
	}
	if p.Name != "Coin" || p.Doc != "A coin, in two lines." || fmt.Sprint(p.Handlers) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", p, want)
	}
	if p := describe("def broken(:\n"); p.Name != "" || p.Handlers != nil {
		t.Errorf("a source that does not parse: %+v", p)
	}
	if p := describe(strings.Repeat("def f(payload): pass\n", 3*maxHandlers)); len(p.Handlers) != maxHandlers {
		t.Errorf("%d handlers", len(p.Handlers))
	}
}

// tree is a trace by hand: 0 caused 1 and 2 in the next block, 1 caused 3 two blocks later.
func tree() *wire.Trace {
	node := func(parent, depth int, height uint64, id byte) wire.TraceNode {
		return wire.TraceNode{Parent: parent, Depth: depth, Receipt: wire.Receipt{
			Kind: "message", BlockHeight: height, Success: id != 2, TransactionHash: wire.Hash(digest.Hash{id}),
		}}
	}
	return &wire.Trace{Nodes: []wire.TraceNode{node(-1, 0, 10, 0), node(0, 1, 11, 1), node(0, 1, 11, 2), node(1, 2, 13, 3)}}
}

// TestCausalPicture lays four executions out by hand: columns 112 apart, rows 22 apart, each cause before what it caused.
func TestCausalPicture(t *testing.T) {
	c := drawTrace(tree(), short)
	if fmt.Sprint(c.Columns) != "[{20 10} {132 11} {244 13}]" || c.W != 20+224+170 || c.H != 30+4*22 {
		t.Errorf("%+v", c)
	}
	for i, want := range []struct {
		id    byte
		x, y  int
		path  string
		class string
	}{
		{0, 20, 30, "", "message"}, {1, 132, 52, "M20 30C20 52 76 52 132 52", "message"}, {3, 244, 74, "M132 52C132 74 188 74 244 74", "message"},
		{2, 132, 96, "M20 30C20 96 76 96 132 96", "message bad"},
	} {
		t.Run(fmt.Sprint("row ", i), func(t *testing.T) {
			k := c.Nodes[i]
			if k.Hash != wire.Hash(digest.Hash{want.id}) || k.X != want.x || k.Y != want.y || k.Path != want.path || k.Class != want.class {
				t.Errorf("%+v, want %+v", k, want)
			}
		})
	}
	many := &wire.Trace{}
	for i := range 1_000 {
		many.Nodes = append(many.Nodes, wire.TraceNode{Parent: i - 1})
	}
	if c := drawTrace(many, short); len(c.Nodes) != drawn || c.More != 1_000-drawn {
		t.Errorf("%d drawn, %d more", len(c.Nodes), c.More)
	}
	loop := &wire.Trace{Nodes: []wire.TraceNode{{Parent: 1}, {Parent: 0}, {Parent: 99}}}
	if c := drawTrace(loop, short); len(c.Nodes) != 3 {
		t.Errorf("a trace whose parents are wrong: %+v", c)
	}
}

// TestCausalIsSVG answers with a picture that an XML reader takes, over hostile names.
func TestCausalIsSVG(t *testing.T) {
	h := New(&fake{top: 5}, nobody)
	r, body := get(t, h, Path+"causal/"+wire.Hash(txHash))
	d, elements := xml.NewDecoder(strings.NewReader(body)), 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in %s", err, body)
		}
		if start, ok := token.(xml.StartElement); ok {
			elements++
			if start.Name.Local == "script" {
				t.Error("the picture has a script")
			}
		}
	}
	if !strings.HasPrefix(r.Header.Get("Content-Type"), "image/svg+xml") || elements < 6 {
		t.Errorf("%v with %d elements", r.Header, elements)
	}
	for _, path := range []string{"causal/12", "causal/" + wire.Hash(digest.Hash{9})} {
		if r, _ := get(t, h, Path+path); r.StatusCode != http.StatusNotFound {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
	}
}

// TestPlot draws by hand: minutes 10, 11 and 13 of twelve, of 10, 20 and 5 blocks; minute 12 is a gap.
func TestPlot(t *testing.T) {
	s, _ := (&fake{}).Series(wire.SeriesMinutes)
	p := drawPlot("Blocks", "blocks", &s, true, func(a *wire.Activity) uint64 { return a.Blocks })
	// 600 wide, 12 steps of 50; the newest, minute 13, is the last. 80 high: 78 - value*72/20.
	if want := `d="M400.0 42.0H450.0V6.0H500.0M550.0 60.0H600.0"`; string(p.Line) != want || p.Total != 35 || p.High != 20 || p.Now != 5 {
		t.Errorf("%+v, want %s", p, want)
	}
	if p.First != "1 Jan 00:02" || p.Last != "1 Jan 00:14" {
		t.Errorf("from %s to %s", p.First, p.Last)
	}
	if !drawPlot("Blocks", "blocks", &wire.Series{}, true, nil).Empty {
		t.Error("a plot of nothing is not empty")
	}
}

// TestLive tells what is new, each block once, and no more than there is room for.
func TestLive(t *testing.T) {
	f := &fake{top: 100}
	h := New(f, nobody)
	read := func(path string) (p livePicture) {
		t.Helper()
		r, body := get(t, h, Path+path)
		if err := json.Unmarshal([]byte(body), &p); err != nil || r.StatusCode != http.StatusOK || len(body) > 64<<10 {
			t.Fatalf("%s: %d, %v, %d bytes", path, r.StatusCode, err, len(body))
		}
		return p
	}
	if p := read("live"); p.Height != 100 || len(p.Blocks) != liveBlocks || len(p.Tree) != 2 || p.Total != 2_000 {
		t.Errorf("%+v", p)
	}
	p := read("live?after=98")
	var b flow
	if err := json.Unmarshal(p.Blocks[0], &b); err != nil || len(p.Blocks) != 2 || b.Height != 99 {
		t.Fatalf("%+v, %v", b, err)
	}
	// 300 transactions from one system actor to the actor: a third of the room is for one kind
	if len(b.Items) != liveItems/3 || b.More != 300-liveItems/3 || !slices.Equal(b.Who, []string{account.System(1).String(), actorAddress.String()}) {
		t.Errorf("%d items, %d more, of %v", len(b.Items), b.More, b.Who)
	}
	if b.Items[0] != (motion{0, 0, 1, 0, 1}) || !slices.Equal(b.Actors, []int{1}) {
		t.Errorf("%v, actors %v", b.Items[0], b.Actors)
	}
	reads := f.reads
	read("live?after=98")
	if f.reads != reads {
		t.Errorf("%d blocks were read again", f.reads-reads)
	}
	if p := read("live?after=100"); len(p.Blocks) != 0 {
		t.Errorf("%d blocks of nothing new", len(p.Blocks))
	}
	if p := read("live?after=18446744073709551615"); len(p.Blocks) != liveBlocks {
		t.Errorf("%d blocks after the last possible height", len(p.Blocks))
	}
}

// huge is a chain on which every text is a megabyte with markup and characters that turn the direction of writing.
type huge struct{ fake }

const turned = "<b onload=x>\u202eevil\u2066\u200f</b>"

var megabyte = strings.Repeat(turned, (1<<20)/len(turned))

func (f *huge) BlockReceipts(height uint64) ([]wire.Receipt, error) {
	list, err := f.fake.BlockReceipts(height)
	for i := range list {
		f.spoil(&list[i])
	}
	return list, err
}
func (f *huge) spoil(r *wire.Receipt) {
	r.Handler, r.ReturnText = megabyte, megabyte
	r.Error = &wire.Error{Slug: "E1210", What: "failed", Why: megabyte}
	r.Events = nil
	for range 200 {
		r.Events = append(r.Events, wire.Event{Actor: actorAddress.String(), Topic: megabyte, Text: megabyte})
	}
}
func (f *huge) Trace(ctx context.Context, client netip.Addr, h digest.Hash) (wire.Trace, error) {
	t, err := f.fake.Trace(ctx, client, h)
	for i := range 1_000 {
		r := f.receipt()
		f.spoil(&r)
		t.Nodes = append(t.Nodes, wire.TraceNode{Receipt: r, Parent: i, Depth: i})
	}
	return t, err
}
func (f *huge) Code(account.Address) (wire.Code, error) {
	doc := strings.ReplaceAll(megabyte[:1<<19], `"`, "")
	methods := strings.Repeat("  def f(self, payload):\n    \"\"\""+turned+"\"\"\"\n", 200)
	return wire.Code{Code: "@actor\nclass Rogue:\n" + methods + "x = \"\"\"" + doc + "\"\"\"\n"}, nil
}
func (f *huge) Logs(_ account.Address, _, limit uint64) (wire.Logs, error) {
	list, err := f.BlockReceipts(1)
	return wire.Logs{Logs: list[:limit]}, err
}
func (f *huge) Sent(a account.Address, offset, limit uint64) (wire.Logs, error) {
	return f.Logs(a, offset, limit)
}
func (f *huge) Events(account.Address, string, uint64) (wire.Events, error) {
	r := f.receipt()
	f.spoil(&r)
	return wire.Events{Events: r.Events[:pageRows/2]}, nil
}
func (f *huge) Actor(a account.Address, _ []byte, limit uint64) (wire.Actor, error) {
	w := wire.Actor{Address: a.String(), Storage: map[string]string{}}
	for i := range limit {
		w.Storage[fmt.Sprintf("%04x%s", i, strings.Repeat("3c", 1<<10))] = "7a000fffff" + strings.Repeat("3c", 1<<20-1)
	}
	return w, nil
}
func (f *huge) Token(digest.Hash) (wire.Token, error) {
	x := hostileToken()
	x.Name, x.Symbol, x.MetadataURI = megabyte, megabyte, &megabyte
	return x, nil
}
func (f *huge) Transaction(h digest.Hash) (wire.Transaction, error) {
	t, err := f.fake.Transaction(h)
	t.Instruction = map[string]any{"type": "Deploy", "code": megabyte}
	return t, err
}

// TestHugeTexts shows what strangers wrote harmlessly and cut: no markup of theirs, no character that turns the direction, no page with its styles and
// scripts above 200 KB.
//
// Spec: Unicode Standard Annex #9 (explicit directional formatting characters).
func TestHugeTexts(t *testing.T) {
	h := New(&huge{fake{top: 200}}, nobody)
	for _, path := range []string{
		"", "blocks", "block/3", "tx/" + wire.Hash(txHash), "account/" + actorAddress.String(), "token/" + wire.Hash(txHash), "timers", "tokens", "actors",
		"validators", "tree", "runners", "proxies", "names",
		"account/" + actorAddress.String() + "/secrets", "proposals", "proposal/7", "activity", "coins", "wall", "search?q=rogue", "parameters",
		"parameters/system:x",
		"runner/" + workers[0], "job/" + wire.Hash(jobID), "job/" + wire.Hash(openJob),
	} {
		r, body := get(t, h, Path+path)
		if r.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", path, r.StatusCode)
		}
		if strings.Contains(body, "<b onload") || strings.ContainsAny(body, "\u202e\u2066\u200f") {
			t.Errorf("%s shows what a stranger wrote as it is", path)
		}
		size := len(body) + weight(t, h, body)
		if path == "wall" {
			_, first := get(t, h, Path+"live")
			size += len(first)
		}
		if size > 200_000 {
			t.Errorf("%s weighs %d bytes", path, size)
		}
	}
}

// imported are the files a page or a module asks for.
var imported = regexp.MustCompile(`(?:src|href)="(/explorer/static/[^"]+)"|from "\./([^"]+)"`)

// weight is the size of the styles and scripts of a page, and of what those import.
func weight(t *testing.T, h http.Handler, body string) (bytes int) {
	t.Helper()
	seen := map[string]bool{}
	var walk func(text string)
	walk = func(text string) {
		for _, m := range imported.FindAllStringSubmatch(text, -1) {
			path := m[1]
			if path == "" {
				path = Path + "static/" + m[2]
			}
			if seen[path] {
				continue
			}
			seen[path] = true
			r, file := get(t, h, path)
			if r.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", path, r.StatusCode)
			}
			bytes += len(file)
			walk(file)
		}
	}
	walk(body)
	if !seen[Path+"static/explorer.css"] {
		t.Error("the page has no styles")
	}
	return bytes
}

// TestScriptsKeepToThePage holds that no script makes markup or code of text, and none asks anybody else.
func TestScriptsKeepToThePage(t *testing.T) {
	forbidden := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|https?://|style=`)
	names, err := fs.Glob(staticFiles, "static/*.js")
	if err != nil || len(names) < 8 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		text, err := fs.ReadFile(staticFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		if found := forbidden.FindString(string(text)); found != "" {
			t.Errorf("%s has %s", name, found)
		}
	}
}

// TestScriptsAreKept answers 304 to a browser that has a file, and gives it whole to one that has another.
func TestScriptsAreKept(t *testing.T) {
	h := New(&fake{top: 5}, nobody)
	first, _ := get(t, h, Path+"static/wall.js")
	for _, c := range []struct {
		name, tag string
		status    int
	}{{"the same", first.Header.Get("ETag"), http.StatusNotModified}, {"another", `"0000000000000000"`, http.StatusOK}} {
		t.Run(c.name, func(t *testing.T) {
			r := httptest.NewRequest("GET", Path+"static/wall.js", nil)
			r.Header.Set("If-None-Match", c.tag)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code != c.status {
				t.Errorf("%d, want %d", w.Code, c.status)
			}
		})
	}
}

// TestYoungNode shows what a node has that began with a snapshot three blocks ago.
func TestYoungNode(t *testing.T) {
	h := New(&fake{top: 200, low: 198}, nobody)
	for path, want := range map[string]string{"": "block 200: 0 cycles", "blocks": ">198<", "validators": "3 of 3", "live": `"height":198`} {
		t.Run(path, func(t *testing.T) {
			if r, body := get(t, h, Path+path); r.StatusCode != http.StatusOK || !strings.Contains(body, want) {
				t.Errorf("%d without %q", r.StatusCode, want)
			}
		})
	}
}

// TestGenesisHasNoProposer counts the blocks that somebody proposed.
func TestGenesisHasNoProposer(t *testing.T) {
	list, of := proposers([]summary{{Height: 2, Proposer: "0xb"}, {Height: 1, Proposer: "0xa"}, {Height: 3, Proposer: "0xb"}, {Height: 0, Proposer: "0x0"}})
	want := []proposer{{"0xa", 1, 1}, {"0xb", 2, 2}}
	if !slices.Equal(list, want) || of != 3 {
		t.Errorf("%+v of %d, want %+v of 3", list, of, want)
	}
}
