package light

import (
	"bytes"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/state"
)

// Handover proves an epoch's validator set in the state after the last block of the epoch before.
type Handover struct {
	Record  Entry
	Set     *Entry // nil where the client holds it already
	Sharing *Entry // likewise
}

// NewHandover is the handover from an epoch to the next for a client that holds what have says. c is the state after the epoch's last block. Errors:
// state.ErrAbsent if it is not; anything else is a failing source.
func NewHandover(c *state.Commit, epoch uint64, have stake.EpochRecord) (*Handover, error) {
	h := new(Handover)
	if err := prove(c, stake.EpochKey(epoch+1), &h.Record); err != nil {
		return nil, err
	}
	next, err := stake.DecodeEpoch(h.Record.Value)
	if err != nil {
		return nil, err
	}
	if next.Set != have.Set {
		h.Set = new(Entry)
		if err := prove(c, stake.SetKey(next.Set), h.Set); err != nil {
			return nil, err
		}
	}
	if next.Sharing != have.Sharing {
		h.Sharing = new(Entry)
		if err := prove(c, stake.SharingKey(next.Sharing), h.Sharing); err != nil {
			return nil, err
		}
	}
	return h, nil
}

func prove(c *state.Commit, key []byte, into *Entry) error {
	e, err := Prove(c, key)
	if err == nil && !e.Present {
		err = state.ErrAbsent
	}
	if err == nil {
		*into = *e
	}
	return err
}

// Turn takes the client into the next epoch. Errors: ErrBoundary, ErrHandover.
// Spec: WP "Validator Set" (changes at boundaries); commonware §4.3, §5.6.
func (c *Client) Turn(h *Handover) error {
	if c.head.header == nil || c.head.header.Epoch != c.set.Epoch || c.head.header.Height != c.calendar.Last(c.set.Epoch) {
		return ErrBoundary
	}
	epoch := c.set.Epoch + 1
	if err := c.proven(stake.EpochKey(epoch), &h.Record); err != nil {
		return err
	}
	record, err := stake.DecodeEpoch(h.Record.Value)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrHandover, err)
	}
	next := stake.Set{Epoch: epoch, Members: c.set.Members, Sharing: c.set.Sharing, Shared: record.Sharing}
	if record.Set != c.record.Set {
		if err := c.proven(stake.SetKey(record.Set), h.Set); err != nil {
			return err
		}
		if next.Members, err = stake.DecodeMembers(h.Set.Value); err != nil {
			return fmt.Errorf("%w: %w", ErrHandover, err)
		}
	}
	if record.Sharing != c.record.Sharing {
		if err := c.proven(stake.SharingKey(record.Sharing), h.Sharing); err != nil {
			return err
		}
		next.Sharing = bytes.Clone(h.Sharing.Value)
	}
	if err := c.believe(next, *record); err != nil {
		return fmt.Errorf("%w: %w", ErrHandover, err)
	}
	return nil
}

func (c *Client) proven(key []byte, e *Entry) error {
	if e == nil || !e.Present {
		return ErrHandover
	}
	if err := c.head.Lookup(key, e); err != nil {
		return fmt.Errorf("%w: %w", ErrHandover, err)
	}
	return nil
}

// maxProofBytes bounds an encoded proof inside an Entry: 64 levels of siblings, and the neighbour that shows an absence.
const maxProofBytes = 8<<10 + state.KeyMax*2 + state.ValueMax

// Append appends the canonical encoding bool present ‖ Bytes value ‖ Bytes proof.
// Spec: WP §2.5.
func (e *Entry) Append(dst []byte) []byte {
	dst = codec.AppendBool(dst, e.Present)
	return codec.AppendBytes(codec.AppendBytes(dst, e.Value), e.Proof)
}

// ReadEntry reads what Append wrote; errors stay in r. The bytes alias the input.
func ReadEntry(r *codec.Reader) Entry {
	return Entry{Present: r.Bool(), Value: r.Bytes(state.ValueMax), Proof: r.Bytes(maxProofBytes)}
}

// Encode is the canonical encoding: entry ‖ Option<entry> ‖ Option<entry>.
// Spec: WP §2.5.
func (h *Handover) Encode() []byte {
	dst := h.Record.Append(nil)
	for _, e := range []*Entry{h.Set, h.Sharing} {
		dst = codec.AppendBool(dst, e != nil)
		if e != nil {
			dst = e.Append(dst)
		}
	}
	return dst
}

// DecodeHandover reads what Encode wrote and nothing else, or gives a *codec.Error.
func DecodeHandover(data []byte) (*Handover, error) {
	r := codec.NewReader(data)
	h := &Handover{Record: ReadEntry(r)}
	for _, e := range []**Entry{&h.Set, &h.Sharing} {
		if r.Option() {
			read := ReadEntry(r)
			*e = &read
		}
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return h, nil
}
