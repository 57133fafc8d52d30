package dispatcher

import (
	"encoding/binary"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/mailbox"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of the jobs that wait and the answers that are late, together.
const (
	MaxKept      = 1_024
	MaxKeptBytes = params.MailboxBytes
)

// names of the entries, records of the dispatcher.
const (
	nameCounters = "jobs:counters"
	nameScript   = "jobs:script:"
	nameWaiting  = "jobs:waiting:"
	nameLate     = "jobs:late:"
)

var countersKey = entryKey(nameCounters)

func entryKey(name string, numbers ...uint64) []byte {
	key := account.KeyString(account.KindRecord, account.System(account.JobDispatcher), name)
	for _, n := range numbers {
		key = codec.AppendU64(key, n)
	}
	return key
}

// lastNumber is what a key ends with.
func lastNumber(key []byte) uint64 { return binary.BigEndian.Uint64(key[len(key)-8:]) }

// counters are what the bounds are held against.
type counters struct {
	Set     uint64 // scripts ever set; the next one's number
	Scripts uint64
	Taken   uint64 // jobs ever kept; the next one's number
	Waiting uint64
	Late    uint64
	Bytes   uint64 // of what is kept for jobs
}

func load(s state.Reader) (c counters, err error) {
	data, ok, err := s.Lookup(countersKey)
	if err != nil || !ok {
		return c, err
	}
	r := codec.NewReader(data)
	c = counters{Set: r.Uint(), Scripts: r.Uint(), Taken: r.Uint(), Waiting: r.Uint(), Late: r.Uint(), Bytes: r.Uint()}
	return c, r.Finish()
}

func (c *counters) save(s state.Store) {
	var out []byte
	for _, n := range [...]uint64{c.Set, c.Scripts, c.Taken, c.Waiting, c.Late, c.Bytes} {
		out = codec.AppendUint(out, n)
	}
	s.Set(countersKey, out)
}

// Waiting is a job nobody has answered.
type Waiting struct {
	Number  uint64
	Origin  digest.Hash // whose pool its answer runs on
	Actor   account.Address
	Height  unit.Height // of the block the dispatcher got it in
	Payload []byte      // the job, canonical CBOR
}

// Job is the job that waits.
func (w *Waiting) Job() (*Job, error) { return Read(w.Actor, w.Height, w.Payload) }

func (w *Waiting) encode() []byte {
	out := codec.AppendFixed(codec.AppendFixed(nil, w.Origin[:]), w.Actor[:])
	return codec.AppendBytes(codec.AppendUint(out, uint64(w.Height)), w.Payload)
}

func readWaiting(number uint64, data []byte) (Waiting, error) {
	r := codec.NewReader(data)
	w := Waiting{Number: number}
	r.Into(w.Origin[:])
	r.Into(w.Actor[:])
	w.Height = unit.Height(r.Uint())
	w.Payload = r.Bytes(mailbox.PayloadMax)
	return w, r.Finish()
}

// Late is an answer that is not due yet.
type Late struct {
	Number uint64
	Due    unit.Height // of the block at whose end it is sent
	Origin digest.Hash
	Actor  account.Address
	Copies uint32 // 0: the job is let go
	Reply  []byte // the result map, canonical CBOR
	Waits  uint64 // of a notice that nobody answered: the number of the job that waits, plus 1; 0 of an answer
}

func (l *Late) encode() []byte {
	out := codec.AppendFixed(codec.AppendFixed(nil, l.Origin[:]), l.Actor[:])
	return codec.AppendUint(codec.AppendBytes(codec.AppendUint(out, uint64(l.Copies)), l.Reply), l.Waits)
}

func readLate(due, number uint64, data []byte) (Late, error) {
	r := codec.NewReader(data)
	l := Late{Due: unit.Height(due), Number: number}
	r.Into(l.Origin[:])
	r.Into(l.Actor[:])
	l.Copies, l.Reply, l.Waits = r.Uint32(), r.Bytes(mailbox.PayloadMax), r.Uint()
	return l, r.Finish()
}

// Errors of what can be kept.
var (
	ErrFull    = errors.New("the dispatcher keeps 1,024 jobs and late answers, of 1,000,000 bytes together")
	ErrScripts = errors.New("64 scripts are set; clear some")
	ErrNoJob   = errors.New("no job waits by that name")
)

// keep counts an entry of a job and writes it.
func (c *counters) keep(s state.Store, key, data []byte) error {
	if c.Waiting+c.Late >= MaxKept || c.Bytes+uint64(len(data)) > MaxKeptBytes {
		return ErrFull
	}
	c.Bytes += uint64(len(data))
	s.Set(key, data)
	return nil
}

func (c *counters) keepWaiting(s state.Store, w *Waiting) error {
	w.Number = c.Taken
	if err := c.keep(s, entryKey(nameWaiting, w.Number), w.encode()); err != nil {
		return err
	}
	c.Taken++
	c.Waiting++
	return nil
}

func (c *counters) keepLate(s state.Store, l *Late) error {
	l.Number = c.Taken
	if err := c.keep(s, entryKey(nameLate, uint64(l.Due), l.Number), l.encode()); err != nil {
		return err
	}
	c.Taken++
	c.Late++
	return nil
}

func (c *counters) dropWaiting(s state.Store, w *Waiting) {
	s.Delete(entryKey(nameWaiting, w.Number))
	c.Waiting -= min(c.Waiting, 1)
	c.Bytes -= min(c.Bytes, uint64(len(w.encode())))
}

// dropWaited drops the job a notice is of, if it still waits.
func (c *counters) dropWaited(s state.Store, l *Late) error {
	if l.Waits == 0 {
		return nil
	}
	data, ok, err := s.Lookup(entryKey(nameWaiting, l.Waits-1))
	if err != nil || !ok {
		return err
	}
	w, err := readWaiting(l.Waits-1, data)
	if err == nil {
		c.dropWaiting(s, &w)
	}
	return err
}

// notice finds the notice of a job that waits; nil if it has none.
func notice(s state.Reader, w *Waiting) (*Late, error) {
	list, err := Lates(s)
	for i := range list {
		if list[i].Waits == w.Number+1 {
			return &list[i], err
		}
	}
	return nil, err
}

func (c *counters) dropLate(s state.Store, l *Late, size int) {
	s.Delete(entryKey(nameLate, uint64(l.Due), l.Number))
	c.Late -= min(c.Late, 1)
	c.Bytes -= min(c.Bytes, uint64(size))
}

// scan calls fn with the entries of a name, ascending, until it says no or errs.
func scan(s state.Reader, name string, fn func(key, value []byte) (more bool, err error)) error {
	var bad error
	err := s.Scan(entryKey(name), nil, 0, func(key, value []byte) bool {
		more, err := fn(key, value)
		bad = err
		return more && err == nil
	})
	return errors.Join(err, bad)
}

// Scripts are those that are set, in the order they were.
func Scripts(s state.Reader) (list []Script, err error) {
	err = scan(s, nameScript, func(key, value []byte) (bool, error) {
		r := codec.NewReader(value)
		one := ReadScript(r)
		one.Number = lastNumber(key)
		list = append(list, one)
		return true, r.Finish()
	})
	return list, err
}

// Waits are the jobs nobody has answered, the oldest first.
func Waits(s state.Reader) (list []Waiting, err error) {
	err = scan(s, nameWaiting, func(key, value []byte) (bool, error) {
		w, err := readWaiting(lastNumber(key), value)
		list = append(list, w)
		return true, err
	})
	return list, err
}

// Lates are the answers that are kept back, by the block they are due in.
func Lates(s state.Reader) ([]Late, error) { return lates(s, ^unit.Height(0)) }

// lates are those due at a height or before.
func lates(s state.Reader, by unit.Height) (list []Late, err error) {
	err = scan(s, nameLate, func(key, value []byte) (bool, error) {
		due := lastNumber(key[:len(key)-8])
		if unit.Height(due) > by {
			return false, nil
		}
		l, err := readLate(due, lastNumber(key), value)
		list = append(list, l)
		return true, err
	})
	return list, err
}

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	all := func(holds, prefix string) account.Claim {
		return account.Claim{Chapter: "dispatcher", Holds: holds, Kind: account.KindRecord, Holder: account.One, Address: account.System(account.JobDispatcher),
			Suffix: prefix}
	}
	one := func(holds, name string) account.Claim {
		c := all(holds, name)
		c.Exact = true
		return c
	}
	return []account.Claim{
		one("counters", nameCounters),
		all("scripts", nameScript),
		all("jobs nobody has answered", nameWaiting),
		all("answers that are not due yet", nameLate),
	}
}
