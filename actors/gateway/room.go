package gateway

import (
	"errors"
	"io"
	"net/http"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// errCrowded says that there is no memory for a body.
var errCrowded = errors.New("gateway: no room for another body")

// copies is how often a body is in memory while it is on its way: as it came, in its envelope, and in what is read from that.
const copies = 3

// take takes memory. A quarter of it is left to whoever shares the account.
func take(from *budget.Account, n int64) bool { return from.TakeBelow(n, from.Limit()/4*3) }

// counted is a body whose bytes are taken from an account as they come.
type counted struct {
	io.Reader
	account *budget.Account
	taken   int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if !take(c.account, copies*int64(n)) {
		return 0, errCrowded
	}
	c.taken += copies * int64(n)
	return n, err
}

// body reads the body of a request, of at most so many bytes. What it takes of the memory is given back by leave.
func (d *Door) body(w http.ResponseWriter, r *http.Request, most int64) (body []byte, leave func(), err error) {
	reader := http.MaxBytesReader(w, r.Body, most)
	if d.Memory == nil {
		body, err = io.ReadAll(reader)
		return body, func() {}, err
	}
	c := &counted{Reader: reader, account: d.Memory}
	body, err = io.ReadAll(c)
	return body, func() { c.account.Give(c.taken) }, err
}

// hold takes the bytes of an answer until leave is called; ok is false where there is no room.
func (d *Door) hold(bytes int) (leave func(), ok bool) {
	n := copies * int64(bytes)
	if d.Memory == nil {
		return func() {}, true
	}
	if !take(d.Memory, n) {
		return nil, false
	}
	return func() { d.Memory.Give(n) }, true
}
