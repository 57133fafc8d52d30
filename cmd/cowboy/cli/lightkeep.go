package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/light"
)

// keptState is the file of --state: what a light client has come to believe, and what it was told to trust in the beginning.
type keptState struct {
	Version int    `json:"version"`
	ChainID uint64 `json:"chain_id"`
	Origin  string `json:"trusts"` // "genesis HASH" or "block HEIGHT:HASH"
	Epoch   uint64 `json:"epoch"`
	Height  uint64 `json:"height,omitempty"` // newest final header
	Hash    string `json:"hash,omitempty"`
	Client  string `json:"client"` // light.Client.Encode
	Sum     string `json:"sum"`    // SHA-256 of origin, a line feed, and client
}

const keptVersion = 1

func (k *keptState) sum() string {
	s := sha256.Sum256([]byte(k.Origin + "\n" + k.Client))
	return hex.EncodeToString(s[:])
}

// readState reads a file that writeState made; nil if there is none.
func readState(path string) (*keptState, *light.Client, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	k := &keptState{}
	damaged := func(err error) error {
		return fmt.Errorf("%s is damaged, or not the state of a light client: %w\n  remove it and say again what you trust", path, err)
	}
	if err := json.Unmarshal(data, k); err != nil {
		return nil, nil, damaged(err)
	}
	if k.Version != keptVersion {
		return nil, nil, damaged(fmt.Errorf("version %d", k.Version))
	}
	if k.Sum != k.sum() {
		return nil, nil, damaged(errors.New("checksum"))
	}
	raw, err := hex.DecodeString(k.Client)
	if err != nil {
		return nil, nil, damaged(err)
	}
	c, err := light.Decode(raw)
	if err != nil {
		return nil, nil, damaged(err)
	}
	return k, c, nil
}

// writeState replaces the file as a whole, durably.
func writeState(path, origin string, c *light.Client) error {
	k := &keptState{Version: keptVersion, ChainID: c.ChainID(), Origin: origin, Epoch: c.Epoch(), Client: hex.EncodeToString(c.Encode())}
	if h := c.Head().Header(); h != nil {
		k.Height, k.Hash = uint64(h.Height), wire.Hash(c.Head().Hash())
	}
	k.Sum = k.sum()
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = os.Rename(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	directory, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(directory.Sync(), directory.Close())
}

// resume goes on from the state file if there is one. What the user says to trust must be what the file began with.
func (f *follower) resume(from *lightStart) (resumed bool, err error) {
	k, client, err := readState(from.state)
	if k == nil || err != nil {
		return false, err
	}
	if f.origin != "" && f.origin != k.Origin {
		return false, fmt.Errorf("%s is of another chain, or began from something else: it is of chain %d and trusts %s, you trust %s\n"+
			"  name another file, or remove this one", from.state, k.ChainID, k.Origin, f.origin)
	}
	f.origin, f.client = k.Origin, client
	return true, nil
}

// keep writes the state file, if there is to be one and there is something new.
func (f *follower) keep() error {
	now := f.client.Head().Hash()
	if f.state == "" || f.kept && f.keptHead == now && f.keptEpoch == f.client.Epoch() {
		return nil
	}
	if err := writeState(f.state, f.origin, f.client); err != nil {
		return err
	}
	f.kept, f.keptHead, f.keptEpoch = true, now, f.client.Epoch()
	return nil
}

// standing gives the client that may take a header: the follower's own for what is new, another one for what lies behind it.
func (f *follower) standing(ctx context.Context, h *block.Header) (*light.Client, error) {
	if h.ChainID != f.client.ChainID() {
		return nil, f.lied(fmt.Errorf("it is of chain %d, and what you trust is of chain %d", h.ChainID, f.client.ChainID()))
	}
	if h.Epoch >= f.client.Epoch() {
		if err := f.reach(ctx, f.client, h.Epoch); err != nil {
			return nil, err
		}
		if head := f.client.Head().Header(); head != nil && h.Height < head.Height {
			return f.client.Again(), nil
		}
		return f.client, nil
	}
	if f.begin == nil {
		return nil, fmt.Errorf("block %d is of epoch %d, and the client is at epoch %d already\n"+
			"  name the genesis, too, by --genesis FILE: the client begins there again for it",
			h.Height, h.Epoch, f.client.Epoch())
	}
	old, err := f.begin()
	if err != nil {
		return nil, err
	}
	return old, f.reach(ctx, old, h.Epoch)
}
