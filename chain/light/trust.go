package light

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Trust starts a client at a block whose hash the user trusts: its header, and from the state after it the network's calendar, the epoch's record,
// set and shared key.
type Trust struct {
	Header                         *block.Header
	Calendar, Record, Set, Sharing Entry
}

// NewTrust is a full node's help for a client that trusts a block's hash; after is the state after the block. It gives stake.ErrNoEpoch for a state
// without a validator registry; anything else is a failing source.
func NewTrust(h *block.Header, after *state.Commit) (*Trust, error) {
	t := &Trust{Header: h}
	raw, ok, err := after.Lookup(stake.EpochKey(h.Epoch))
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, stake.ErrNoEpoch
	}
	record, err := stake.DecodeEpoch(raw)
	if err != nil {
		return nil, err
	}
	for i, key := range t.keys(record) {
		e, err := Prove(after, key)
		if err != nil {
			return nil, err
		}
		*t.entries()[i] = *e
	}
	return t, nil
}

func (t *Trust) keys(record *stake.EpochRecord) [4][]byte {
	return [4][]byte{
		params.CalendarKey(), stake.EpochKey(t.Header.Epoch), stake.SetKey(record.Set), stake.SharingKey(record.Sharing),
	}
}

func (t *Trust) entries() [4]*Entry { return [4]*Entry{&t.Calendar, &t.Record, &t.Set, &t.Sharing} }

// shown is a state of which a few entries are known, all of them proven.
type shown map[string][]byte

// errPartial says that a state of which a few entries are known was asked for a list.
var errPartial = errors.New("light: only the shown entries of the state are known")

// Lookup implements state.Reader. A key that was not shown counts as absent.
func (s shown) Lookup(key []byte) ([]byte, bool, error) {
	v, ok := s[string(key)]
	return v, ok, nil
}

// Scan implements state.Reader: what was shown is no complete list of anything.
func (s shown) Scan([]byte, []byte, int, func(key, value []byte) bool) error { return errPartial }

// NewTrusting starts from a block whose hash the caller trusts, which must be one of the last unbonding period. Errors: ErrHeader where the header is
// not that block's, ErrProof where what was shown is not in its state, ErrHandover where it is no validator set.
// Spec: commonware §5.6; WP "Validator Set".
func NewTrusting(chainID uint64, hash digest.Hash, t *Trust) (*Client, error) {
	if t.Header.Hash() != hash || t.Header.ChainID != chainID {
		return nil, ErrHeader
	}
	kept := *t.Header
	at := Final{&kept, hash}
	record, err := stake.DecodeEpoch(t.Record.Value)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHandover, err)
	}
	known := shown{}
	for i, key := range t.keys(record) {
		e := t.entries()[i]
		if err := at.Lookup(key, e); err != nil {
			return nil, err
		}
		if e.Present {
			known[string(key)] = e.Value
		}
	}
	c, err := New(chainID, known, t.Header.Epoch)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrHandover, err)
	}
	c.head = at
	return c, nil
}

// Encode is the canonical encoding: header ‖ 4 × entry.
// Spec: WP §2.5.
func (t *Trust) Encode() []byte {
	dst := t.Header.Encode()
	for _, e := range t.entries() {
		dst = e.Append(dst)
	}
	return dst
}

// DecodeTrust reads what Encode wrote and nothing else, or gives a *codec.Error.
func DecodeTrust(data []byte) (*Trust, error) {
	r := codec.NewReader(data)
	h := block.ReadHeader(r)
	t := &Trust{Header: &h}
	for _, e := range t.entries() {
		*e = ReadEntry(r)
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return t, nil
}
