package state

import "github.com/cowboyinc/cowboy-go/chain/digest"

const columnPage = 16

// column is an immutable vector of 32-byte values that forgets a prefix: the
// chunks of the bitmap, or the nodes of one height. Versions share pages.
type column struct {
	first uint64 // index of pages[0] in pages
	pages []*page
	len   uint64
}

type page struct {
	stamp  uint64
	values [columnPage]digest.Hash
}

// at gives value i, which must not have been forgotten.
func (c *column) at(i uint64) *digest.Hash {
	return &c.pages[i/columnPage-c.first].values[i%columnPage]
}

// start is the lowest index that may still be read.
func (c *column) start() uint64 { return c.first * columnPage }

// columnEdit builds the next version of a column. Pages stamped by this edit are
// written in place.
type columnEdit struct {
	column
	stamp uint64
	owned bool
}

func (c column) edit(stamp uint64) columnEdit { return columnEdit{column: c, stamp: stamp} }

// set writes value i; an index at or past the end extends the column, with zero
// values between.
func (e *columnEdit) set(i uint64, v digest.Hash) { *e.own(i) = v }

// own gives the place of value i for writing.
func (e *columnEdit) own(i uint64) *digest.Hash {
	if !e.owned {
		e.pages = append(make([]*page, 0, len(e.pages)+4), e.pages...)
		e.owned = true
	}
	if len(e.pages) == 0 {
		e.first = i / columnPage
	}
	if lower := i / columnPage; lower < e.first {
		e.extend(e.first - lower)
	}
	at := i/columnPage - e.first
	for uint64(len(e.pages)) <= at {
		e.pages = append(e.pages, &page{stamp: e.stamp})
	}
	p := e.pages[at]
	if p.stamp != e.stamp {
		c := *p
		c.stamp = e.stamp
		p = &c
		e.pages[at] = p
	}
	e.len = max(e.len, i+1)
	return &p.values[i%columnPage]
}

// extend puts so many pages of zero values before the first one.
func (e *columnEdit) extend(n uint64) {
	pages := make([]*page, n, n+uint64(len(e.pages)))
	for i := range pages {
		pages[i] = &page{stamp: e.stamp}
	}
	e.pages, e.first = append(pages, e.pages...), e.first-n
}

// forget drops whole pages below index i.
func (e *columnEdit) forget(i uint64) {
	if drop := i / columnPage; drop > e.first && len(e.pages) > 0 {
		n := min(drop-e.first, uint64(len(e.pages)-1))
		e.pages = append([]*page(nil), e.pages[n:]...)
		e.first += n
		e.owned = true
	}
}
