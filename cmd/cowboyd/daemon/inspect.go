package daemon

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/actors/index"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/replica/shares"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
	"github.com/cowboyinc/cowboy-go/net/book"
)

// inspect reads the files beside the chain of a node that does not run, and changes nothing. What the node makes anew by itself is a warning, what it does not
// start over a failure.
func (s *settings) inspect(spec *genesis.Spec, chain digest.Hash) []finding {
	return []finding{s.inspectIndex(), s.inspectJournal(chain), s.inspectShares(spec, chain), s.inspectPeers()}
}

func (s *settings) inspectIndex() finding {
	if err := index.Check(filepath.Join(s.dataDir, "index.db")); err != nil {
		return warn("nothing: the node makes the index anew from the chain when it starts", "%v", err)
	}
	return good("the index is whole")
}

// journalAdvice is what to do about a damaged journal.
func journalAdvice(dir string) string {
	return "move " + filepath.Join(dir, "journal") + " away, keep it, and start again: as after a lost disk the validator follows, and votes in\n" +
		"      the first epoch that begins while it runs; never put an older copy in its place: the validator could sign twice"
}

func (s *settings) inspectJournal(chain digest.Hash) finding {
	d, there, err := existing(filepath.Join(s.dataDir, "journal"))
	if err == nil && there {
		err = replica.CheckJournal(d, chain)
	}
	if err != nil {
		return bad(journalAdvice(s.dataDir), "the journal of votes: %v", err)
	}
	return good("the journal of votes is whole")
}

// sharesAdvice is what to do about damaged shares.
func sharesAdvice(dir string) string {
	return "move " + filepath.Join(dir, "shares") + " away, keep it, and start again: the validator has no share in the present epoch's key,\n" +
		"      and gets one at the next change"
}

// inspectShares opens the shares if the key they are sealed with can be had without asking a person.
func (s *settings) inspectShares(spec *genesis.Spec, chain digest.Hash) finding {
	d, there, err := existing(filepath.Join(s.dataDir, "shares"))
	if err == nil && !there {
		return good("there are no shares of the network's key")
	}
	var key *bls.PrivateKey
	if err == nil {
		if key, err = s.silentKey(spec); err == nil && key == nil {
			return good("the shares of the network's key were not looked at: that takes the password, from --password-file or %s", passwordVariable)
		}
	}
	var list *shares.Store
	if err == nil {
		list, err = shares.Open(d, chain, key)
	}
	if err == nil {
		err = list.Close()
	}
	if err != nil {
		return bad(sharesAdvice(s.dataDir), "%v", err)
	}
	return good("the shares of the network's key are whole")
}

// silentKey is the voting key, nil where it takes a person, or there is none.
func (s *settings) silentKey(spec *genesis.Spec) (*bls.PrivateKey, error) {
	if s.config == nil {
		v, err := s.validator(spec)
		key, _ := v.Vote.(*bls.PrivateKey)
		return key, err
	}
	password, ok, err := s.given(s.passwordFile, passwordVariable)
	if s.keys == "" || s.signer != "" || !ok || err != nil {
		return nil, nil // `cowboyd config check` tells of it
	}
	r := s.ring()
	if _, err := r.File(keyring.Vote); err != nil {
		return nil, nil // likewise
	}
	return r.VoteKey(password)
}

func (s *settings) inspectPeers() finding {
	data, err := os.ReadFile(filepath.Join(s.dataDir, "peers"))
	if errors.Is(err, fs.ErrNotExist) {
		return good("no address book was written yet")
	}
	if err == nil {
		err = book.New(book.Config{}).Decode(data)
	}
	if err != nil {
		return warn("nothing: the node makes it anew from p2p.peers and from what its peers say", "the address book: %v", err)
	}
	return good("the address book is whole")
}

// existing opens a directory that is there.
func existing(path string) (d disk.Disk, there bool, err error) {
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	d, err = disk.NewDirectory(path)
	return d, err == nil, err
}
