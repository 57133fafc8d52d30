package volume

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/actors/relay/protocol"
	"github.com/cowboyinc/cowboy-go/actors/volume/page"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Bounds of what the pages of a manifest take beside records.
const (
	refNumbers  = 32 // more than the numbers of a reference take, and the length of its path
	looseRecord = 32 // more than a record is counted with beyond what it takes, and than naming the free number of its page takes
	looseStripe = 12 // and for each stripe: its number, and naming it where it becomes free
	looseFirst  = 64 // more than the numbers in the first page grow by
)

// Size is what an entry takes of a volume: the bytes of a file as they lie on relays, and its record in a page.
type Size struct {
	bytes, record uint64 // at most
	loose         uint64 // how much less it may take, and leave behind once another entry takes its place
}

func (s Size) total() uint64 { return s.bytes + s.record }

// Least gives the one of two sizes that takes less.
func (s Size) Least(other Size) Size {
	if other.total() < s.total() {
		return other
	}
	return s
}

// SizeOf tells what an entry takes.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.1 (commit_manifest).
func (s *Snapshot) SizeOf(e *cbfs.Entry) Size {
	r, size := page.Record{Entry: *e}, Size{}
	if e.Kind == cbfs.File {
		size.bytes = e.Object.CiphertextSize
		r.Stripes = make([]protocol.Numbered, s.shape().Count(size.bytes))
	}
	size.record = uint64(r.Size(s.shape()))
	size.loose = looseRecord + looseStripe*uint64(len(r.Stripes))
	return size
}

// Measure tells what the entry of a change takes once it is committed.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.1 (commit_manifest).
func (s *Snapshot) Measure(c *Change) Size {
	e := cbfs.Entry{Path: c.Path, Kind: c.Kind, Target: c.Target}
	if c.Kind == cbfs.File {
		e.Object = &cbfs.Object{Path: c.Path, CiphertextSize: c.Size, ShardHashes: make([]digest.Hash, s.shape().Slots())}
		if s.Volume.Private {
			e.Object.CiphertextSize += overhead
		}
	}
	return s.SizeOf(&e)
}

// Tally counts how many bytes a volume grows by at most once changes are committed together, as the chain counts it: by files, by their records, and by the
// pages that these make anew. It reads nothing. Whoever has it keeps others from it.
type Tally struct {
	snapshot *Snapshot
	there    uint64 // bytes of the records in the first page
	changes  map[string]tallied
	sum      uint64
	records  uint64         // bytes of the records of the changes
	grows    int            // changes whose records grow
	pages    map[int]int    // that these are put into, by place: how many are
	folders  map[string]int // that are above what is new, and may have no entry: above how much
	above    uint64         // bytes of their records
}

// tallied is what one change counts.
type tallied struct {
	bytes, records uint64
	grows, new     bool
}

// Tally gives one of no changes to the snapshot.
func (s *Snapshot) Tally() *Tally {
	t := &Tally{changes: map[string]tallied{}}
	t.Move(s)
	return t
}

// Move has the same changes made to another snapshot of the volume.
func (t *Tally) Move(s *Snapshot) {
	t.snapshot, t.there, t.pages, t.folders = s, 0, map[int]int{}, map[string]int{}
	t.above = 0
	if s.tree.whole() {
		for _, l := range s.tree.leaves {
			t.there += uint64(s.sizeOf(l.held))
		}
	}
	for path, one := range t.changes { // order-free: a sum for each page and folder
		t.place(path, one, 1)
	}
}

// Set counts a change that makes an entry of one size where there is one of another, or none, whose size is zero.
func (t *Tally) Set(path string, now, before Size) {
	t.Drop(path)
	least := before.total() - min(before.total(), before.loose)
	one := tallied{bytes: now.total() - min(now.total(), least), records: now.record + before.loose, grows: now.record > before.record, new: before.record == 0}
	if one.grows {
		one.bytes += t.spread(now.record - before.record)
		t.grows++
	}
	t.changes[path] = one
	t.sum, t.records = t.sum+one.bytes, t.records+one.records
	t.place(path, one, 1)
}

// Drop counts a change no more.
func (t *Tally) Drop(path string) {
	one, there := t.changes[path]
	if !there {
		return
	}
	delete(t.changes, path)
	if t.sum, t.records = t.sum-one.bytes, t.records-one.records; one.grows {
		t.grows--
	}
	t.place(path, one, -1)
}

// place notes the pages that a change makes records of grow in, or takes the note back.
func (t *Tally) place(path string, one tallied, by int) {
	if one.grows {
		note(t.pages, t.snapshot.tree.place(path), by)
	}
	for at := strings.LastIndexByte(path, '/'); one.new && at > 0; at = strings.LastIndexByte(path[:at], '/') {
		known := len(t.folders)
		note(t.folders, path[:at], by)
		if len(t.folders) != known {
			size := t.snapshot.SizeOf(&cbfs.Entry{Path: path[:at], Kind: cbfs.Directory})
			t.above += uint64(by) * size.record // where by is less than zero, the product wraps around as it has to
		}
		note(t.pages, t.snapshot.tree.place(path[:at]), by)
	}
}

func note[K comparable](counts map[K]int, key K, by int) {
	if counts[key] += by; counts[key] == 0 {
		delete(counts, key)
	}
}

// Bytes is how many bytes the volume grows by at most.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.1 (commit_manifest).
func (t *Tally) Bytes() uint64 {
	if t.grows == 0 {
		return t.sum
	}
	s, sum := t.snapshot, t.sum+looseFirst+t.above+t.spread(t.above)
	one, biggest, fill := t.onePage()
	switch first := firstHeader + uint64(s.tree.first.Free.Size()) + t.there + t.records + t.above; {
	case !s.tree.whole():
		split := one + 2*biggest*one/fill // and the page beside it, which it may be joined with
		sum += uint64(len(t.pages)) * (split + 2*cbfs.MaxPathBytes + 2*looseRecord)
	case first > uint64(s.room()): // all records are shared out among pages
		sum += one + t.spread(t.there)
	}
	return sum
}

// onePage is what a page takes beside its records, how large a record may be, and how much a page has at least where there are more.
func (t *Tally) onePage() (one, biggest, fill uint64) {
	const most = page.Bytes - pageHeader
	shape := t.snapshot.shape()
	roots := uint64(digest.Size * shape.Slots())
	biggest = min(most/2, shape.Count(page.MaxFile)*(4+roots)+2*cbfs.MaxPathBytes+1<<10)
	return pageHeader + refNumbers + cbfs.MaxPathBytes + digest.Size + roots, biggest, most - biggest
}

// spread is what pages take in which there are so many bytes of records more.
func (t *Tally) spread(records uint64) uint64 {
	one, _, fill := t.onePage()
	return (records*one + fill - 1) / fill
}
