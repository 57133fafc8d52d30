package contained

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// Layout makes the program into an image, in an OCI layout below a directory, and gives the sha256 of the image's manifest in hexadecimal digits.
func Layout(dir string) (digest string, err error) {
	one, err := build(dir)
	if err != nil {
		return "", err
	}
	to, err := layout.Write(filepath.Join(dir, "layout"), empty.Index)
	if err != nil {
		return "", err
	}
	if err := to.AppendImage(one); err != nil {
		return "", err
	}
	hash, err := one.Digest()
	return hash.Hex, err
}

// Bomb adds an image of one file of so many zeros to the layout that Layout made, and gives its digest likewise.
func Bomb(dir string, size int64) (digest string, err error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	err = w.WriteHeader(&tar.Header{Name: "zeros", Typeflag: tar.TypeReg, Mode: 0o644, Size: size})
	_, failed := w.Write(make([]byte, size))
	if err = errors.Join(err, failed, w.Close()); err != nil {
		return "", err
	}
	one, err := imageOf(archive.Bytes())
	if err != nil {
		return "", err
	}
	to, err := layout.FromPath(filepath.Join(dir, "layout"))
	if err != nil {
		return "", err
	}
	if err := to.AppendImage(one); err != nil {
		return "", err
	}
	hash, err := one.Digest()
	return hash.Hex, err
}

func build(dir string) (v1.Image, error) {
	data, err := compile(filepath.Join(dir, "contained"))
	if err != nil {
		return nil, err
	}
	archive, err := pack(data)
	if err != nil {
		return nil, err
	}
	return imageOf(archive)
}

// imageOf is an image of one layer.
func imageOf(archive []byte) (v1.Image, error) {
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive)), nil })
	if err != nil {
		return nil, err
	}
	one, err := mutate.AppendLayers(empty.Image, layer)
	if err != nil {
		return nil, err
	}
	config, err := one.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.OS, config.Architecture = "linux", runtime.GOARCH
	config.Config = v1.Config{Entrypoint: []string{"/contained"}, Cmd: []string{"say", "what the image says"}, Env: []string{"A=of the image", "B=2"}}
	return mutate.ConfigFile(one, config)
}

// compile builds the program without anything it would need of a system.
func compile(at string) ([]byte, error) {
	command := exec.Command("go", "build", "-o", at, "github.com/cowboyinc/cowboy-go/testkit/contained/program")
	command.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := command.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, text)
	}
	data, err := os.ReadFile(at)
	return data, errors.Join(err, os.Remove(at))
}

// pack is the layer: the program, set-user-id, and a file that cannot be run.
func pack(program []byte) ([]byte, error) {
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	err := w.WriteHeader(&tar.Header{Name: "contained", Typeflag: tar.TypeReg, Mode: 0o4755, Size: int64(len(program))})
	_, failed := w.Write(program)
	err = errors.Join(err, failed, w.WriteHeader(&tar.Header{Name: "text", Typeflag: tar.TypeReg, Mode: 0o644}), w.Close())
	return archive.Bytes(), err
}

// Passable lets the users of containers through a directory of temporary files and those above it, whose lists stay closed.
func Passable(dir string) error {
	for at := filepath.Clean(dir); at != "/" && at != filepath.Clean(os.TempDir()) && at != "/tmp"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o711); err != nil {
			return err
		}
	}
	return nil
}
