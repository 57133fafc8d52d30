package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The rejects of this package. Any other error is a failing state source, or a record that is not canonical.
var (
	// ErrPublished reports a model that is in the registry already.
	ErrPublished = errors.New("model: the model is published already")
	// ErrUnknown reports a model_id that nobody has published.
	ErrUnknown = errors.New("model: no model is published under this model_id")
	// ErrPublisher reports a withdrawal by somebody else than who published.
	ErrPublisher = errors.New("model: only who published a model may withdraw it")
	// ErrBanned reports a model that governance has banned.
	ErrBanned = errors.New("model: governance has banned the model")
	// ErrMarks reports a mark nobody knows, or one more than can be kept.
	ErrMarks = errors.New("model: a mark is 0 nothing, 1 flagged or 2 banned, of at most 100 models")
)

// Topics of the events. The data begins with the model_id.
const (
	TopicPublished = "model.published" // publisher(20) ‖ UInt deposit; of 0x01
	TopicWithdrawn = "model.withdrawn" // publisher(20) ‖ UInt deposit; of 0x01
	TopicMarks     = "model.marks"     // all marks; of 0x09
)

// KeyMarks is the governance key of what is flagged and banned.
//
// Spec: governance-staking B9 (model flags, without a key of their own); WP §13.1.
const KeyMarks = params.KeyGenericPrefix + "model_marks"

// MaxMarks bounds the models that are flagged or banned, so that all of them fit into a proposal.
const MaxMarks = 100

const underPublished = "model:published/" // model_id → Record

// Revision is what a model_id names: the hashes of a model's parts.
//
// Spec: WP §5.1.
type Revision struct{ Weights, Arch, Tokenizer, License digest.Hash }

// ID is the model_id: keccak256(weights ‖ arch ‖ tokenizer ‖ license).
//
// Spec: WP §5.1; runner-marketplace §2.2.
func (r Revision) ID() digest.Hash {
	return digest.Keccak256(slices.Concat(r.Weights[:], r.Arch[:], r.Tokenizer[:], r.License[:]))
}

// Record is a published model.
type Record struct {
	Revision
	Publisher account.Address
	Deposit   unit.Amount // base units
	Published unit.Height
}

// Encode is the record in state: the four hashes ‖ publisher(20) ‖ UInt deposit ‖ UInt published.
func (m *Record) Encode() []byte {
	var dst []byte
	for _, h := range [...]digest.Hash{m.Weights, m.Arch, m.Tokenizer, m.License} {
		dst = codec.AppendFixed(dst, h[:])
	}
	dst = codec.AppendFixed(dst, m.Publisher[:])
	return codec.AppendUint(codec.AppendUint(dst, uint64(m.Deposit)), uint64(m.Published))
}

// Decode reads what Encode wrote.
func Decode(data []byte) (*Record, error) {
	r, m := codec.NewReader(data), new(Record)
	for _, h := range [...]*digest.Hash{&m.Weights, &m.Arch, &m.Tokenizer, &m.License} {
		r.Into(h[:])
	}
	r.Into(m.Publisher[:])
	m.Deposit, m.Published = unit.Amount(r.Uint()), unit.Height(r.Uint())
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("model: record: %w", err)
	}
	return m, nil
}

// Home is where the registry and its deposits lie.
func Home() account.Address { return account.System(account.RunnerRegistry) }

func keyOf(id digest.Hash) []byte {
	return append(account.KeyString(account.KindRecord, Home(), underPublished), id[:]...)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	return []account.Claim{{
		Chapter: chapter, Holds: "published models", Kind: account.KindRecord, Holder: account.One, Address: Home(), Suffix: underPublished,
	}}
}

// Load reads a published model. A reject: ErrUnknown.
func Load(r state.Reader, id digest.Hash) (*Record, error) {
	data, ok, err := r.Lookup(keyOf(id))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, ErrUnknown
	}
	return Decode(data)
}

// Entry is a published model with its model_id.
type Entry struct {
	ID digest.Hash
	*Record
}

// List reads published models in the order of their model_ids, those above after (nil: all), at most limit.
func List(r state.Reader, after *digest.Hash, limit int) (list []Entry, err error) {
	prefix := account.KeyString(account.KindRecord, Home(), underPublished)
	var above []byte
	if after != nil {
		above = keyOf(*after)
	}
	failed := r.Scan(prefix, above, limit, func(key, value []byte) bool {
		var m *Record
		if m, err = Decode(value); err != nil {
			return false
		}
		list = append(list, Entry{digest.Hash(key[len(prefix):]), m})
		return true
	})
	if failed != nil {
		err = failed
	}
	return list, err
}

// Registry is the model registry during one block. Methods that return a reject have changed nothing.
type Registry struct {
	State  state.Store
	Height unit.Height // of the block
	Emit   func(topic string, data []byte)
}

