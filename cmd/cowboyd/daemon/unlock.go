package daemon

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/ledger"
	"github.com/cowboyinc/cowboy-go/actors/node"
	"github.com/cowboyinc/cowboy-go/actors/replica/keyfile"
	"github.com/cowboyinc/cowboy-go/chain/beacon"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// rejoinFile stands in the data directory of a validator whose journal was lost: it follows and does not vote while the file is there, and
// until an epoch has begun after its start.
const rejoinFile = "REJOIN"

const rejoinText = "This validator's keys were used and its journal is gone. It follows, and votes again in the first epoch that begins while it runs.\n"

// unlock opens the validator's keys.
func (s *settings) unlock(spec *genesis.Spec) (node.Validator, error) {
	r := s.ring()
	password, err := s.password(fmt.Sprintf("Password of the keys in %s: ", r.Dir))
	if err != nil {
		return node.Validator{}, err
	}
	vote, err := s.votingKey(spec, r, password)
	if err != nil {
		return node.Validator{}, err
	}
	owner, err := r.Secret(keyring.Account, password)
	if err != nil {
		return node.Validator{}, s.explainKey(err)
	}
	v := node.Validator{Vote: vote}
	if v.Account, err = sig.ParsePrivateKey(owner); err != nil {
		return node.Validator{}, err
	}
	public := vote.PublicKey().Bytes()
	rank := slices.IndexFunc(spec.Validators, func(g genesis.Validator) bool { return g.PublicKey == public })
	if rank >= 0 {
		if v.Share, err = r.ShareOf(uint32(rank), password); err != nil {
			return node.Validator{}, s.explainKey(err)
		}
	}
	if s.keyLock, err = r.Lock(); err != nil {
		return node.Validator{}, s.explainKey(fmt.Errorf("%s: %w", r.Dir, err))
	}
	v.Rejoin, err = s.rejoin(r)
	return v, err
}

// votingKey is the key in the directory, or the signer that holds it.
func (s *settings) votingKey(spec *genesis.Spec, r keyring.Ring, password string) (beacon.Key, error) {
	if s.signer == "" {
		vote, err := r.VoteKey(password)
		if err != nil {
			return nil, s.explainKey(err)
		}
		return vote, nil
	}
	client, err := s.dialSigner(spec)
	if err != nil {
		return nil, err
	}
	s.signing = client
	return client, nil
}

// explainKey adds what to do to what is wrong with a key.
func (s *settings) explainKey(err error) error {
	switch {
	case errors.Is(err, keyfile.ErrPassword):
		return fmt.Errorf("%w\n  the file is as it was; give the right one by --password-file, COWBOYD_PASSWORD or on the terminal", err)
	case errors.Is(err, keyring.ErrInUse):
		return fmt.Errorf("%w\n  stop that process first; two nodes with one validator's keys would be punished for double signing", err)
	case errors.Is(err, keyring.ErrAbsent):
		return fmt.Errorf("%w\n  run `cowboyd genesis accept DEAL` for a new validator, `cowboyd keys restore BACKUP` for one that was lost, "+
			"or set validator.keys = \"\" to follow", err)
	}
	return err
}

// rejoin reports whether the journal that belongs to the keys is gone, and remembers it over restarts.
func (s *settings) rejoin(r keyring.Ring) (bool, error) {
	if s.memory {
		return r.Used(), r.MarkUsed()
	}
	mark := filepath.Join(s.dataDir, rejoinFile)
	_, err := os.Stat(filepath.Join(s.dataDir, "journal"))
	if errors.Is(err, os.ErrNotExist) && r.Used() {
		if err := os.WriteFile(mark, []byte(rejoinText), 0o644); err != nil {
			return false, err
		}
	}
	_, err = os.Stat(mark)
	return err == nil, r.MarkUsed()
}

// rejoined takes the mark away once an epoch has begun whose anchor was made after the node started.
func (s *settings) rejoined(started time.Time) func(*ledger.Final) {
	var parent block.Header
	done := false
	return func(f *ledger.Final) {
		anchor := parent
		parent = f.Block.Header
		if done || anchor.Height == 0 || parent.Epoch == anchor.Epoch || time.UnixMilli(int64(anchor.TimestampMs)).Before(started) {
			return
		}
		done = true
		_ = os.Remove(filepath.Join(s.dataDir, rejoinFile)) // left behind, it costs an epoch at the next start
	}
}
