package script

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"testing"
)

var flipped = flag.Uint64("flipped", 4, "seeds of TestFlippedDirectory")

// caches are the files a node can make anew.
var caches = []string{"image", "index.db"}

// spoil changes bytes of the files under a directory, all of them or the caches, each byte with the same chance.
func spoil(t *testing.T, dir string, random *rand.Rand, count int, all bool) (where []string) {
	t.Helper()
	var files []string
	var sizes []int64
	total := int64(0)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !all && !slices.Contains(caches, d.Name()) {
			return err
		}
		info, err := d.Info()
		if err == nil && info.Size() > 0 {
			files, sizes, total = append(files, path), append(sizes, info.Size()), total+info.Size()
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for range count {
		at := random.Int64N(total)
		for i, size := range sizes {
			if at >= size {
				at -= size
				continue
			}
			f, err := os.OpenFile(files[i], os.O_RDWR, 0)
			if err != nil {
				t.Fatal(err)
			}
			var b [1]byte
			_, read := f.ReadAt(b[:], at)
			b[0] ^= byte(1 + random.IntN(255))
			_, written := f.WriteAt(b[:], at)
			if err := errors.Join(read, written, f.Close()); err != nil {
				t.Fatal(err)
			}
			where = append(where, fmt.Sprintf("%s:%d", filepath.Base(files[i]), at))
			break
		}
	}
	return where
}

// TestFlippedDirectory: bytes anywhere in a node's directory are not what was written. The node says so and does not start, or it goes on with every block;
// `verify` says so, or finds the same chain. Nothing ends in a panic.
func TestFlippedDirectory(t *testing.T) {
	whole := filepath.Join(t.TempDir(), "data")
	p := begin(t, whole)
	p.height(t, 60)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-p.ended; err != nil {
		t.Fatal(err)
	}
	verify := func(dir string) (out string, ok bool) {
		c := exec.Command("cowboyd", "verify", "--data-dir", dir)
		raw, err := c.CombinedOutput()
		return string(raw), err == nil
	}
	outcome := regexp.MustCompile(`verified (\d+) blocks .* state root (\S+)`)
	text, ok := verify(whole)
	want := outcome.FindStringSubmatch(text)
	if !ok || want == nil {
		t.Fatalf("verify of the whole: %s", text)
	}
	var height uint64
	if _, err := fmt.Sscan(want[1], &height); err != nil {
		t.Fatal(err)
	}
	panics := regexp.MustCompile(`(?m)^(panic:|fatal error:|goroutine \d+|unexpected fault)`)
	told := map[string]int{}
	for seed := range *flipped {
		random := rand.New(rand.NewPCG(seed, 4))
		dir := filepath.Join(t.TempDir(), "data")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		where := spoil(t, dir, random, []int{1, 200}[seed/2%2], seed%2 == 1)
		if len(where) > 5 {
			where = where[:5]
		}
		text, ok := verify(dir)
		if panics.MatchString(text) {
			t.Errorf("seed %d, %v: verify panics\n%s", seed, where, text)
		}
		got := outcome.FindStringSubmatch(text)
		switch {
		case !ok:
			told["verify"]++
		case got == nil || got[1] != want[1] || got[2] != want[2]:
			t.Errorf("seed %d, %v: verify finds another chain and says nothing: %s, want %s", seed, where, text, want[0])
		}
		again := begin(t, dir)
		up := make(chan bool, 1)
		stop := make(chan struct{})
		go func() {
			_, ok := again.reaches(height+3, stop)
			up <- ok
		}()
		select {
		case err := <-again.ended:
			close(stop)
			<-up
			var status *exec.ExitError
			if !errors.As(err, &status) || status.ExitCode() != 1 && status.ExitCode() != 3 || again.err.Len() == 0 {
				t.Errorf("seed %d, %v: the node ends with %v\n%s", seed, where, err, again.err.String())
			}
			told["node"]++
		case reached := <-up:
			if !reached {
				t.Errorf("seed %d, %v: the node neither ends nor goes on\n%s", seed, where, again.err.String())
			}
			_ = again.Process.Signal(syscall.SIGTERM)
			<-again.ended
		}
		if all := append(bytes.Clone(again.out.Bytes()), again.err.Bytes()...); panics.Match(all) {
			t.Errorf("seed %d, %v: the node panics\n%s", seed, where, all)
		}
	}
	t.Logf("%d directories; told: %v", *flipped, told)
}
