package explorer

import (
	"cmp"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/recent"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"github.com/cowboyinc/cowboy-go/supervision"
)

// Bounds of what a live picture is told at once.
const (
	liveBlocks = 12  // the newest; those before are left out
	liveItems  = 80  // executions of a block
	liveTimers = 150 // the next ones
	keptLive   = 64  // blocks that are remembered
	keptNames  = 2_048
)

// flow is a block as the live pictures need it. Addresses and causes are told once and then named by their places.
type flow struct {
	Height uint64   `json:"height"`
	Time   uint64   `json:"ms"`
	Txs    int      `json:"txs"`
	Work   int      `json:"work"` // other executions
	Items  []motion `json:"items"`
	More   int      `json:"more"` // executions beyond them
	Who    []string `json:"who"`
	Names  []string `json:"names"`  // of those who, of their programs; "" for one without a name
	Actors []int    `json:"actors"` // which of those who are actors: the others are accounts
	Causes []string `json:"causes"`
}

// motion is an execution: its kind, from whom, to whom, by which cause, and 1 where it failed.
type motion [5]int

// kindsOfMotion are the kinds of executions that are drawn, by their numbers.
var kindsOfMotion = [...]string{"transaction", "timer", "message", "deferred"}

// dueTimer is a timer that is set: the block it fires in and its actor.
type dueTimer struct {
	Height uint64 `json:"height"`
	Actor  string `json:"actor"`
}

// part is a subsystem of the tree.
type part struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	Depth    int    `json:"depth"`
	State    string `json:"state"`
	Restarts uint64 `json:"restarts"`
	Waiting  int    `json:"waiting"` // commands in its inbox
	Room     int    `json:"room"`    // the inbox holds so many
	Handled  uint64 `json:"handled"`
}

// livePicture answers what changed since a block.
type livePicture struct {
	Height uint64            `json:"height"`
	Blocks []json.RawMessage `json:"blocks"`
	Timers json.RawMessage   `json:"timers"`
	Total  uint64            `json:"timers_total"`
	Tree   []part            `json:"tree"`
}

// called is what an address is, and its program's name.
type called struct {
	actor bool
	name  string
}

// lives remembers what every viewer is told: blocks, and the timers after the newest one.
type lives struct {
	blocks recent.Table[uint64, json.RawMessage]
	names  recent.Table[string, called]

	mu     sync.Mutex
	height uint64 // that timers were read after
	timers json.RawMessage
	total  uint64
}

