package book

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/cowboyinc/cowboy-go/net/transport"
)

// ErrCorrupt: bytes that are not a book, or not the one that was written.
var ErrCorrupt = errors.New("book: corrupt")

// Version is the format of the file.
const Version = 1

// The file's first line is the mark, the version, and the digest of what follows.
const mark = "cowboy-peers "

var title = mark + strconv.Itoa(Version) + " "

// VersionOf reads the version of a file from its first line; ok is false for what is no book.
func VersionOf(data []byte) (v uint32, ok bool) {
	rest, ok := bytes.CutPrefix(data, []byte(mark))
	if !ok {
		return 0, false
	}
	digits, _, _ := bytes.Cut(rest, []byte(" "))
	n, err := strconv.ParseUint(string(digits), 10, 32)
	return uint32(n), err == nil
}

// sizeMax bounds a file in bytes. An entry takes about 200.
const sizeMax = 4 << 20

// row is one node on disk. Times are Unix seconds, 0 = never.
type row struct {
	ID       string `json:"id"`
	Address  string `json:"address,omitempty"`
	LastUp   int64  `json:"last_up,omitempty"`
	Failures int    `json:"failures,omitempty"`
	Bans     int    `json:"bans,omitempty"`
	Banned   int64  `json:"banned_until,omitempty"`
}

// Encode gives the book's bytes: the nodes worth remembering, in the order of their identities.
func (b *Book) Encode() []byte {
	rows := []row{}
	for _, e := range b.sorted() {
		if !e.address.IsValid() && e.bans == 0 {
			continue
		}
		r := row{ID: e.id.String(), Failures: e.failures, Bans: e.bans, LastUp: seconds(e.lastUp), Banned: seconds(e.banned)}
		if e.address.IsValid() {
			r.Address = e.address.String()
		}
		rows = append(rows, r)
	}
	body, err := json.MarshalIndent(rows, "", " ")
	if err != nil {
		panic(err) // strings and integers always encode
	}
	return sealed(body)
}

// sealed puts the first line before a body.
func sealed(body []byte) []byte {
	digest := sha256.Sum256(body)
	return append([]byte(title+hex.EncodeToString(digest[:])+"\n"), body...)
}

func seconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

func instant(s int64) time.Time {
	if s == 0 {
		return time.Time{}
	}
	return time.Unix(s, 0)
}

// Decode adds the nodes of an encoded book to b, which keeps its persistent peers and its size. On an error b is unchanged.
func (b *Book) Decode(data []byte) error {
	if len(data) > sizeMax {
		return fmt.Errorf("%w: %d bytes", ErrCorrupt, len(data))
	}
	if v, ok := VersionOf(data); ok && v != Version {
		return fmt.Errorf("%w: it has format %d, this program reads format %d", ErrCorrupt, v, Version)
	}
	head, body, ok := bytes.Cut(data, []byte("\n"))
	digest := sha256.Sum256(body)
	if !ok || string(head) != title+hex.EncodeToString(digest[:]) {
		return fmt.Errorf("%w: its digest is another", ErrCorrupt)
	}
	var rows []row
	d := json.NewDecoder(bytes.NewReader(body))
	d.DisallowUnknownFields()
	if err := d.Decode(&rows); err != nil {
		return fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than one list", ErrCorrupt)
	}
	read := make([]*entry, len(rows))
	for i, r := range rows {
		e, err := r.entry()
		if err != nil {
			return err
		}
		read[i] = e
	}
	for _, e := range read {
		b.restore(e)
	}
	return nil
}

func (r row) entry() (*entry, error) {
	id, err := transport.ParseID(r.ID)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	e := &entry{id: id, lastUp: instant(r.LastUp), failures: r.Failures, bans: r.Bans, banned: instant(r.Banned)}
	if r.Address != "" {
		if e.address, err = netip.ParseAddrPort(r.Address); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
		}
	}
	if r.Failures < 0 || r.Bans < 0 {
		return nil, fmt.Errorf("%w: negative count", ErrCorrupt)
	}
	return e, nil
}

func (b *Book) restore(e *entry) {
	if e.id == b.config.Self || e.id.IsZero() {
		return
	}
	if known := b.entries[e.id]; known != nil {
		known.bans, known.banned = e.bans, e.banned
		return
	}
	if len(b.entries) < b.config.Entries {
		b.entries[e.id] = e
	}
}

// File keeps a book's bytes under a path.
type File struct{ Path string }

// Load reads the file into b. A file that is missing is an empty one. A corrupt one is renamed to Path.corrupt, and the error is
// ErrCorrupt: the book is then as it was.
func (f File) Load(b *Book) error {
	file, err := os.Open(f.Path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	data, err := io.ReadAll(io.LimitReader(file, sizeMax+1))
	_ = file.Close()
	if err != nil {
		return err
	}
	if err = b.Decode(data); err != nil {
		return errors.Join(err, os.Rename(f.Path, f.Path+".corrupt"))
	}
	return nil
}

// Save replaces the file as a whole, durably.
func (f File) Save(data []byte) error {
	temporary := f.Path + ".tmp"
	file, err := os.OpenFile(temporary, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(err, os.Remove(temporary))
	}
	if err = os.Rename(temporary, f.Path); err != nil {
		return err
	}
	directory, err := os.Open(filepath.Dir(f.Path))
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}
