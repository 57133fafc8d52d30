package volume

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// Journal remembers what was drawn for writes that are not committed, so that an upload goes on where it ended. "" remembers nothing: it is a folder.
type Journal string

// file names a write by the volume, the path and the hash of the content: another content has another nonce.
func (j Journal) file(volume digest.Hash, path string, content digest.Hash) string {
	return filepath.Join(string(j), digest.Blake3(volume[:], content[:], []byte(path)).Hex())
}

// draw gives what was drawn for a write before, or draws it. again is true in the first case.
func (j Journal) draw(volume digest.Hash, path string, content digest.Hash) (w write, again bool, err error) {
	rand.Read(w.id[:])
	rand.Read(w.nonce[:])
	if j == "" {
		return w, false, nil
	}
	name := j.file(volume, path, content)
	raw, err := os.ReadFile(name)
	switch {
	case err == nil && len(raw) == len(w.id)+len(w.nonce):
		return write{[cbfs.WriteIDSize]byte(raw), [cbfs.NonceSize]byte(raw[cbfs.WriteIDSize:])}, true, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return w, false, err
	}
	if err := os.MkdirAll(string(j), 0o700); err != nil {
		return w, false, err
	}
	return w, false, os.WriteFile(name, append(append([]byte{}, w.id[:]...), w.nonce[:]...), 0o600)
}

// forget drops a write that is committed.
func (j Journal) forget(volume digest.Hash, path string, content digest.Hash) {
	if j != "" {
		_ = os.Remove(j.file(volume, path, content)) // what stays costs a few bytes
	}
}
