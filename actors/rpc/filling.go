package rpc

import (
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
)

// pageBytes bounds what is read and written down for one page of a list, in bytes. A page ends with the entry that reaches it, so that it holds one at least;
// whoever wants more asks for what comes behind.
const pageBytes = 8 << 20

// filling is how much of a page is taken.
type filling struct{ bytes int }

// take counts bytes.
func (f *filling) take(bytes int) { f.bytes += bytes }

// full reports whether the page ends here.
func (f *filling) full() bool { return f.bytes >= pageBytes }

// weight is what reading a block and its receipts takes.
func (c *content) weight() int {
	bytes := c.size
	for _, x := range c.receipts {
		bytes += bytesOf(x)
	}
	return bytes
}

// bytesOf is how many bytes of a receipt the sender or the actor chose.
func bytesOf(x *block.Receipt) int {
	bytes := len(x.ReturnData) + len(x.Fault.Text)
	for i := range x.Events {
		bytes += len(x.Events[i].Topic) + len(x.Events[i].Data)
	}
	return bytes
}

// shown is the same of a receipt that is written down.
func shown(w *wire.Receipt) int {
	bytes := len(w.ReturnData) + len(w.ReturnText)
	for i := range w.Events {
		bytes += len(w.Events[i].Topic) + len(w.Events[i].Data) + len(w.Events[i].Text)
	}
	return bytes
}
