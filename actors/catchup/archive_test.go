package catchup

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// id is the identity of an origin's chain.
func (o *origin) id() store.Identity {
	o.t.Helper()
	b, err := o.store.Block(0)
	if err != nil {
		o.t.Fatal(err)
	}
	return store.Identity{ChainID: o.spec.ChainID, Genesis: b.Hash()}
}

// exported is the file of an origin's newest state.
func (o *origin) exported() []byte {
	o.t.Helper()
	var file bytes.Buffer
	if _, err := Export(&file, o.id(), o.store, o.store.Header().Height, o.store.State(), nil); err != nil {
		o.t.Fatal(err)
	}
	return file.Bytes()
}

// cuts are the places between the frames of a file: the first is the end of its mark.
func cuts(t testing.TB, file []byte) []int {
	t.Helper()
	list := []int{len(Archive.Mark(Archive.Now))}
	for at := list[0]; at < len(file); {
		n := int(file[at])<<24 | int(file[at+1])<<16 | int(file[at+2])<<8 | int(file[at+3])
		at += archiveHeader + n
		list = append(list, at)
	}
	return list
}

// framed is a file of payloads, as its writer would write them.
func framed(payloads ...[]byte) []byte {
	var file bytes.Buffer
	file.Write(Archive.Mark(Archive.Now))
	a := newArchiveWriter(&file)
	for _, p := range payloads {
		a.put(p)
	}
	_ = a.to.Flush()
	return file.Bytes()
}

