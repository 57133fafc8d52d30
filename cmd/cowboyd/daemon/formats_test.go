package daemon

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
)

// unpacked is a copy of the directory that a program wrote which kept crossings in format 1.
func unpacked(t *testing.T) string {
	t.Helper()
	f, err := os.Open("../../../actors/ledger/testdata/node-crossings-1.tar.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	packed, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for r := tar.NewReader(packed); ; {
		h, err := r.Next()
		if err == io.EOF {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if h.Typeflag == tar.TypeDir {
			err = os.MkdirAll(path, 0o700)
		} else {
			var data []byte
			if data, err = io.ReadAll(r); err == nil {
				err = os.WriteFile(path, data, 0o600)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Every file a validator keeps, but its configuration, its locks and what it says of its keys, is of a kind on the ladder, and its format can be read.
func TestEveryFileHasAFormat(t *testing.T) {
	dir := unpacked(t)
	kinds := map[string]*format.Kind{}
	for _, k := range formats() {
		for _, pattern := range k.Files {
			paths, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range paths {
				kinds[path] = k
			}
		}
	}
	apart := map[string]bool{"genesis.json": true, "keys/network.key": true, "keys/used": true}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		name, bad := filepath.Rel(dir, path)
		if err = errors.Join(err, bad); err != nil || d.IsDir() || apart[name] || strings.HasSuffix(name, "lock") {
			return err
		}
		k := kinds[path]
		if k == nil {
			t.Errorf("%s is of no kind", name)
			return nil
		}
		have, err := versionIn(k, path)
		want := k.Now
		if k.Name == "crossings" {
			want = 1
		}
		if err != nil || have != want {
			t.Errorf("%s has format %d, want %d: %v", name, have, want, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// The doctor says what the next start will change, and what it refuses; it changes nothing itself.
func TestDoctorTellsFormats(t *testing.T) {
	for name, x := range map[string]struct {
		file, text, want string
		status           int
	}{
		"before": {"", "", "chain/crossings has format 1 of crossings; the next start changes it to format 2\n", exitOK},
		"later": {"chain/crossings", "cowboy-crossings 3\n", "chain/crossings has format 3 of crossings, this program reads formats 1 to 2\n" +
			"      start the cowboyd that wrote it, or a newer one\n", exitFailed},
	} {
		t.Run(name, func(t *testing.T) {
			dir := unpacked(t)
			if x.file != "" {
				if err := os.WriteFile(filepath.Join(dir, x.file), []byte(x.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before, err := os.ReadFile(filepath.Join(dir, "chain/crossings"))
			if err != nil {
				t.Fatal(err)
			}
			var out, errOut bytes.Buffer
			status := Main([]string{"doctor", "--data-dir", dir, "--chain-id", "77", "--rpc-port", "0"}, &out, &errOut)
			if status != x.status || !strings.Contains(out.String(), dir+"/"+x.want) || strings.Contains(out.String(), "holds a chain") {
				t.Errorf("status %d: %s%s", status, &out, &errOut)
			}
			after, err := os.ReadFile(filepath.Join(dir, "chain/crossings"))
			if err != nil || !bytes.Equal(before, after) {
				t.Errorf("the file was changed, %v", err)
			}
		})
	}
}

// The ladder is printed with a line for each kind, and one for each step.
func TestVersionFormats(t *testing.T) {
	var out, errOut bytes.Buffer
	if status := Main([]string{"version", "--formats"}, &out, &errOut); status != exitOK {
		t.Fatalf("status %d: %s", status, &errOut)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 1+len(formats())+1+1 { // and the one of snapshots in files
		t.Errorf("%d lines:\n%s", len(lines), &out)
	}
	for _, want := range []string{"checkpoint    3       3       chain/image", "crossings     2       1 to 2  chain/crossings", "\ncrossings 1 to 2: "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}
