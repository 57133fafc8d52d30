package paid

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"slices"
	"sync"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/session/voucher"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// ErrBook reports a book that is damaged, or of another runner.
var ErrBook = errors.New("paid: the book of vouchers is damaged, or of another runner")

// ErrTaken reports a session whose answer another connection has.
var ErrTaken = errors.New("paid: an answer of this session is on its way already")

const (
	bookMark     = "paid"
	rewriteAbove = 4 << 20
	maxSessions  = 65_536 // that a book keeps
)

var bookNames = frame.Names{File: "vouchers", Next: "vouchers.next", Lock: "lock"}

// Kept is the kind of file a book is: a frame of title, mark ‖ version(1) ‖ runner(20), then frames of JSON lists of entries.
var Kept = &format.Kind{
	Name: "paid", Now: 1, Older: "settle the vouchers with the older program, and begin a new book", Read: frame.VersionOf(bookMark, ErrBook),
}

// entry is what is kept of a session.
type entry struct {
	Session string  `json:"session"`
	Owed    uint64  `json:"owed"`
	Newest  *Signed `json:"newest,omitempty"`
	Over    bool    `json:"over,omitempty"` // it is forgotten
}

// account of a session.
type record struct {
	owed    unit.Amount // in all
	newest  *Signed
	settled unit.Amount // as far as is known
	looked  uint64      // which look at the chain was about it; 0 for none yet
	talking bool
	dirty   bool
}

// Book keeps what sessions owe and their newest vouchers. It is safe for many goroutines.
type Book struct {
	mu    sync.Mutex
	title []byte
	file  *frame.File
	list  map[digest.Hash]*record
	ended []digest.Hash // to be written
	looks uint64
}

// OpenBook opens the book of a runner, or begins it. Errors: ErrBook, disk.ErrLocked, the disk's.
func OpenBook(d disk.Disk, runner account.Address) (*Book, error) {
	b := &Book{title: append(append([]byte(bookMark), byte(Kept.Now)), runner[:]...), list: map[digest.Hash]*record{}}
	file, err := frame.Open(d, bookNames)
	if err != nil {
		return nil, err
	}
	b.file = file
	err = file.Read(ErrBook, func(title []byte) error {
		if string(title) != string(b.title) {
			return ErrBook
		}
		return nil
	}, b.read)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = b.rewrite()
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return b, nil
}

func (b *Book) read(payload []byte) error {
	var list []entry
	if err := json.Unmarshal(payload, &list); err != nil {
		return err
	}
	for _, e := range list {
		id, err := digest.ParseHash(e.Session)
		if err != nil {
			return err
		}
		if e.Over {
			delete(b.list, id)
		} else {
			b.list[id] = &record{owed: unit.Amount(e.Owed), newest: e.Newest}
		}
	}
	return nil
}

// Close makes everything durable and lets go of the file.
func (b *Book) Close() error { return errors.Join(b.Flush(), b.file.Close()) }

// known gives what is known of a session, for whoever may take it. Error: ErrTaken.
func (b *Book) known(id digest.Hash) (owed unit.Amount, newest *Signed, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.list[id]
	switch {
	case r == nil:
		return 0, nil, nil
	case r.talking:
		return 0, nil, ErrTaken
	}
	return r.owed, r.newest, nil
}

// begin gives what is known of a session to a connection, which has it alone until end. Errors: ErrTaken, ErrFull.
func (b *Book) begin(id digest.Hash) (owed unit.Amount, newest *Signed, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r, ok := b.list[id]
	switch {
	case ok && r.talking:
		return 0, nil, ErrTaken
	case !ok && len(b.list) >= maxSessions:
		return 0, nil, ErrFull
	case !ok:
		r = &record{}
		b.list[id] = r
	}
	r.talking = true
	return r.owed, r.newest, nil
}

// ErrFull reports more sessions than a book keeps.
var ErrFull = errors.New("paid: the runner has as many sessions as it can keep")

func (b *Book) end(id digest.Hash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.list[id]; r != nil {
		r.talking = false
		if r.owed == 0 && r.newest == nil { // nothing came of it
			delete(b.list, id)
		}
	}
}

// owe notes what a session owes in all.
func (b *Book) owe(id digest.Hash, owed unit.Amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.list[id]; r != nil {
		r.owed, r.dirty = owed, true
	}
}

// take notes the newest voucher of a session.
func (b *Book) take(id digest.Hash, v voucher.Voucher, s sig.Signature) {
	signed := Sign(v, s)
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.list[id]; r != nil {
		r.newest, r.dirty = signed, true
	}
}

// Flush makes what was noted durable.
func (b *Book) Flush() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []entry
	for id, r := range b.list {
		if r.dirty {
			list = append(list, entry{Session: id.String(), Owed: uint64(r.owed), Newest: r.newest})
			r.dirty = false
		}
	}
	for _, id := range b.ended {
		list = append(list, entry{Session: id.String(), Over: true})
	}
	b.ended = nil
	if len(list) == 0 {
		return b.file.Broken()
	}
	if b.file.Size() > rewriteAbove {
		return b.rewrite()
	}
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return b.file.Append(data)
}

// rewrite writes the whole book anew.
func (b *Book) rewrite() error {
	payloads := make([][]byte, 0, len(b.list))
	for id, r := range b.list {
		data, err := json.Marshal([]entry{{Session: id.String(), Owed: uint64(r.owed), Newest: r.newest}})
		if err != nil {
			return err
		}
		payloads = append(payloads, data)
	}
	return b.file.Rewrite(b.title, payloads...)
}

// due is a session that the chain is asked about.
type due struct {
	id     digest.Hash
	signed *Signed // nil where only a debt is known
	looked uint64
}

// unsettled lists sessions of which the chain may not have paid everything, at most so many, those first that were looked at longest ago.
func (b *Book) unsettled(most int) (list []due) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, r := range b.list {
		if r.looked == 0 || r.owed > r.settled || r.newest != nil && unit.Amount(r.newest.Cumulative.Lo) > r.settled {
			list = append(list, due{id, r.newest, r.looked})
		}
	}
	slices.SortFunc(list, func(x, y due) int { return cmp.Or(cmp.Compare(x.looked, y.looked), bytes.Compare(x.id[:], y.id[:])) })
	list = list[:min(most, len(list))]
	for _, one := range list {
		b.looks++
		b.list[one.id].looked = b.looks
	}
	return list
}

// settled notes what the chain has paid of a session. One that owes nothing more is forgotten.
func (b *Book) settled(id digest.Hash, spent unit.Amount) {
	b.mu.Lock()
	defer b.mu.Unlock()
	r := b.list[id]
	if r == nil {
		return
	}
	r.settled = spent
	if !r.talking && r.owed <= spent && (r.newest == nil || unit.Amount(r.newest.Cumulative.Lo) <= spent) {
		delete(b.list, id)
		b.ended = append(b.ended, id)
	}
}

// forget leaves a session out that is over.
func (b *Book) forget(id digest.Hash) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r := b.list[id]; r != nil && !r.talking {
		delete(b.list, id)
		b.ended = append(b.ended, id)
	}
}
