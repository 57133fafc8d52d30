package keyring

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/peers"
	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/net/book"
	"github.com/cowboyinc/cowboy-go/net/transport"
)

// Names of keys.
const (
	Network = "network"
	Vote    = "vote"
	Share   = "share"
	Account = "account"
)

// Sealed are the keys under the password.
var Sealed = []string{Vote, Share, Account}

var (
	// ErrAbsent: the directory holds no such key.
	ErrAbsent = errors.New("there is no such key")
	// ErrPresent: the directory holds such a key already.
	ErrPresent = errors.New("there is such a key already")
	// ErrOpen: others can read the file or enter the directory.
	ErrOpen = errors.New("others can read it")
	// ErrKey: a file holds something else than its name says.
	ErrKey = errors.New("it is not the key it should be")
)

var descriptions = map[string]string{
	Vote: "cowboy validator: votes and header proofs", Share: "cowboy validator: share of the round seed", Account: "cowboy validator: account",
}

// Ring is a directory of keys.
type Ring struct {
	Dir string
	// Work is what the password of a new file costs to try; zero means keyfile.Standard.
	Work keyfile.Work
}

// Path is the file of a key.
func (r Ring) Path(name string) string {
	if name == Network {
		return filepath.Join(r.Dir, "network.key")
	}
	return filepath.Join(r.Dir, name+".json")
}

// Has reports whether a key is there.
func (r Ring) Has(name string) bool {
	_, err := os.Stat(r.Path(name))
	return err == nil
}

// Make makes the directory, unless it is there.
func (r Ring) Make() error { return os.MkdirAll(r.Dir, 0o700) }

// Identity is the network key, drawn if it is not there.
func (r Ring) Identity() (transport.Key, error) {
	if err := r.private(); err != nil {
		return transport.Key{}, err
	}
	return peers.LoadKey(r.Path(Network))
}

// private refuses a directory others can enter.
func (r Ring) private() error {
	info, err := os.Stat(r.Dir)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s: %w; run `chmod 700 %s`", r.Dir, ErrOpen, r.Dir)
	}
	return nil
}

// Draw makes the vote and account keys of a new validator under a password.
func (r Ring) Draw(password string, random io.Reader) error {
	vote, err := NewVote(random)
	if err != nil {
		return err
	}
	account, err := scalar(random, func(raw []byte) error { _, err := sig.ParsePrivateKey(raw); return err })
	if err != nil {
		return err
	}
	return errors.Join(r.Put(Vote, vote, password), r.Put(Account, account, password))
}

// NewVote draws a voting key's secret.
func NewVote(random io.Reader) ([]byte, error) {
	return scalar(random, func(raw []byte) error { _, err := bls.ParsePrivateKey(raw); return err })
}

// scalar draws 32 bytes that parse accepts.
func scalar(random io.Reader, parse func([]byte) error) ([]byte, error) {
	raw := make([]byte, 32)
	for {
		if _, err := io.ReadFull(random, raw); err != nil {
			return nil, err
		}
		if parse(raw) == nil {
			return raw, nil
		}
	}
}

// Public is what others may know of a secret: an address for the account, a compressed public key in hexadecimal otherwise.
func Public(name string, secret []byte) (string, error) {
	if name == Account {
		k, err := sig.ParsePrivateKey(secret)
		if err != nil {
			return "", fmt.Errorf("%w: no secp256k1 key", ErrKey)
		}
		return k.Address().String(), nil
	}
	k, err := bls.ParsePrivateKey(secret)
	if err != nil {
		return "", fmt.Errorf("%w: no BLS12-381 key", ErrKey)
	}
	b := k.PublicKey().Bytes()
	return hex.EncodeToString(b[:]), nil
}

// Put writes a secret under a password; ErrPresent if there is one.
func (r Ring) Put(name string, secret []byte, password string) error {
	if r.Has(name) {
		return fmt.Errorf("%s: %w", r.Path(name), ErrPresent)
	}
	return r.write(name, secret, password)
}

func (r Ring) write(name string, secret []byte, password string) error {
	public, err := Public(name, secret)
	if err != nil {
		return err
	}
	work := r.Work
	if work == 0 {
		work = keyfile.Standard
	}
	data, err := work.Seal(secret, password, public, descriptions[name], rand.Reader)
	if err != nil {
		return err
	}
	return book.File{Path: r.Path(name)}.Save(append(data, '\n'))
}

// File reads what a key's file says without the password.
func (r Ring) File(name string) (*keyfile.File, error) {
	if err := r.private(); err != nil {
		return nil, err
	}
	path := r.Path(name)
	info, err := os.Stat(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s: %w", path, ErrAbsent)
	}
	if err != nil {
		return nil, err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: %w; run `chmod 600 %s`", path, ErrOpen, path)
	}
	return Read(path)
}

// Read reads a key file anywhere.
func Read(path string) (*keyfile.File, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	f, err := keyfile.Parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// Secret opens a key; keyfile.ErrPassword for a wrong password.
func (r Ring) Secret(name, password string) ([]byte, error) {
	f, err := r.File(name)
	if err != nil {
		return nil, err
	}
	secret, err := f.Open(password)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.Path(name), err)
	}
	if public, err := Public(name, secret); err != nil || f.PublicKey != "" && public != f.PublicKey {
		return nil, fmt.Errorf("%s: %w", r.Path(name), ErrKey)
	}
	return secret, nil
}

// VoteKey opens the vote key.
func (r Ring) VoteKey(password string) (*bls.PrivateKey, error) {
	secret, err := r.Secret(Vote, password)
	if err != nil {
		return nil, err
	}
	return bls.ParsePrivateKey(secret)
}

// ShareOf opens the share of a rank.
func (r Ring) ShareOf(rank uint32, password string) (bls.Share, error) {
	secret, err := r.Secret(Share, password)
	if err != nil {
		return bls.Share{}, err
	}
	key, err := bls.ParsePrivateKey(secret)
	return bls.Share{Index: rank, Key: key}, err
}

// ChangePassword puts every sealed key under another password, or none: all are opened before the first is written. A crash between two writes leaves
// some files under the old password and some under the new one, and the change can be repeated with either.
func (r Ring) ChangePassword(old, new string) error {
	secrets := map[string][]byte{}
	for _, name := range Sealed {
		if !r.Has(name) {
			continue
		}
		secret, err := r.Secret(name, old)
		if errors.Is(err, keyfile.ErrPassword) {
			if _, done := r.Secret(name, new); done == nil {
				continue // an earlier change got this far
			}
		}
		if err != nil {
			return err
		}
		secrets[name] = secret
	}
	for _, name := range Sealed {
		if secret, ok := secrets[name]; ok {
			if err := r.write(name, secret, new); err != nil {
				return err
			}
		}
	}
	return nil
}
