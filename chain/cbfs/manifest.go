package cbfs

import (
	"errors"
	"math/bits"

	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// NonceSize is the length of a nonce of AES-256-GCM.
const NonceSize = 12

// MaxManifest is how many entries a manifest has at most.
//
// Spec: storage-cbfs §8 (objects per volume).
const MaxManifest = 1_000_000

// EntryKind is what a path of a manifest leads to; its number is the tag.
type EntryKind uint32

// The kinds.
const (
	File EntryKind = iota
	Symlink
	Directory
)

// Object is the descriptor of a file's bytes.
//
// Spec: storage-cbfs §2.3.
type Object struct {
	Path           string
	WriteID        [WriteIDSize]byte
	ContentHash    digest.Hash // BLAKE3 of the plaintext
	CiphertextHash digest.Hash
	Nonce          [NonceSize]byte // zero in a public volume
	Size           uint64
	CiphertextSize uint64
	ShardID        digest.Hash
	K, M           uint8
	ShardHashes    []digest.Hash
}

// Entry is what a path leads to.
type Entry struct {
	Path   string
	Kind   EntryKind
	Object *Object // of a file
	Target string  // of a symlink
}

// ErrManifest reports entries that are no manifest: their paths do not ascend strictly, or one is no path.
var ErrManifest = errors.New("cbfs: the paths of a manifest ascend strictly, and are paths")

// Encode is the path and the entry, as bincode writes the pair. The path is hashed with its entry: else a directory could be moved without a trace.
//
// Spec: storage-cbfs §2.4.
func (e *Entry) Encode() []byte {
	var w Writer
	w.Text(e.Path)
	w.U32(uint32(e.Kind))
	switch e.Kind {
	case File:
		o := e.Object
		w.Text(o.Path)
		w.Fixed(o.WriteID[:])
		w.Fixed(o.ContentHash[:])
		w.Fixed(o.CiphertextHash[:])
		w.Fixed(o.Nonce[:])
		w.U64(o.Size)
		w.U64(o.CiphertextSize)
		w.Fixed(o.ShardID[:])
		w.U8(o.K)
		w.U8(o.M)
		w.U64(uint64(len(o.ShardHashes)))
		for _, h := range o.ShardHashes {
			w.Fixed(h[:])
		}
	case Symlink:
		w.Text(e.Target)
	}
	return w.out
}

// ManifestRoot is the root over entries in the order of their paths; that of none is the zero hash. Reject: ErrManifest.
//
// Spec: storage-cbfs §2.4.
func ManifestRoot(entries []Entry) (digest.Hash, error) {
	if len(entries) > MaxManifest {
		return digest.Hash{}, ErrManifest
	}
	leaves := make([]digest.Hash, len(entries))
	for i := range entries {
		if entries[i].Check() != nil || i > 0 && entries[i-1].Path >= entries[i].Path {
			return digest.Hash{}, ErrManifest
		}
		leaves[i] = entries[i].Leaf()
	}
	return padded(leaves), nil
}

// Check holds an entry by itself to its form: its path is one, a file's object says the same path, and what a link leads to is no longer than a path. Reject:
// ErrManifest.
//
// Spec: storage-cbfs §2.4.
func (e *Entry) Check() error {
	switch {
	case CheckPath(e.Path) != nil, e.Kind == File && (e.Object == nil || e.Object.Path != e.Path), e.Kind == Symlink && len(e.Target) > MaxPathBytes:
		return ErrManifest
	}
	return nil
}

// Leaf is the entry's leaf in the tree of a manifest.
//
// Spec: storage-cbfs §2.4.
func (e *Entry) Leaf() digest.Hash { return digest.Blake3(e.Encode()) }

// RootOfLeaves is ManifestRoot of entries whose leaves these are, in the order of their paths. It writes over none of them.
//
// Spec: storage-cbfs §2.4.
func RootOfLeaves(leaves []digest.Hash) digest.Hash { return padded(leaves) }

// padded is the root over leaves that zero hashes fill up to a power of two.
//
// Spec: storage-cbfs §2.4.
func padded(leaves []digest.Hash) digest.Hash {
	if len(leaves) == 0 {
		return digest.Hash{}
	}
	level := make([]digest.Hash, 1<<bits.Len(uint(len(leaves)-1)))
	copy(level, leaves)
	for len(level) > 1 {
		for i := range len(level) / 2 {
			level[i] = join(level[2*i], level[2*i+1])
		}
		level = level[:len(level)/2]
	}
	return level[0]
}

func join(left, right digest.Hash) digest.Hash { return digest.Blake3(left[:], right[:]) }

// DecodeEntry reads what Entry.Encode wrote. Reject: ErrForm.
func DecodeEntry(data []byte) (Entry, error) {
	r := &Reader{rest: data}
	e := r.entry()
	return e, r.Finish()
}

func (r *Reader) entry() (e Entry) {
	e.Path = r.Text(MaxPathBytes)
	switch e.Kind = EntryKind(r.U32()); e.Kind {
	case File:
		o := new(Object)
		o.Path = r.Text(MaxPathBytes)
		r.Into(o.WriteID[:])
		r.Into(o.ContentHash[:])
		r.Into(o.CiphertextHash[:])
		r.Into(o.Nonce[:])
		o.Size, o.CiphertextSize = r.U64(), r.U64()
		r.Into(o.ShardID[:])
		o.K, o.M = r.U8(), r.U8()
		n := r.U64()
		if n > uint64(len(r.rest)/digest.Size) {
			r.bad = true
			return e
		}
		o.ShardHashes = make([]digest.Hash, n)
		for i := range o.ShardHashes {
			r.Into(o.ShardHashes[i][:])
		}
		e.Object = o
	case Symlink:
		e.Target = r.Text(MaxPathBytes)
	case Directory:
	default:
		r.bad = true
	}
	return e
}
