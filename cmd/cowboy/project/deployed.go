package project

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// DeployedDir holds a file per network: where a project's actors are. Each entry can be found again on the chain, so nothing is lost with a file.
const DeployedDir = "deployments"

// deployedVersion is the form of those files.
const deployedVersion = 1

// Deployed is where the actors of a project are on one network.
type Deployed struct {
	Version int               `json:"version"`
	ChainID uint64            `json:"chain_id"`
	Genesis string            `json:"genesis"` // hash of block 0
	Actors  map[string]*Place `json:"actors"`  // by name

	path string
}

// Place is one actor, and what its address is derived from.
type Place struct {
	Address  account.Address `json:"address"`
	Creator  account.Address `json:"creator"`
	Salt     string          `json:"salt"`      // hex digits
	CodeHash string          `json:"code_hash"` // of the source it was first deployed with
}

// NewPlace derives the address of an actor.
func NewPlace(creator account.Address, salt []byte, code digest.Hash) (*Place, error) {
	padded, err := account.PadSalt(salt)
	if err != nil {
		return nil, err
	}
	return &Place{account.DeriveActor(creator, padded, code), creator, hex.EncodeToString(padded[:]), hex.EncodeToString(code[:])}, nil
}

// Uses tells whether the actor was deployed with a salt.
func (p *Place) Uses(salt []byte) bool {
	padded, err := account.PadSalt(salt)
	return err == nil && p.Salt == hex.EncodeToString(padded[:])
}

// derived tells whether an entry's address is the one that follows from the rest of it.
func (p *Place) derived() bool {
	salt, err := hex.DecodeString(p.Salt)
	code, err2 := hex.DecodeString(p.CodeHash)
	if errors.Join(err, err2) != nil || len(code) != len(digest.Hash{}) {
		return false
	}
	again, err := NewPlace(p.Creator, salt, digest.Hash(code))
	return err == nil && again.Address == p.Address
}

// ReadDeployed reads where a project's actors are on a network; a missing file knows of none.
func ReadDeployed(root, network string) (*Deployed, error) {
	d := &Deployed{Version: deployedVersion, Actors: map[string]*Place{}, path: filepath.Join(root, DeployedDir, network+".json")}
	text, err := os.ReadFile(d.path)
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, broken(d.path, text, err)
	}
	if d.Version != deployedVersion {
		return nil, &Complaint{d.path, 0, fmt.Sprintf("it is of version %d, and this tool reads version %d", d.Version, deployedVersion)}
	}
	for _, name := range sortedNames(d.Actors) {
		if p := d.Actors[name]; p == nil || checkName(name) != nil || !p.derived() {
			return nil, &Complaint{d.path, 0, fmt.Sprintf("the entry %q is not what its salt and code give; remove it, and `cowboy deploy` "+
				"finds the actor again", name)}
		}
	}
	return d, nil
}

// Of says which chain the file is about. What it knew of another chain, such as the one before a development network was started anew, is dropped; it
// tells whether that was so.
func (d *Deployed) Of(chainID uint64, genesis string) (dropped bool) {
	if d.Genesis == genesis && d.ChainID == chainID {
		return false
	}
	dropped = d.Genesis != "" && len(d.Actors) > 0
	d.ChainID, d.Genesis, d.Actors = chainID, genesis, map[string]*Place{}
	return dropped
}

// Save writes the file through a temporary one.
func (d *Deployed) Save() error {
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(d.path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(d.path+".tmp", append(text, '\n'), 0o644); err != nil {
		return err
	}
	return os.Rename(d.path+".tmp", d.path)
}

// broken puts what json says about a file into a line.
func broken(path string, text []byte, err error) error {
	at := int64(-1)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		at = syntax.Offset - 1
	case errors.As(err, &kind):
		at = kind.Offset - 1
	}
	line := 0
	if at >= 0 {
		line = 1
		for _, c := range text[:min(at, int64(len(text)))] {
			if c == '\n' {
				line++
			}
		}
	}
	return &Complaint{path, line, "it is broken: " + err.Error()}
}