// Publish puts a model into the registry, whose deposit came to it, and gives its model_id. A reject: ErrPublished.
//
// Spec: WP §5.1.
func (g *Registry) Publish(from account.Address, of Revision) (digest.Hash, error) {
	id := of.ID()
	_, taken, err := g.State.Lookup(keyOf(id))
	if err == nil && taken {
		err = ErrPublished
	}
	if err != nil {
		return id, err
	}
	g.State.Set(keyOf(id), (&Record{of, from, params.ModelDeposit, g.Height}).Encode())
	g.tell(TopicPublished, id, from, params.ModelDeposit)
	return id, nil
}

// Withdraw takes a model out of the registry and gives its deposit back. Rejects: ErrUnknown, ErrPublisher.
//
// Spec: WP §5.1 (refundable).
func (g *Registry) Withdraw(from account.Address, id digest.Hash) error {
	m, err := Load(g.State, id)
	if err != nil {
		return err
	}
	if m.Publisher != from {
		return ErrPublisher
	}
	if err := account.Move(g.State, Home(), from, m.Deposit); err != nil {
		return err
	}
	g.State.Delete(keyOf(id))
	g.tell(TopicWithdrawn, id, from, m.Deposit)
	return nil
}

func (g *Registry) tell(topic string, id digest.Hash, from account.Address, deposit unit.Amount) {
	g.Emit(topic, codec.AppendUint(append(id[:len(id):len(id)], from[:]...), uint64(deposit)))
}

// Mark is what governance holds of a model.
type Mark uint8

// The marks.
const (
	Unmarked Mark = iota
	Flagged       // shown as such
	Banned        // no job may choose it
	marks
)

// CheckMark gives ErrMarks for a number that is no mark.
func CheckMark(n uint64) error {
	if n >= uint64(marks) {
		return ErrMarks
	}
	return nil
}

// Marked is a model that governance has marked.
type Marked struct {
	ID   digest.Hash
	Mark Mark
}

// Marks are all marked models, strictly ascending by model_id.
type Marks []Marked

// Encode is the governed parameter: a length of at most 100, and for each model_id(32) ‖ mark(1), 1 flagged or 2 banned.
func (l Marks) Encode() []byte {
	dst := codec.AppendLen(nil, len(l))
	for _, m := range l {
		dst = codec.AppendU8(codec.AppendFixed(dst, m.ID[:]), uint8(m.Mark))
	}
	return dst
}

// DecodeMarks reads what Encode wrote.
func DecodeMarks(data []byte) (Marks, error) {
	r := codec.NewReader(data)
	var l Marks
	for n := r.Len(0, MaxMarks, digest.Size+1); n > 0; n-- {
		var m Marked
		r.Into(m.ID[:])
		m.Mark = Mark(r.Tag(uint8(marks)))
		if k := len(l); r.Err() == nil && (m.Mark == Unmarked || k > 0 && bytes.Compare(l[k-1].ID[:], m.ID[:]) >= 0) {
			r.Fail(codec.ErrInvalid, uint64(m.Mark))
		}
		l = append(l, m)
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("model: marks: %w", err)
	}
	return l, nil
}

// CheckMarks gives an error for bytes that are no value of the governed parameter.
func CheckMarks(value []byte) error {
	_, err := DecodeMarks(value)
	return err
}

// LoadMarks reads what governance has marked.
func LoadMarks(r state.Reader) (Marks, error) {
	value, ok, err := r.Lookup(params.StateKey(KeyMarks))
	if err != nil || !ok {
		return nil, err
	}
	return DecodeMarks(value)
}

func (l Marks) find(id digest.Hash) (int, bool) {
	return slices.BinarySearchFunc(l, id, func(m Marked, id digest.Hash) int { return bytes.Compare(m.ID[:], id[:]) })
}

// Of is the mark of a model.
func (l Marks) Of(id digest.Hash) Mark {
	if i, ok := l.find(id); ok {
		return l[i].Mark
	}
	return Unmarked
}

// With is the list with a model's mark replaced. A reject: ErrMarks, for one more than can be kept.
func (l Marks) With(id digest.Hash, mark Mark) (Marks, error) {
	i, ok := l.find(id)
	l = slices.Clone(l)
	switch {
	case ok && mark == Unmarked:
		l = slices.Delete(l, i, i+1)
	case ok:
		l[i].Mark = mark
	case mark != Unmarked && len(l) >= MaxMarks:
		return nil, ErrMarks
	case mark != Unmarked:
		l = slices.Insert(l, i, Marked{id, mark})
	}
	return l, nil
}

// Choose holds the model a job names against what governance has banned; zero names any model. A reject: ErrBanned.
//
// Spec: WP §5.1 (flag/ban).
func Choose(r state.Reader, id digest.Hash) error {
	l, err := LoadMarks(r)
	if err == nil && l.Of(id) == Banned {
		err = ErrBanned
	}
	return err
}
