package format

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

// sample is a kind of three versions: 2 has a mark, 3 every byte of the body twice.
func sample() *Kind {
	k := &Kind{Name: "sample", Files: []string{"sample"}, Now: 3}
	k.Read = k.Unmarked
	k.Steps = []Step{
		{"a mark", func(to io.Writer, old io.Reader) error {
			if _, err := to.Write(k.Mark(2)); err != nil {
				return err
			}
			_, err := io.Copy(to, old)
			return err
		}},
		{"every byte twice", func(to io.Writer, old io.Reader) error {
			all, err := io.ReadAll(old)
			if err != nil {
				return err
			}
			out := k.Mark(3)
			for _, b := range all[len(k.Mark(2)):] {
				out = append(out, b, b)
			}
			_, err = to.Write(out)
			return err
		}},
	}
	return k
}

func write(t *testing.T, d disk.Disk, name, text string) {
	t.Helper()
	f, err := d.Create(name)
	if err == nil {
		_, err = f.WriteAt([]byte(text), 0)
	}
	if err == nil {
		err = errors.Join(f.Sync(), f.Close(), d.Sync())
	}
	if err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, d disk.Disk, name string) string {
	t.Helper()
	f, err := d.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	size, err := f.Size()
	if err != nil {
		t.Fatal(err)
	}
	all := make([]byte, size)
	if n, err := f.ReadAt(all, 0); int64(n) != size {
		t.Fatal(err)
	}
	return string(all)
}

// A file climbs every step to the present version, and each is told once; the present version stays as it is.
func TestUpgradeClimbs(t *testing.T) {
	for name, x := range map[string]struct {
		text  string
		notes []Version // from
	}{
		"from 1": {"ab", []Version{1, 2}},
		"from 2": {"cowboy-sample 2\nab", []Version{2}},
		"from 3": {"cowboy-sample 3\naabb", nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			write(t, d, "f", x.text)
			var notes []Version
			for range 2 {
				if err := sample().Upgrade(d, "f", func(n Note) { notes = append(notes, n.From) }); err != nil {
					t.Fatal(err)
				}
			}
			if got := read(t, d, "f"); got != "cowboy-sample 3\naabb" {
				t.Errorf("the file is %q", got)
			}
			if len(notes) != len(x.notes) || len(notes) > 0 && notes[0] != x.notes[0] {
				t.Errorf("notes from %v, want %v", notes, x.notes)
			}
		})
	}
	if err := sample().Upgrade(disk.NewMemory(), "f", nil); err != nil {
		t.Errorf("a file that is not there: %v", err)
	}
}

// A machine that stops at any byte and any sync of a migration leaves the file of one version as a whole, and the next start ends the migration.
func TestUpgradeCrash(t *testing.T) {
	whole := map[string]bool{"ab": true, "cowboy-sample 2\nab": true, "cowboy-sample 3\naabb": true}
	d := disk.NewMemory()
	d.Record = true
	write(t, d, "f", "ab")
	begun := d.Clock()
	if err := sample().Upgrade(d, "f", nil); err != nil {
		t.Fatal(err)
	}
	keeps := map[string]func(string, int) int{
		"killed":      nil,
		"power cut":   func(string, int) int { return 0 },
		"half a page": func(_ string, n int) int { return n / 2 },
		"all written": func(_ string, n int) int { return n },
	}
	seen := map[string]bool{}
	for name, keep := range keeps {
		t.Run(name, func(t *testing.T) {
			for instant := begun; instant <= d.Clock(); instant++ {
				after := d.Until(instant).Crash(keep)
				text := read(t, after, "f")
				if !whole[text] {
					t.Fatalf("stopped at %d: the file is %q", instant, text)
				}
				seen[text] = true
				if err := sample().Upgrade(after, "f", nil); err != nil {
					t.Fatalf("stopped at %d: %v", instant, err)
				}
				if got := read(t, after, "f"); got != "cowboy-sample 3\naabb" {
					t.Fatalf("stopped at %d: the next start makes %q", instant, got)
				}
			}
		})
	}
	if len(seen) != len(whole) {
		t.Errorf("%d of %d versions were met", len(seen), len(whole))
	}
}