// live answers GET /explorer/live?after=HEIGHT.
func (s *site) live(w http.ResponseWriter, r *http.Request) {
	after, _ := strconv.ParseUint(r.URL.Query().Get("after"), 10, 64) // what is no number is the beginning
	reply, err := s.picture(after)
	var text []byte
	if err == nil {
		text, err = json.Marshal(reply)
	}
	if err != nil {
		http.Error(w, "the node cannot read it", http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(text)
}

func (s *site) picture(after uint64) (*livePicture, error) {
	top := s.source.Height().Height
	p := &livePicture{Height: top, Blocks: []json.RawMessage{}}
	from := after + 1
	if top >= liveBlocks {
		from = max(from, top-liveBlocks+1)
	}
	for height := from; height <= top; height++ {
		raw, err := s.flow(height)
		if absent(err) {
			continue // a node that began with a snapshot does not hold it
		}
		if err != nil {
			return nil, err
		}
		p.Blocks = append(p.Blocks, raw)
	}
	var err error
	if p.Timers, p.Total, err = s.due(top); err != nil {
		return nil, err
	}
	p.Tree = partsOf(s.source.Tree())
	return p, nil
}

// absent tells whether the node answers that it has nothing by that name.
func absent(err error) bool {
	var refused interface{ HTTPStatus() int }
	return errors.As(err, &refused) && refused.HTTPStatus() < http.StatusInternalServerError
}

// flow gives a block's, encoded.
func (s *site) flow(height uint64) (json.RawMessage, error) {
	if raw, ok := s.lives.blocks.Find(height); ok {
		return raw, nil
	}
	b, err := s.source.BlockAt(height)
	if err != nil {
		return nil, err
	}
	receipts, err := s.source.BlockReceipts(height)
	if err != nil {
		return nil, err
	}
	f := flowOf(&b, receipts)
	s.name(f)
	raw, err := json.Marshal(f)
	if err == nil {
		s.lives.blocks.Put(height, raw, keptLive)
	}
	return raw, err
}

// name says what the actors of a block are called. Accounts are remembered as well.
func (s *site) name(f *flow) {
	f.Names, f.Actors = make([]string, len(f.Who)), []int{}
	budget := readAtOnce
	for i, address := range f.Who {
		if one := s.called(address, &budget); one.actor {
			f.Actors = append(f.Actors, i)
			f.Names[i] = one.name
		}
	}
}

// labels says what addresses are called on a picture, as feed.js does.
func (s *site) labels() func(address string) string {
	budget := readAtOnce
	return func(address string) string {
		if one := s.called(address, &budget); one.name != "" {
			return one.name + " " + address[2:6]
		}
		return short(address)
	}
}

// called says what an address is. What was asked for lately is remembered.
func (s *site) called(address string, budget *int) called {
	one, known := s.lives.names.Find(address)
	if !known {
		one = s.inspect(address, budget)
		s.lives.names.Put(address, one, keptNames)
	}
	return one
}

func (s *site) inspect(address string, budget *int) (one called) {
	addr, err := account.ParseAddress(address)
	if err != nil {
		return one
	}
	a, err := s.source.Actor(addr, nil, 0)
	if err != nil {
		return one
	}
	one.actor = true
	if p := s.named(address, a.CodeHash, budget); p != nil {
		one.name = cut(unitext.PlainLine(p.Name), 24)
	}
	return one
}

// table numbers texts in the order they come.
type table struct {
	list []string
	at   map[string]int
}

func (t *table) place(text string) int {
	if t.at == nil {
		t.at, t.list = map[string]int{}, []string{}
	}
	i, ok := t.at[text]
	if !ok {
		i = len(t.list)
		t.at[text], t.list = i, append(t.list, text)
	}
	return i
}

// flowOf takes what fits: a kind of which there are many leaves room for the others.
func flowOf(b *wire.Block, receipts []wire.Receipt) *flow {
	f := &flow{Height: b.Height, Time: b.TimestampMs, Txs: len(b.Transactions), Work: len(b.Executions), Items: []motion{}}
	var who, causes table
	var taken [len(kindsOfMotion)]int
	for i := range receipts {
		r := &receipts[i]
		kind := slices.Index(kindsOfMotion[:], r.Kind)
		if kind < 0 {
			continue
		}
		if taken[kind] == liveItems/3 && len(receipts) > liveItems || len(f.Items) == liveItems {
			f.More++
			continue
		}
		taken[kind]++
		to := cmp.Or(r.ActorAddress, r.Target, r.Sender)
		m := motion{kind, who.place(r.Sender), who.place(to), causes.place(cmp.Or(r.Cause, r.TransactionHash)), 0}
		if !r.Success {
			m[4] = 1
		}
		f.Items = append(f.Items, m)
	}
	f.Who, f.Causes = who.list, causes.list
	return f
}

// due gives the next timers, encoded. They are read once for each block.
func (s *site) due(top uint64) (json.RawMessage, uint64, error) {
	s.lives.mu.Lock()
	defer s.lives.mu.Unlock()
	if s.lives.timers != nil && s.lives.height == top {
		return s.lives.timers, s.lives.total, nil
	}
	page, err := s.source.TimersAhead(0, liveTimers)
	if err != nil {
		return nil, 0, err
	}
	list := make([]dueTimer, 0, len(page.Timers))
	for i := range page.Timers {
		t := &page.Timers[i]
		list = append(list, dueTimer{Height: t.Height, Actor: t.Actor})
	}
	raw, err := json.Marshal(list)
	if err == nil {
		s.lives.height, s.lives.timers, s.lives.total = top, raw, page.TotalCount
	}
	return raw, page.TotalCount, err
}

// maxParts bounds the subsystems of a tree that are told.
const maxParts = 200

func partsOf(t supervision.Status) (list []part) {
	var walk func(t *supervision.Status, depth int)
	walk = func(t *supervision.Status, depth int) {
		if len(list) == maxParts {
			return
		}
		p := part{Name: t.Name, Path: t.Path, Depth: depth, State: t.State, Restarts: uint64(t.Restarts)}
		if t.Inbox != nil {
			p.Waiting, p.Room, p.Handled = int(t.Inbox.Depth), int(t.Inbox.Capacity), uint64(t.Inbox.Handled)
		}
		list = append(list, p)
		for i := range t.Children {
			walk(&t.Children[i], depth+1)
		}
	}
	walk(&t, 0)
	return list
}

// wall is the page of the live pictures.
func (s *site) wall(*http.Request) (view, error) {
	return view{Page: "wall", Title: "Wall", Active: "wall", Scripts: []string{"wall.js"}, Wide: true}, nil
}
