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
	"strings"
	"syscall"
	"testing"
)

var flipped = flag.Uint64("flipped", 40, "seeds of TestFlippedDirectory; 200 take two minutes")

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

// verify runs the command and says whether it found nothing wrong.
func verify(dir string) (out string, ok bool) {
	raw, err := exec.Command("cowboyd", "verify", "--data-dir", dir).CombinedOutput()
	return string(raw), err == nil
}

// TestFlippedDirectory: bytes anywhere in a node's directory are not what was written. The node says so and does not start, or it goes on with every block;
// `verify` says so, or finds the same chain, and the two agree. Caches, the index and the file of checkpoints, never keep a node from starting: they are made
// anew, and that is told. Nothing ends in a panic, and nobody is told to remove the chain.
func TestFlippedDirectory(t *testing.T) {
	t.Parallel()
	whole := filepath.Join(t.TempDir(), "data")
	p := begin(t, whole)
	p.height(t, 60)
	if err := p.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-p.ended; err != nil {
		t.Fatal(err)
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
		t.Run(fmt.Sprint(seed), func(t *testing.T) { // each gives its port and its copy back
			random := rand.New(rand.NewPCG(seed, 4))
			dir := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			where := spoil(t, dir, random, []int{1, 200}[seed/2%2], seed%2 == 1)
			if len(where) > 5 {
				where = where[:5]
			}
			other := filepath.Join(t.TempDir(), "data")
			if err := os.CopyFS(other, os.DirFS(dir)); err != nil { // verify makes caches anew as the node does
				t.Fatal(err)
			}
			looked, err := exec.Command("cowboyd", "doctor", "--data-dir", dir, "--rpc-port", fmt.Sprint(freePorts(t, 1))).CombinedOutput()
			sound := err == nil
			text, ok := verify(other)
			if ok && !sound {
				t.Errorf("seed %d, %v: the doctor finds what verify does not: %s", seed, where, looked)
			}
			if panics.Match(looked) || strings.Contains(string(looked)+text, "remove it") {
				t.Errorf("seed %d, %v: the doctor says %s", seed, where, looked)
			}
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
				if ok {
					t.Errorf("seed %d, %v: the node does not start, and verify finds nothing: %s", seed, where, again.err.String())
				}
				if seed%2 == 0 {
					t.Errorf("seed %d, %v: caches alone are damaged, and the node does not start: %s", seed, where, again.err.String())
				}
			case reached := <-up:
				if !reached {
					t.Errorf("seed %d, %v: the node neither ends nor goes on\n%s", seed, where, again.err.String())
				}
				if !ok {
					t.Errorf("seed %d, %v: the node goes on, and verify says %s", seed, where, text)
				}
				told["anew"] += strings.Count(again.out.String(), "made anew")
				told["verify: anew"] += strings.Count(text, "made anew") + strings.Count(text, "damaged")
				_ = again.Process.Signal(syscall.SIGTERM)
				<-again.ended
			}
			if all := append(bytes.Clone(again.out.Bytes()), again.err.Bytes()...); panics.Match(all) {
				t.Errorf("seed %d, %v: the node panics\n%s", seed, where, all)
			}
		})
	}
	t.Logf("%d directories; told: %v", *flipped, told)
}