// A sync or a step that fails leaves the file as it was.
func TestUpgradeFails(t *testing.T) {
	d := disk.NewMemory()
	write(t, d, "f", "ab")
	d.FailSync = func(string) bool { return true }
	if err := sample().Upgrade(d, "f", nil); !errors.Is(err, disk.ErrInjected) {
		t.Errorf("a failed sync: %v", err)
	}
	if got := read(t, d, "f"); got != "ab" {
		t.Errorf("the file is %q after a failed sync", got)
	}
	d.FailSync = nil
	k, wrong := sample(), errors.New("wrong")
	k.Steps[0].Change = func(io.Writer, io.Reader) error { return wrong }
	if err := k.Upgrade(d, "f", nil); !errors.Is(err, wrong) {
		t.Errorf("a failed step: %v", err)
	}
	if got := read(t, d, "f"); got != "ab" {
		t.Errorf("the file is %q after a failed step", got)
	}
}

// A version above the present one and one below the first step are refused, with both versions and what to do; the file stays.
func TestUpgradeRefuses(t *testing.T) {
	for name, x := range map[string]struct {
		text string
		drop int // steps
		want string
	}{
		"newer": {"cowboy-sample 4\nx", 0, "f has format 4 of sample, this program reads formats 1 to 3: start the cowboyd that wrote it, or a newer one"},
		"older": {"ab", 1, "f has format 1 of sample, this program reads formats 2 to 3: sync anew"},
		"none":  {"ab", 2, "f has format 1 of sample, this program reads format 3: sync anew"},
	} {
		t.Run(name, func(t *testing.T) {
			d := disk.NewMemory()
			write(t, d, "f", x.text)
			k := sample()
			k.Steps, k.Older = k.Steps[x.drop:], "sync anew"
			err := k.Upgrade(d, "f", func(n Note) { t.Errorf("told %v", n) })
			var e *Error
			if !errors.As(err, &e) || e.Now != 3 || err.Error() != x.want {
				t.Errorf("%v, want %s", err, x.want)
			}
			if got := read(t, d, "f"); got != x.text {
				t.Errorf("the file is %q", got)
			}
		})
	}
}

// A kind with a source is made anew from it whatever other version it has.
func TestAnew(t *testing.T) {
	k := &Kind{Name: "cache", Now: 3, Source: "the log"}
	for _, have := range []Version{1, 2, 4} {
		if way, err := k.Way("f", have); way != Anew || err != nil {
			t.Errorf("version %d: %v, %v", have, way, err)
		}
	}
	if way, err := k.Way("f", 3); way != Stays || err != nil {
		t.Errorf("version 3: %v, %v", way, err)
	}
	if got := k.Made("f", 2).String(); got != "f had format 2 of cache; it is made anew from the log in format 3" {
		t.Error(got)
	}
}

// A mark is read back whatever follows it; what is no mark of the kind is none.
func TestMark(t *testing.T) {
	k := sample()
	for _, v := range []Version{1, 3, 1<<32 - 1} {
		if got, ok := k.Marked(append(k.Mark(v), "12\n"...)); !ok || got != v {
			t.Errorf("version %d: %d, %v", v, got, ok)
		}
	}
	for name, text := range map[string]string{
		"nothing": "", "other kind": "cowboy-samples 1\n", "zero": "cowboy-sample 0\n", "sign": "cowboy-sample -1\n", "too large": "cowboy-sample 4294967296\n",
		"cut": "cowboy-sample 1", "no number": "cowboy-sample \n",
	} {
		t.Run(name, func(t *testing.T) {
			if v, ok := k.Marked([]byte(text)); ok {
				t.Errorf("read as %d", v)
			}
		})
	}
	if v, err := k.Unmarked(bytes.NewReader(nil)); v != 1 || err != nil {
		t.Errorf("an empty file: %d, %v", v, err)
	}
}
