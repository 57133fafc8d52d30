package peers

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// ErrKeyFile: a file that holds no peer key, or that others can read.
var ErrKeyFile = errors.New("peers: bad key file")

// LoadKey reads a node's own key, 64 hexadecimal digits, and makes one if the file does not exist. The key names the node in the
// network and signs nothing of the chain; losing it costs the node its name.
func LoadKey(path string) (transport.Key, error) {
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return makeKey(path)
	}
	if err != nil {
		return transport.Key{}, err
	}
	if info.Mode().Perm()&0o077 != 0 || info.Size() > 1024 {
		return transport.Key{}, fmt.Errorf("%w: %s: mode %v and %d bytes; it must be its owner's alone", ErrKeyFile, path, info.Mode().Perm(), info.Size())
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return transport.Key{}, err
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != transport.SeedBytes {
		return transport.Key{}, fmt.Errorf("%w: %s: want 64 hexadecimal digits", ErrKeyFile, path)
	}
	return transport.KeyFromSeed(seed)
}

func makeKey(path string) (transport.Key, error) {
	key, err := transport.NewKey(rand.Reader)
	if err != nil {
		return transport.Key{}, err
	}
	return key, book.File{Path: path}.Save([]byte(hex.EncodeToString(key.Seed()) + "\n"))
}
