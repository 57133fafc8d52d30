package volume_test

import (
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/relay/reach"
	"github.com/cowboyinc/cowboy-go/actors/volume"
	"github.com/cowboyinc/cowboy-go/actors/volume/mount"
	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	chain "github.com/cowboyinc/cowboy-go/chain/volume"
)

// What a mount takes can be committed: it counts the manifest's records and the seals as the chain does, so a token's bytes are used up by many small files,
// links and folders, and by hardly fewer than the chain would take.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.5 (over quota: ENOSPC), §11 (10).
func TestSmallFilesUseUpAToken(t *testing.T) {
	const most = 50_000
	w := volume.NewWorld(t, 6)
	for name, x := range map[string]struct {
		private     bool
		make        func(t *testing.T, s *mount.System, name string) error
		least, last int
	}{
		"private files": {true, small, 77, 88}, "public files": {false, small, 77, 88},
		"folders": {true, func(t *testing.T, s *mount.System, name string) error {
			return s.Make(t.Context(), "out", name, cbfs.Directory, "")
		}, 1_600, 2_200},
		"links": {false, func(t *testing.T, s *mount.System, name string) error {
			return s.Make(t.Context(), "out", name, cbfs.Symlink, "a")
		}, 1_200, 1_700},
	} {
		t.Run(name, func(t *testing.T) {
			id, c := w.Owned("v-"+name[:5], x.private)
			must(t, c.Apply(t.Context(), id, []volume.Change{{Path: "out", Kind: cbfs.Directory}}))
			s := system(t, w.Granted(id, 211, cbfs.ReadWrite, "out", most), id)
			taken := 0
			for ; taken < 10_000; taken++ {
				if err := x.make(t, s, fmt.Sprintf("%04d", taken)); err != nil {
					if err != syscall.ENOSPC {
						t.Fatal(err)
					}
					break
				}
			}
			if taken < x.least || taken > x.last {
				t.Errorf("%d are taken", taken)
			}
			must(t, s.Sync(t.Context()))
			v, err := w.Volume(t.Context(), id)
			must(t, err)
			if used := v.Tokens[0].Used; used > most || used < most*85/100 {
				t.Errorf("the chain counted %d", used)
			}
			must(t, s.Close(t.Context()))
		})
	}
}

func small(t *testing.T, s *mount.System, name string) error {
	t.Helper()
	f, err := s.Create(t.Context(), "out", name, os.O_WRONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = f.WriteAt(t.Context(), []byte("ten bytes."), 0)
	return err
}

// meanwhile is a chain on which something happens before a commit.
type meanwhile struct {
	volume.Chain
	do func()
}

func (m *meanwhile) Commit(ctx context.Context, v *reach.Volume, token *[cbfs.TokenIDSize]byte, c chain.Commit) error {
	if m.do != nil {
		m.do()
	}
	return m.Chain.Commit(ctx, v, token, c)
}

// What is cut off gives no room that the chain does not give: not to other files before it is committed, nor to the file itself while it is being committed. It
// can always be cut off.
//
// Spec: storage-cbfs §2.5 (max_bytes), §3.5 (over quota: ENOSPC), §11 (10).
func TestWhatIsCutOffGivesNoRoom(t *testing.T) {
	w := volume.NewWorld(t, 6)
	id, owner := w.Owned("docs", true)
	must(t, owner.Apply(t.Context(), id, []volume.Change{volume.File("out/f", make([]byte, 200_000))}))
	c := w.Granted(id, 211, cbfs.ReadWrite, "out", 50_000)
	on := &meanwhile{Chain: c.Chain}
	c.Chain = on
	s := system(t, c, id)
	f, err := s.Open(t.Context(), "out/f", os.O_RDWR)
	must(t, err)
	defer f.Close()
	write := func(f *mount.File, size int, want error) {
		t.Helper()
		if _, err := f.WriteAt(t.Context(), make([]byte, size), 0); err != want {
			t.Errorf("%d bytes: %v, want %v", size, err, want)
		}
	}
	must(t, f.Truncate(t.Context(), 0))
	g, err := s.Create(t.Context(), "out", "g", os.O_RDWR)
	must(t, err)
	defer g.Close()
	write(g, 100_000, syscall.ENOSPC)
	write(g, 20_000, nil)
	write(f, 200_000, nil) // as it was
	must(t, f.Truncate(t.Context(), 0))
	on.do = func() { write(f, 100_000, syscall.ENOSPC); write(f, 20_000, nil) }
	must(t, s.Sync(t.Context()))
	on.do = nil
	must(t, s.Sync(t.Context()))
	write(f, 60_000, syscall.ENOSPC)
	must(t, f.Truncate(t.Context(), 0))
	must(t, s.Close(t.Context()))
}
