package volume

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"runtime"

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
// how much there is, as far as it is known. Errors: errLarge for more than most bytes, ErrChanged, that of reading.
func readPlain(ctx context.Context, in io.Reader, likely, most int) (*plain, error) {
	p := &plain{}
	if f, ok := in.(regular); ok {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			if n, err := f.ReadAt(make([]byte, 1), info.Size()); n == 0 && errors.Is(err, io.EOF) {
				p.from, p.size = f, uint64(info.Size())
			}
		}
	}
	if p.from == nil {
		room, size, err := readRoom(in, likely, most)
		if err != nil {
			return nil, err
		}
		p.room, p.from, p.size = room, bytes.NewReader(room.bytes[:size]), uint64(size)
	}
	err := errLarge
	if p.size <= uint64(most) {
		err = p.hash(ctx)
	}
	if err != nil {
		p.leave()
	}
	return p, err
}

// leave gives back the memory it is in.
func (p *plain) leave() {
	if p.room != nil {
		p.room.leave()
	}
}

// hash hashes all pieces, as many at a time as there are processors.
func (p *plain) hash(ctx context.Context) error {
	p.pieces = make([]digest.Piece, max(1, (p.size+digest.PieceBytes-1)/digest.PieceBytes))
	all, ctx := errgroup.WithContext(ctx)
	workers := min(runtime.NumCPU(), len(p.pieces))
	for first := range workers {
		all.Go(func() error {
			room := make([]byte, min(p.size, digest.PieceBytes))
			for at := first; at < len(p.pieces) && ctx.Err() == nil; at += workers {
				number := uint64(at)
				part := room[:min(p.size-number*digest.PieceBytes, digest.PieceBytes)]
				if err := p.readAt(part, number*digest.PieceBytes); err != nil {
					return err
				}
				p.pieces[at] = digest.PieceOf(part, number)
			}
			return ctx.Err()
		})
	}
	return all.Wait()
}

// sum is the hash of all.
func (p *plain) sum() digest.Hash { return digest.Blake3Of(p.pieces) }

func (p *plain) readAt(part []byte, offset uint64) error {
	n, err := p.from.ReadAt(part, int64(offset))
	if n == len(part) {
		return nil
	}
	if errors.Is(err, io.EOF) {
		err = ErrChanged
	}
	return err
}

// read reads what was hashed, at an offset that is a whole number of pieces, to the end of one or of all. It is safe for many goroutines. Error: ErrChanged.
func (p *plain) read(part []byte, offset uint64) error {
	if err := p.readAt(part, offset); err != nil {
		return err
	}
	for number := offset / digest.PieceBytes; len(part) > 0; number++ {
		n := min(len(part), digest.PieceBytes)
		if digest.PieceOf(part[:n], number) != p.pieces[number] {
			return ErrChanged
		}
		part = part[n:]
	}
	return nil
}
