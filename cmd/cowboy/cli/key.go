package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
)

var errNoKey = errors.New("No private key found\n  make one with `cowboy init local` or `cowboy wallet create`, or set COWBOY_PRIVATE_KEY to 64 hex digits")

// key finds the private key: flag, COWBOY_PRIVATE_KEY, the active environment's key file, .cowboy/key. Spec: node-rpc-cli §4.1.
func (a *app) key(explicit string) (wallet.Key, error) {
	for _, path := range []string{explicit, a.keyPath} {
		if path != "" {
			return loadKey(path)
		}
	}
	if env := os.Getenv("COWBOY_PRIVATE_KEY"); env != "" {
		key, err := wallet.ParseHex(env)
		if err != nil {
			return key, fmt.Errorf("COWBOY_PRIVATE_KEY: %w", err)
		}
		return key, nil
	}
	config, err := findProject()
	if err != nil {
		return wallet.Key{}, errNoKey
	}
	for _, name := range []string{config.Active().KeyFile, "key"} {
		if name == "" {
			continue
		}
		key, err := wallet.Load(filepath.Join(config.Folder(), name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return key, err
	}
	return wallet.Key{}, errNoKey
}

func loadKey(path string) (wallet.Key, error) {
	key, err := wallet.Load(path)
	if errors.Is(err, fs.ErrNotExist) {
		return key, fmt.Errorf("No private key found at %s", path)
	}
	return key, err
}

// addressOf gives the account a key controls. Spec: WP §1.1.
func addressOf(key wallet.Key) (account.Address, error) {
	signer, err := sig.ParsePrivateKey(key[:])
	if err != nil {
		return account.Address{}, err
	}
	return signer.Address(), nil
}