// What is exported is imported into an empty node: the same root, and the chain goes on from there; a node that is as far refuses it.
//
// Spec: commonware §5.7.
func TestArchive(t *testing.T) {
	o := newOrigin(t, 2_000)
	o.grow(30, 300, 3_000)
	file := o.exported()
	if n := len(cuts(t, file)); n < 6 {
		t.Fatalf("%d frames are too few to tell anything", n)
	}
	d := disk.NewMemory()
	l := empty(t, o, d)
	var last uint64
	s, err := Import(bytes.NewReader(file), "f", o.id(), l, nil, func(done, all uint64) {
		if done <= last || done > all {
			t.Errorf("%d of %d after %d", done, all, last)
		}
		last = done
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.Height != 30 || s.Operations != last || l.State().Root() != o.store.State().Root() || l.Header().Hash() != o.store.Header().Hash() || l.First() != 30 {
		t.Errorf("%+v, root %v of block %d", s, l.State().Root(), l.Header().Height)
	}
	if _, err := Import(bytes.NewReader(file), "f", o.id(), l, nil, nil); !errors.Is(err, ErrNotAhead) {
		t.Errorf("a second time: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	l = empty(t, o, d.Crash(nil))
	defer l.Close()
	if l.State().Root() != o.store.State().Root() {
		t.Error("opened again it is another state")
	}
	o.store = l
	o.grow(3, 5, 100)
	if l.Header().Height != 33 {
		t.Errorf("block %d", l.Header().Height)
	}
}

// An import that a crash ends at any frame leaves the chain as it was, and goes on where it stopped.
func TestArchiveResumes(t *testing.T) {
	o := newOrigin(t, 2_000)
	o.grow(20, 300, 2_500)
	file := o.exported()
	d := disk.NewMemory()
	before := digest.Hash{}
	for i, at := range cuts(t, file)[1:] {
		l := empty(t, o, d)
		if before == (digest.Hash{}) {
			before = l.State().Root()
		}
		whole := at == len(file)
		_, err := Import(bytes.NewReader(file[:at]), "f", o.id(), l, nil, nil)
		var bad *ArchiveError
		if whole != (err == nil) || !whole && !errors.As(err, &bad) {
			t.Fatalf("cut behind frame %d: %v", i, err)
		}
		if (l.State().Root() == before) == whole {
			t.Errorf("cut behind frame %d: root %v", i, l.State().Root())
		}
		if whole && l.State().Root() != o.store.State().Root() {
			t.Error("another root")
		}
		_ = l.Close()
		d = d.Crash(nil)
	}
}

// What is damaged is told with its place, and nothing is replaced.
func TestArchiveDamaged(t *testing.T) {
	o := newOrigin(t, 100)
	o.grow(12, 40, 200)
	file := o.exported()
	places := cuts(t, file)
	l := empty(t, o, disk.NewMemory())
	defer l.Close()
	root := l.State().Root()
	refused := func(name string, file []byte) {
		t.Run(name, func(t *testing.T) {
			_, err := Import(bytes.NewReader(file), "f", o.id(), l, nil, nil)
			var bad *ArchiveError
			var other *format.Error
			if !errors.As(err, &bad) && !errors.As(err, &other) {
				t.Errorf("%v", err)
			}
			if l.State().Root() != root || l.Header().Height != 0 {
				t.Fatal("the chain was replaced")
			}
		})
	}
	for at := 0; at < len(file); at += 1 + len(file)/97 {
		spoiled := slices.Clone(file)
		spoiled[at] ^= 0x10
		refused(fmt.Sprintf("byte %d", at), spoiled)
	}
	for _, at := range []int{0, 5, places[0], places[1] + 3, places[2], len(file) - 1} {
		refused(fmt.Sprintf("cut at %d", at), file[:at])
	}
	refused("something behind it", append(slices.Clone(file), 0))
	refused("a later format", append(Archive.Mark(2), file[places[0]:]...))
	refused("the last frame but one is missing", append(slices.Clone(file[:places[len(places)-3]]), file[places[len(places)-2]:]...))
}

// A file whose checksums are right and whose words are lies: each is refused by what it does not prove.
//
// Spec: WP §6.1; commonware §3.8, §5.6, §5.7.
func TestArchiveLies(t *testing.T) {
	o := newOrigin(t, 100)
	o.grow(12, 40, 200)
	file := o.exported()
	places := cuts(t, file)
	var frames [][]byte
	for i, at := range places[1:] {
		frames = append(frames, file[places[i]+archiveHeader:at])
	}
	l := empty(t, o, disk.NewMemory())
	defer l.Close()
	root := l.State().Root()
	changed := func(i int, change func([]byte) []byte) []byte {
		list := slices.Clone(frames)
		list[i] = change(slices.Clone(list[i]))
		return framed(list...)
	}
	named := func(change func(*pivotAnswer)) []byte {
		return changed(1, func(raw []byte) []byte {
			r := codec.NewReader(raw)
			r.U8()
			a := readPivotAnswer(r)
			change(a)
			return a.encode()
		})
	}
	for name, lie := range map[string][]byte{
		"another chain":    changed(0, func(b []byte) []byte { b[0] ^= 3; return b }),
		"another genesis":  changed(0, func(b []byte) []byte { b[9] ^= 3; return b }),
		"no end":           framed(frames[:len(frames)-1]...),
		"no state":         framed(frames[0], codec.AppendUint([]byte{tagArchiveEnd}, 1)),
		"two states":       framed(slices.Insert(slices.Clone(frames), 2, frames[1])...),
		"no first chunk":   framed(slices.Delete(slices.Clone(frames), 2, 3)...),
		"a chunk again":    framed(slices.Insert(slices.Clone(frames), 3, frames[2])...),
		"an unknown frame": framed(slices.Insert(slices.Clone(frames), 2, []byte{0x42})...),
		"an operation":     changed(2, func(b []byte) []byte { b[len(b)/3] ^= 1; return b }),
		"a signature":      named(func(a *pivotAnswer) { a.finalization.Aggregate[7] ^= 1 }),
		"too few signers": named(func(a *pivotAnswer) {
			a.finalization.Signers = sig.NewSigners(4)
			a.finalization.Signers.Add(1)
			a.finalization.Signers.Add(2)
		}),
		"another block": named(func(a *pivotAnswer) {
			b, err := o.store.Block(3)
			if err != nil {
				t.Fatal(err)
			}
			a.block = b.Encode()
		}),
		"another state": named(func(a *pivotAnswer) {
			c, err := o.store.At(5)
			if err != nil {
				t.Fatal(err)
			}
			if a.target, err = c.Target(); err != nil {
				t.Fatal(err)
			}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Import(bytes.NewReader(lie), "f", o.id(), l, nil, nil)
			var bad *ArchiveError
			if !errors.As(err, &bad) {
				t.Errorf("%v", err)
			}
			if l.State().Root() != root || l.Header().Height != 0 {
				t.Fatal("the chain was replaced")
			}
		})
	}
	if _, err := Import(bytes.NewReader(file), "f", o.id(), l, nil, nil); err != nil {
		t.Errorf("the true one, after all of them: %v", err)
	}
}

// A chain whose end nothing proves is not exported.
func TestArchiveOfNothing(t *testing.T) {
	o := newOrigin(t, 100)
	if _, err := Export(&bytes.Buffer{}, o.id(), o.store, 0, o.store.State(), nil); !errors.Is(err, ErrNoSnapshot) {
		t.Error(err)
	}
}

var _ Source = (*ledger.Disk)(nil)

// The form of the file, by hand: its mark, the frame of the chain, the frames as peers send them, and the end with their number.
func TestArchiveForm(t *testing.T) {
	o := newOrigin(t, 10)
	o.grow(3, 4, 10)
	file, id := o.exported(), o.id()
	rest, ok := bytes.CutPrefix(file, []byte("cowboy-snapshot 1\n"))
	if !ok {
		t.Fatalf("%q", file[:32])
	}
	take := func() []byte {
		n, sum := binary.BigEndian.Uint32(rest), binary.BigEndian.Uint32(rest[4:])
		payload := rest[8 : 8+n]
		if crc32.Checksum(payload, crc32.MakeTable(crc32.Castagnoli)) != sum {
			t.Errorf("frame %x has another checksum", payload[:1])
		}
		rest = rest[8+n:]
		return payload
	}
	if chain := take(); !bytes.Equal(chain, append([]byte{1}, id.Genesis[:]...)) {
		t.Errorf("chain 1 is %x", chain)
	}
	if named := take(); named[0] != 5 || named[1] != 1 {
		t.Errorf("the state's name begins with %x", named[:2])
	}
	if chunk := take(); chunk[0] != 7 || chunk[1] != 2 {
		t.Errorf("the chunk begins with %x", chunk[:2])
	}
	if end := take(); !bytes.Equal(end, []byte{0xff, 3}) || len(rest) > 0 {
		t.Errorf("the end is %x, and %d bytes follow", end, len(rest))
	}
}
