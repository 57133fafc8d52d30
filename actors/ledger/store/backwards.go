package store

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// stretchSize is how many bytes of the log are read at once on the way back.
const stretchSize = 64 << 10

// backwards reads what blocks changed, the latest first. Blocks lie one behind the other in the log and mostly are small, so that one read brings many.
type backwards struct {
	*Store
	stretch []byte // of the log, whole frames at its end
	at      uint64 // its offset
}

// rewind gives the state after an earlier block, and holds it to the root that was computed then.
func (w *backwards) rewind(from *state.Commit, height unit.Height) (*state.Commit, error) {
	e, err := w.entry(height)
	if err != nil {
		return nil, err
	}
	c, err := from.Rewind(int(from.Height()-height), func(i int) (state.Block, error) { return w.operations(from.Height() - unit.Height(i)) })
	if err != nil {
		return nil, err
	}
	if c.Root() != e.Root {
		return nil, w.source.corrupt(e.Offset, fmt.Sprintf("blocks taken back to %d give root %v, want %v", height, c.Root(), e.Root), nil)
	}
	return c, nil
}

// operations reads the operations of a block and what they replaced.
func (w *backwards) operations(height unit.Height) (b state.Block, err error) {
	e, err := w.entry(height)
	if err != nil {
		return b, err
	}
	frame := w.behind(e.Offset)
	h, what := decodeHeader(frame, uint64(len(frame)))
	if what != "" || h.sequence != uint64(height)+1 {
		known, err := w.header(e) // which says what is wrong, if something is
		if err != nil {
			return b, err
		}
		if h = *known; h.size() <= stretchSize/4 {
			if frame, err = w.read(e.Offset, h.size()); err != nil {
				return b, err
			}
		} else {
			frame = nil
		}
	}
	part := func(which int) ([]byte, error) {
		at, length := h.section(which)
		if h.kind != frameWhole || uint64(len(frame)) < at+length {
			return w.source.section(e.Offset, &h, which)
		}
		text := frame[at : at+length]
		if err := h.check(which, text); err != nil {
			return nil, w.source.corrupt(e.Offset+at, err.Error(), nil)
		}
		return text, nil
	}
	if b.Operations, err = part(sectionOperations); err != nil {
		return b, err
	}
	previous, err := part(sectionPrevious)
	b.Previous = decodePrevious(previous)
	return b, err
}

// behind is what was read from an offset on.
func (w *backwards) behind(offset uint64) []byte {
	if offset < w.at || offset >= w.at+uint64(len(w.stretch)) {
		return nil
	}
	return w.stretch[offset-w.at:]
}

// read reads a frame together with what lies before it in its segment.
func (w *backwards) read(offset, size uint64) ([]byte, error) {
	list := *w.source.segments.Load()
	g := find(list, offset)
	if g == nil {
		return nil, &CorruptError{segmentName(offset), -1, "segment is missing", nil}
	}
	end := offset + size
	w.at = max(g.start, end-min(end, stretchSize))
	w.stretch = make([]byte, end-w.at) // what was read before may still be in use
	n, err := readAt(list, w.stretch, w.at)
	if err != nil {
		w.stretch = nil
		return nil, fmt.Errorf("block at %d: %w", offset, err)
	}
	w.stretch = w.stretch[:n]
	return w.behind(offset), nil
}
