package work

import (
	"context"
	"io"
	"math"
)

type progressKey struct{}

// Telling gives a context whose executors tell how far they are: hundredths of the work, and a few words that may be empty. tell must not wait; it may be
// called by several goroutines.
//
// Spec: runner-marketplace §9.3 (JobProgress).
func Telling(ctx context.Context, tell func(fraction uint64, detail string)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

// progress tells that so much of a total is done. Of work without a known total nothing is, but the words may say more.
func progress(ctx context.Context, done, total float64, detail string) {
	tell, ok := ctx.Value(progressKey{}).(func(uint64, string))
	if !ok {
		return
	}
	fraction := uint64(0)
	if part := done / total; total > 0 && part > 0 && !math.IsNaN(part) { // whatever a server claims
		fraction = uint64(min(part, 1) * 100)
	}
	tell(fraction, detail)
}

// measured tells of what is read of a whole.
type measured struct {
	io.Reader
	ctx         context.Context
	read, whole int64 // bytes; the whole is -1 where it is not known
}

// Read implements io.Reader.
func (m *measured) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if m.read += int64(n); n > 0 {
		progress(m.ctx, float64(m.read), float64(m.whole), "")
	}
	return n, err
}
