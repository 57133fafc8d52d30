package store

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// A chunk is taken back by the draft it came for alone, once it has come, and only while nobody else counts on it: no other bringer, nobody who asked, no
// table. What was here before is nobody's.
//
// Spec: storage-cbfs §3.3 (DeleteShard).
func TestWhoseAChunkIs(t *testing.T) {
	mine, theirs := new(int), new(int)
	me, again, other := Bringer{mine, [32]byte{1}}, Bringer{mine, [32]byte{2}}, Bringer{theirs, [32]byte{1}}
	type putter func(by Bringer) digest.Hash
	absent := func(s *Store, put putter) digest.Hash { // the root of the chunk, of which nobody is known
		root := put(me)
		if err := s.TakeBack(root, mine); err != nil {
			t.Error(err)
		}
		return root
	}
	cases := map[string]struct {
		before func(s *Store, put putter)
		draft  any
		want   error
	}{
		"it was brought":        {func(_ *Store, put putter) { put(me) }, mine, nil},
		"brought twice":         {func(_ *Store, put putter) { put(me); put(me) }, mine, nil},
		"for another draft":     {func(_ *Store, put putter) { put(me) }, theirs, ErrKept},
		"another one brings it": {func(_ *Store, put putter) { put(me); put(other) }, mine, ErrKept},
		"and the first, again":  {func(_ *Store, put putter) { put(me); put(other); put(me) }, mine, ErrKept},
		"of another connection": {func(_ *Store, put putter) { put(me); put(again) }, mine, ErrKept},
		"the bringer asks":      {func(s *Store, put putter) { s.Asked(put(me), me) }, mine, nil},
		"another one asks":      {func(s *Store, put putter) { s.Asked(put(me), other) }, mine, ErrKept},
		"a table names it": {func(s *Store, put putter) {
			if _, err := s.Sync([]digest.Hash{put(me)}); err != nil {
				t.Error(err)
			}
		}, mine, ErrKept},
		"it was made here": {func(s *Store, put putter) {
			if _, err := s.Keep(absent(s, put), []byte("it was made here")); err != nil {
				t.Error(err)
			}
			put(me)
		}, mine, ErrKept},
		"it has not come yet": {func(s *Store, put putter) {
			root := put(me)
			s.relied([]digest.Hash{root})()
			s.begun(root, me) // what is here may be anybody's
		}, mine, ErrKept},
		"two bring it at once": {func(s *Store, put putter) {
			root := put(me)
			s.relied([]digest.Hash{root})()
			s.begun(root, me)
			s.begun(root, other)
			s.came(root, me, true)
		}, mine, ErrKept},
		"it comes while a table names it": {func(s *Store, put putter) {
			root := put(me)
			s.relied([]digest.Hash{root})()
			s.begun(root, me)
			s.relied([]digest.Hash{root})()
			s.came(root, me, true)
		}, mine, ErrKept},
	}
	everywhere(t, func(t *testing.T, g *ground) {
		s := open(t, g, 10_000)
		for name, one := range cases {
			t.Run(name, func(t *testing.T) {
				data, before := []byte(name), s.Usage().Bytes
				one.before(s, func(by Bringer) digest.Hash {
					root, _, err := s.Put(data, by)
					if err != nil {
						t.Error(err)
					}
					return root
				})
				root := cbfs.ChunkRoot(data)
				if err := s.TakeBack(root, one.draft); !errors.Is(err, one.want) || s.Has(root) != (one.want != nil) {
					t.Errorf("%v, want %v", err, one.want)
				}
				if one.want != nil {
					return
				}
				if err := s.TakeBack(root, one.draft); !errors.Is(err, ErrMissing) || s.Usage().Bytes != before {
					t.Errorf("once more: %v, %+v", err, s.Usage())
				}
			})
		}
	})
}

// during is a place in which something happens before files are made durable, and after it.
type during struct {
	place
	before, after func()
}

func (d *during) settle(names []string) ([]bool, error) {
	d.before()
	defer d.after()
	return d.place.settle(names)
}

// What comes while a table that names it is taken is nobody's: whoever is told that it is here counts on it. What comes afterwards is whose it is.
//
// Spec: storage-cbfs §3.3 (PutPlacement, DeleteShard).
func TestBroughtWhileItIsNamed(t *testing.T) {
	mine := new(int)
	put := func(t *testing.T, s *Store, data []byte) {
		t.Helper()
		if _, _, err := s.Put(data, Bringer{Draft: mine}); err != nil {
			t.Error(err)
		}
	}
	back := func(t *testing.T, s *Store, data []byte, want error) {
		t.Helper()
		if err := s.TakeBack(cbfs.ChunkRoot(data), mine); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	everywhere(t, func(t *testing.T, g *ground) {
		for name, gone := range map[string]bool{"it was never here": false, "it was here and was taken back": true} {
			t.Run(name, func(t *testing.T) {
				s := open(t, g, 10_000)
				data, other := []byte(name), []byte("what comes late, where "+name)
				if gone {
					put(t, s, data)
					back(t, s, data, nil)
				}
				inner := s.place
				s.place = &during{inner, func() { put(t, s, data) }, func() { back(t, s, data, ErrKept) }}
				missing, err := s.Sync([]digest.Hash{cbfs.ChunkRoot(data), cbfs.ChunkRoot(other), cbfs.ChunkRoot(data)})
				if err != nil || len(missing) != 1 || missing[0] != cbfs.ChunkRoot(other) {
					t.Error(missing, err)
				}
				back(t, s, data, ErrKept)
				put(t, s, other)
				back(t, s, other, nil)
				if len(s.syncing) != 0 || !s.Has(cbfs.ChunkRoot(data)) {
					t.Error("the chunk of the table went")
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
	})
}
