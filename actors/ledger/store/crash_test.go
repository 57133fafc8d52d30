package store

import (
	"bytes"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// history is a recorded run: the disk, and what its user knew when.
type history struct {
	*chain
	options      Options
	disk         *disk.Memory
	acknowledged []int64 // clock when block i was acknowledged
	images       []savedImage
}

// savedImage is the checkpoint file as it was from an instant on.
type savedImage struct {
	from int64
	data []byte
}

// record runs a workload of n blocks. With a directory for the checkpoint file it
// checkpoints every few blocks.
func record(t *testing.T, seed int64, n int, o Options, dir string) *history {
	h := &history{chain: newChain(t, seed), options: o, disk: disk.NewMemory()}
	h.disk.Record = true
	path := ""
	if dir != "" {
		path = filepath.Join(dir, "checkpoint")
	}
	s, err := OpenDisk(h.disk, path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for i := range n {
		if err := h.grow(s); err != nil {
			t.Fatal(err)
		}
		h.acknowledged = append(h.acknowledged, h.disk.Clock())
		if dir != "" && i%7 == 4 {
			from := h.disk.Clock()
			if err := s.Checkpoint(); err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			h.images = append(h.images, savedImage{from, data})
		}
	}
	return h
}

// recordGroups runs a workload of n blocks that come in groups.
func recordGroups(t *testing.T, seed int64, n int, o Options) *history {
	h := &history{chain: newChain(t, seed), options: o, disk: disk.NewMemory()}
	h.disk.Record = true
	s, err := OpenDisk(h.disk, "", o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for len(h.blocks) < n {
		base := s.Head().State()
		var list []*Record
		for range 1 + h.r.Intn(5) {
			r := h.next(base)
			h.accept(r)
			base, list = r.Commit, append(list, &r)
		}
		if err := s.Append(list...); err != nil {
			t.Fatal(err)
		}
		for range list {
			h.acknowledged = append(h.acknowledged, h.disk.Clock())
		}
	}
	return h
}

// underWay gives how many blocks may be there at most after a crash when so many
// were acknowledged: those that were being written are acknowledged together.
func (h *history) underWay(known int) int {
	end := known
	for end < len(h.acknowledged) && h.acknowledged[end] == h.acknowledged[known] {
		end++
	}
	return end
}

// reopen opens what a crash left and checks that exactly the acknowledged blocks
// are there, or first ones of those that were being written.
func (h *history) reopen(instant int64, d *disk.Memory, image string) {
	h.t.Helper()
	s, err := OpenDisk(d, image, h.options)
	if err != nil {
		h.t.Fatalf("crash at %d: %v", instant, err)
	}
	defer s.Close()
	known := 0
	for known < len(h.acknowledged) && h.acknowledged[known] <= instant {
		known++
	}
	got := int(s.Head().Blocks())
	if got < known || got > h.underWay(known) {
		h.t.Fatalf("crash at %d: %d blocks, %d were acknowledged", instant, got, known)
	}
	h.check(s, got)
	// And the chain goes on from there.
	for i := got; i < min(got+2, len(h.blocks)); i++ {
		if err := s.Append(&h.blocks[i].record); err != nil {
			h.t.Fatalf("crash at %d, block %d after it: %v", instant, i, err)
		}
	}
}

// crashes gives what may be left of a disk: everything, as after a kill; only
// what was synced; and random parts of what was not.
func (h *history) crashes(instant int64) []*disk.Memory {
	past := h.disk.Until(instant)
	return []*disk.Memory{
		past.Crash(nil),
		past.Crash(func(string, int) int { return 0 }),
		past.Crash(func(_ string, n int) int { return h.r.Intn(n + 1) }),
		past.Crash(func(_ string, n int) int { return n * h.r.Intn(2) }),
	}
}

// Whatever instant a machine stops at, and whatever it loses of what was not
// synced, opening gives the last acknowledged block or the one in flight.
//
// Spec: WP "Storage and State Persistence"; commonware §5.10.
func TestCrashAtEveryByte(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 1500
	h := record(t, 1, 7, o, "")
	step := int64(1)
	if testing.Short() {
		step = 17
	}
	for instant := int64(0); instant <= h.disk.Clock(); instant += step {
		for _, d := range h.crashes(instant) {
			h.reopen(instant, d, "")
		}
	}
}

// The same for blocks that share a sync: of a group that nobody was told of,
// first blocks may be there, whatever later ones left behind them.
//
// Spec: WP "Storage and State Persistence"; commonware §5.10.
func TestCrashInGroups(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 3000
	h := recordGroups(t, 9, 12, o)
	step := int64(5)
	if testing.Short() {
		step = 37
	}
	for instant := int64(0); instant <= h.disk.Clock(); instant += step {
		for _, d := range h.crashes(instant) {
			h.reopen(instant, d, "")
		}
		h.reopen(instant, h.holed(instant), "")
	}
}

// holed gives what a crash leaves that lost a stretch in the middle of what was
// not synced of the log, as a machine may that writes pages out of order.
func (h *history) holed(instant int64) *disk.Memory {
	h.t.Helper()
	past := h.disk.Until(instant)
	whole, synced := past.Crash(func(_ string, n int) int { return n }), past.Crash(func(string, int) int { return 0 })
	names, err := whole.List()
	if err != nil {
		h.t.Fatal(err)
	}
	for _, name := range names {
		if !strings.HasPrefix(name, segmentPrefix) {
			continue
		}
		f, err := synced.Open(name)
		if err != nil {
			h.t.Fatal(err)
		}
		size, err := f.Size()
		if err != nil {
			h.t.Fatal(err)
		}
		whole.Edit(name, func(data []byte) []byte {
			if n := len(data) - int(size); n > 2 {
				from := int(size) + h.r.Intn(n-1)
				clear(data[from : from+1+h.r.Intn(len(data)-from)])
			}
			return data
		})
	}
	return whole
}

// The same with checkpoints and segments that give their operations back.
//
// Spec: commonware §5.7, §5.10.
func TestCrashAroundCheckpoints(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 4000
	h := record(t, 2, 80, o, t.TempDir())
	var instants []int64
	for _, image := range h.images {
		instants = append(instants, image.from, image.from+1)
	}
	for range 60 {
		instants = append(instants, h.r.Int63n(h.disk.Clock()+1))
	}
	if hollow := h.hollowInstants(); len(hollow) == 0 {
		t.Fatal("no segment gave its operations back")
	} else {
		instants = append(instants, hollow...)
	}
	path := filepath.Join(t.TempDir(), "checkpoint")
	for _, instant := range instants {
		for _, d := range h.crashes(instant) {
			var data []byte
			for _, image := range h.images {
				if image.from < instant || image.from == instant && h.r.Intn(2) == 0 {
					data = image.data
				}
			}
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
			if data != nil {
				if err := os.WriteFile(path, data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			h.reopen(instant, d, path)
		}
	}
}

// hollowInstants gives instants at which a segment was being rewritten: those
// shortly after a checkpoint was saved.
func (h *history) hollowInstants() (out []int64) {
	for i, image := range h.images {
		end := h.acknowledged[min(7*i+5, len(h.acknowledged)-1)]
		if next := h.disk.Until(end); next.Clock() > image.from+2000 {
			for range 4 {
				out = append(out, image.from+h.r.Int63n(2000))
			}
		}
	}
	return out
}

// Any changed byte of an acknowledged log is named, and so is a log that was cut.
//
// Spec: WP "Storage and State Persistence"; ARCHITECTURE "State and disk".
func TestDamageIsNamed(t *testing.T) {
	o := testOptions()
	o.SegmentSize = 1500
	h := record(t, 3, 6, o, "")
	whole := h.disk.Crash(nil)
	names, err := whole.List()
	if err != nil {
		t.Fatal(err)
	}
	segments := 0
	for _, name := range names {
		f, err := whole.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		size, err := f.Size()
		if err != nil {
			t.Fatal(err)
		}
		if name == acknowledgedName {
			continue
		}
		segments++
		for at := range size {
			d := whole.Crash(nil)
			d.Edit(name, func(data []byte) []byte { data[at] ^= 1 << h.r.Intn(8); return data })
			h.refused(d, name, at)
			d = whole.Crash(nil)
			d.Edit(name, func(data []byte) []byte { return data[:at] })
			h.refused(d, name, at)
		}
	}
	if segments < 3 {
		t.Errorf("%d segments", segments)
	}
	// A damaged note of what was acknowledged takes nothing away.
	whole.Edit(acknowledgedName, func(data []byte) []byte { return data[:3] })
	s, err := OpenDisk(whole, "", o)
	if err != nil {
		t.Fatal(err)
	}
	h.check(s, 6)
}

func (h *history) refused(d *disk.Memory, name string, at int64) {
	h.t.Helper()
	s, err := OpenDisk(d, "", h.options)
	var corrupt *CorruptError
	if err == nil {
		h.t.Fatalf("%s damaged at %d: opens with %d blocks", name, at, s.Head().Blocks())
	}
	if !errors.As(err, &corrupt) {
		h.t.Fatalf("%s damaged at %d: %v", name, at, err)
	}
}

// A damaged checkpoint either does not matter or is named.
func TestDamagedCheckpoint(t *testing.T) {
	o := testOptions()
	dir := t.TempDir()
	h := record(t, 4, 40, o, dir)
	good := h.images[len(h.images)-1].data
	path := filepath.Join(dir, "checkpoint")
	named := 0
	for i := range 150 {
		data := bytes.Clone(good)
		if i%10 == 9 {
			data = data[:h.r.Intn(len(data))]
		} else {
			data[h.r.Intn(len(data))] ^= byte(1 + h.r.Intn(255))
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		s, err := OpenDisk(h.disk.Crash(nil), path, o)
		if err != nil {
			var corrupt *CorruptError
			var foreign *ForeignError
			if !errors.As(err, &corrupt) && !errors.As(err, &foreign) {
				t.Fatalf("%d: %v", i, err)
			}
			named++
			continue
		}
		h.checkState(s.Head().State(), len(h.blocks)-1)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if named == 0 {
		t.Error("no damage was found")
	}
}

// A failed sync stops the store for good, and opening again gives a clean chain.
func TestFailedSync(t *testing.T) {
	o := testOptions()
	for fail := range 12 {
		d, c, syncs := disk.NewMemory(), newChain(t, 5), 0
		d.FailSync = func(string) bool { syncs++; return syncs == fail+1 }
		s, err := OpenDisk(d, "", o)
		if err != nil {
			if !errors.Is(err, disk.ErrInjected) {
				t.Fatal(err)
			}
			continue
		}
		for err == nil && len(c.blocks) < 20 {
			err = c.grow(s)
		}
		if !errors.Is(err, ErrPoisoned) || !errors.Is(err, disk.ErrInjected) {
			t.Fatalf("sync %d: %v", fail, err)
		}
		n := len(c.blocks)
		if err := s.Append(&Record{Commit: s.Head().State()}); !errors.Is(err, ErrPoisoned) {
			t.Fatalf("append after a failed sync: %v", err)
		}
		if n > 0 {
			if _, err := s.Head().Block(unit.Height(0)); !errors.Is(err, ErrPoisoned) {
				t.Fatalf("read after a failed sync: %v", err)
			}
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		d.FailSync = nil
		s, err = OpenDisk(d.Crash(func(string, int) int { return 0 }), "", o)
		if err != nil {
			t.Fatal(err)
		}
		c.check(s, n)
	}
}

// A full disk is told apart, and nothing acknowledged is lost.
func TestFullDisk(t *testing.T) {
	o := testOptions()
	r := rand.New(rand.NewSource(1))
	for range 30 {
		d, c := disk.NewMemory(), newChain(t, 6)
		d.Capacity = 1000 + r.Int63n(8000)
		s, err := OpenDisk(d, "", o)
		if err != nil {
			t.Fatal(err)
		}
		for err == nil {
			err = c.grow(s)
		}
		if !errors.Is(err, disk.ErrFull) || !errors.Is(err, ErrPoisoned) {
			t.Fatalf("capacity %d: %v", d.Capacity, err)
		}
		next := d.Crash(nil)
		next.Capacity = 0
		s, err = OpenDisk(next, "", o)
		if err != nil {
			t.Fatal(err)
		}
		c.check(s, len(c.blocks))
	}
}

// A log of any bytes is opened or refused by a typed error, without a panic and
// without memory beyond its size.
func FuzzLog(f *testing.F) {
	o := testOptions()
	seed := disk.NewMemory()
	s, err := OpenDisk(seed, "", o)
	if err != nil {
		f.Fatal(err)
	}
	c := newChain(f, 8)
	for range 3 {
		if err := c.grow(s); err != nil {
			f.Fatal(err)
		}
	}
	seed.Edit(segmentName(0), func(data []byte) []byte {
		f.Add(data[segmentHeader:])
		return data
	})
	f.Fuzz(func(t *testing.T, log []byte) {
		d := disk.NewMemory()
		file, err := d.Create(segmentName(0))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.WriteAt(append(encodeSegmentHeader(testIdentity, 0), log...), 0); err != nil {
			t.Fatal(err)
		}
		s, err := OpenDisk(d, "", o)
		var corrupt *CorruptError
		switch {
		case errors.As(err, &corrupt):
		case err != nil:
			t.Fatal(err)
		default:
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
		}
	})
}
