package volume

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// plain is a file's bytes, which are read twice: to hash them, since what is drawn for a write goes by the hash, and to seal them. What is read the second
// time is held to the first, piece by piece, so that nothing else is ever sealed under the nonce.
type plain struct {
	from   io.ReaderAt
	size   uint64
	pieces []digest.Piece
	room   *room // of what cannot be read twice; nil for a file
}

// regular is a file whose size is known and which can be read twice.
type regular interface {
	io.ReaderAt
	Stat() (fs.FileInfo, error)
}

// readPlain hashes what a reader gives, whose reading has not begun. What is no regular file, or has more bytes than it says, is read into memory. likely is
// how much there is, as far as it is known. More than most bytes are told by the size, and not hashed.
func readPlain(ctx context.Context, in io.Reader, likely, most int) (*plain, error) {
	c := &plain{}
	if f, ok := in.(regular); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			if n, err := f.ReadAt(make([]byte, 1), info.Size()); n == 0 && errors.Is(err, io.EOF) {
				c.from, c.size = f, uint64(info.Size())
			}
		}
	}
	if c.from == nil {
		room, size, err := readRoom(in, likely, most)
		if err != nil {
			return nil, err
		}
		c.room, c.from, c.size = room, bytes.NewReader(room.bytes[:size]), uint64(size)
	}
	if c.size > uint64(most) {
		return c, nil
	}
	err := c.hash(ctx)
	if err != nil {
		c.leave()
	}
	return c, err
}

// leave gives back the memory it is in.
func (c *plain) leave() {
	if c.room != nil {
		c.room.leave()
	}
}

// hash hashes all pieces, as many at a time as there are processors.
func (c *plain) hash(ctx context.Context) error {
	c.pieces = make([]digest.Piece, max(1, (c.size+digest.PieceBytes-1)/digest.PieceBytes))
	all, ctx := errgroup.WithContext(ctx)
	var begun atomic.Uint64
	for range min(runtime.NumCPU(), len(c.pieces)) {
		all.Go(func() error {
			room := make([]byte, min(c.size, digest.PieceBytes))
			for number := begun.Add(1) - 1; number < uint64(len(c.pieces)) && ctx.Err() == nil; number = begun.Add(1) - 1 {
				part := room[:min(c.size-number*digest.PieceBytes, digest.PieceBytes)]
				if err := c.readAt(part, number*digest.PieceBytes); err != nil {
					return err
				}
				c.pieces[number] = digest.PieceOf(part, number)
			}
			return ctx.Err()
		})
	}
	return all.Wait()
}

// sum is the hash of all.
func (c *plain) sum() digest.Hash { return digest.Blake3Of(c.pieces) }

func (c *plain) readAt(part []byte, offset uint64) error {
	n, err := c.from.ReadAt(part, int64(offset))
	if n == len(part) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrChanged
	}
	return err
}

// read reads what was hashed, at an offset that is a whole number of pieces, to the end of one or of all. It is safe for many goroutines. Error: ErrChanged.
func (c *plain) read(part []byte, offset uint64) error {
	if err := c.readAt(part, offset); err != nil {
		return err
	}
	for number := offset / digest.PieceBytes; len(part) > 0; number++ {
		n := min(len(part), digest.PieceBytes)
		if digest.PieceOf(part[:n], number) != c.pieces[number] {
			return ErrChanged
		}
		part = part[n:]
	}
	return nil
}
