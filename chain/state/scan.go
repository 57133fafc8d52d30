package state

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/chain/state/keyindex"
)

// seek is the first entry of a scan.
func seek(x keyindex.Index, prefix, after []byte) keyindex.Cursor {
	if after != nil && bytes.Compare(after, prefix) >= 0 {
		return x.After(after)
	}
	return x.Seek(prefix)
}

// Scan implements [Reader]. fn may write to the overlay: keys it was given are
// not given again, later ones are seen as they are when their turn comes.
func (o *Overlay) Scan(prefix, after []byte, limit int, fn func(key, value []byte) (more bool)) error {
	return o.ScanOver(prefix, after, limit, func() bool { return true }, fn)
}

// ScanOver is Scan that tells of each key it passes which the state before the block has and the block has removed, so that it can be paid for; it ends where
// gone answers false.
func (o *Overlay) ScanOver(prefix, after []byte, limit int, gone func() (more bool), fn func(key, value []byte) (more bool)) error {
	last, passed := after, after != nil && bytes.Compare(after, prefix) >= 0
	base := seek(o.base.index, prefix, after)
	from := prefix
	if passed {
		from = after
	}
	own := o.sorted.cursor(from)
	if w := own.current(); passed && w != nil && bytes.Equal(w.key, after) {
		own.next()
	}
	for n := 0; limit <= 0 || n < limit; {
		w := own.peek(last, passed)
		var key []byte
		if base.Valid() {
			key = base.AppendKey(nil)
		}
		order := -1 // base first
		switch {
		case w == nil && key == nil:
			return nil
		case key == nil:
			order = 1
		case w != nil:
			order = bytes.Compare(key, w.key)
		}
		if order >= 0 {
			key = w.key
		}
		if !bytes.HasPrefix(key, prefix) {
			return nil
		}
		location := NoLocation
		if order <= 0 {
			location = base.Location()
			base.Next()
		}
		if order >= 0 {
			own.next()
		}
		last, passed = key, true
		value := []byte(nil)
		switch {
		case order >= 0 && (w.fate == kept || w.fate == read):
			value = w.value
		case order == 0 && w.fate == removed:
			if !gone() {
				return nil
			}
			continue
		case location != NoLocation:
			var err error
			if value, err = o.base.value(key, location); err != nil {
				return err
			}
		default:
			o.unlist(w) // neither there before nor now
			continue
		}
		n++
		if !fn(key, value) {
			return nil
		}
	}
	return nil
}
