package config

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/cowboyinc/cowboy-go/actors/budget"
)

// File is the name of the configuration in a data directory.
const File = "config.toml"

// maxBytes bounds a configuration file.
const maxBytes = 1 << 20

// ErrConfig is wrapped by every complaint about a configuration.
var ErrConfig = errors.New("bad configuration")

// Error is a complaint about one line.
type Error struct {
	Path string
	Line int    // from 1; 0 where the whole file is meant
	What string // and what to do
}

// Error implements error.
func (e *Error) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.What)
	}
	return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.What)
}

// Unwrap makes every Error an ErrConfig.
func (e *Error) Unwrap() error { return ErrConfig }

// Config is everything a file can say.
type Config struct {
	Chain     Chain     `toml:"chain"`
	Validator Validator `toml:"validator"`
	P2P       P2P       `toml:"p2p"`
	RPC       RPC       `toml:"rpc"`
	Runners   Runners   `toml:"runners"`
	Gateway   Gateway   `toml:"gateway"`
	Admin     Admin     `toml:"admin"`
	PVM       PVM       `toml:"pvm"`
	Memory    Memory    `toml:"memory"`
	Log       Log       `toml:"log"`

	dir string // that relative paths start from
}

// Chain says which chain, and how much of it to keep.
type Chain struct {
	ID        uint64   `toml:"id"`
	Genesis   string   `toml:"genesis"` // path of genesis.json
	BlockTime Duration `toml:"block_time"`
	Mode      Mode     `toml:"mode"`        // the three that follow are of a full node
	History   uint64   `toml:"history"`     // blocks of state; 0 keeps all
	Blocks    uint64   `toml:"keep_blocks"` // blocks with their receipts; 0 keeps all
	Snapshot  uint64   `toml:"snapshot"`    // blocks behind the others at which a state is fetched instead of blocks; 0 never
}

// Validator says what the node signs with. Without keys it follows.
type Validator struct {
	Keys         string `toml:"keys"`          // directory; "" for a node that follows
	PasswordFile string `toml:"password_file"` // "" asks the environment, then the terminal
	Signer       string `toml:"signer"`        // host:port of the process that holds the voting key; "" for none
}

// P2P is the node's place among the others.
type P2P struct {
	Listen    Listen `toml:"listen"`
	Advertise Listen `toml:"advertise"` // the zero value: the address listened on, where it is a definite one
	Peers     []Peer `toml:"peers"`
	Boot      []Peer `toml:"boot"`
	Private   []ID   `toml:"private"` // nodes whose addresses are told to nobody
}

// RPC is the HTTP interface.
type RPC struct {
	Listen Listen `toml:"listen"`
	Rate   uint32 `toml:"rate"` // requests a second; 0 is no limit
	// Of TLS, PEM files; "" for neither.
	Cert string `toml:"cert"`
	Key  string `toml:"key"`
	// What one client may ask for; 0 is no limit.
	ClientRate     uint32    `toml:"client_rate"`
	ClientRequests uint32    `toml:"client_requests"`
	ClientStreams  uint32    `toml:"client_streams"`
	Proxies        []Network `toml:"proxies"` // that say who the client is
}

// Runners is where a validator takes the connections of runners, which it sends their jobs.
type Runners struct {
	Listen    Listen `toml:"listen"`    // UDP; the zero value: none are taken
	Advertise string `toml:"advertise"` // host:port that runners are told; "": the address listened on, where it is a definite one
	Polling   bool   `toml:"polling"`   // runners may ask for their jobs, too
}

// Gateway brings requests over HTTP to actors, where it listens anywhere.
type Gateway struct {
	Listen  Listen `toml:"listen"` // HTTPS; the zero value: none
	Plain   Listen `toml:"plain"`  // without TLS; the zero value: none
	Key     string `toml:"key"`    // key file of its account
	Cert    string `toml:"cert"`   // PEM files; "" for neither
	CertKey string `toml:"cert_key"`
	ACME    string `toml:"acme"` // directory address of an authority; "" for none
	Email   string `toml:"acme_email"`
	ACMECA  string `toml:"acme_ca"` // PEM file
	Cache   uint32 `toml:"cache_gib"`
}

// Admin is the operator's port.
type Admin struct {
	Listen Listen `toml:"listen"` // the zero value: none
}

// PVM is the Python side.
type PVM struct {
	Workers uint32 `toml:"workers"`
	BuildMs uint32 `toml:"build_ms"` // that building a block may take; 0 is a fifth of the leader deadline
}

// Memory is what the node may use.
type Memory struct {
	Budget uint32 `toml:"budget"` // MiB; 0 is half of what the machine or its control group has
}

// Log is what is written about the node's life.
type Log struct {
	Level  Level  `toml:"level"`
	Format Format `toml:"format"`
}

// Read reads and checks a file.
func Read(path string) (*Config, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxBytes {
		return nil, &Error{path, 0, fmt.Sprintf("%d bytes; a configuration has at most %d", info.Size(), maxBytes)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Parse reads the bytes of a file; path is named in errors and is where relative paths start.
func Parse(path string, data []byte) (*Config, error) {
	c := Default()
	c.dir = filepath.Dir(path)
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, complaint(path, data, err)
	}
	if c.Chain.ID == 0 {
		return nil, &Error{path, lineOf(data, "[chain]"), "chain.id is missing: it is the number of the network, such as id = 7"}
	}
	if c.PVM.Workers < 1 {
		return nil, &Error{path, lineOf(data, "workers"), "pvm.workers is at least 1"}
	}
	if at := c.Validator.Signer; at != "" {
		if _, _, err := net.SplitHostPort(at); err != nil {
			return nil, &Error{path, lineOf(data, "signer"), "validator.signer is host:port"}
		}
	}
	if at := c.Runners.Advertise; at != "" {
		if _, _, err := net.SplitHostPort(at); err != nil {
			return nil, &Error{path, lineOf(data, "[runners]"), "runners.advertise is host:port"}
		}
	}
	if (c.RPC.Cert == "") != (c.RPC.Key == "") {
		return nil, &Error{path, lineOf(data, "[rpc]"), "rpc.cert and rpc.key belong together: the files of a certificate and of its key, or neither"}
	}
	if b := int64(c.Memory.Budget) << 20; b != 0 && b < budget.Least {
		return nil, &Error{path, lineOf(data, "budget"), fmt.Sprintf("memory.budget is at least %d, or 0 for half of what there is", budget.Least>>20)}
	}
	return c, nil
}

// complaint puts a decoder's error into a line and words.
func complaint(path string, data []byte, err error) error {
	var strict *toml.StrictMissingError
	var decode *toml.DecodeError
	switch {
	case errors.As(err, &strict) && len(strict.Errors) > 0:
		first := &strict.Errors[0]
		line, _ := first.Position()
		name := strings.Join(first.Key(), ".")
		return &Error{path, line, fmt.Sprintf("there is no key %s; %s", name, suggest(name))}
	case errors.As(err, &decode):
		line, _ := decode.Position()
		text := strings.TrimPrefix(decode.Error(), "toml: ")
		if line > 0 {
			if key := keyOf(data, line); key != "" {
				text = key + ": " + text
			}
		}
		return &Error{path, line, text}
	}
	return &Error{path, 0, strings.TrimPrefix(err.Error(), "toml: ")}
}

// keyOf is the key that a line sets.
func keyOf(data []byte, line int) string {
	lines := strings.Split(string(data), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	key, _, ok := strings.Cut(lines[line-1], "=")
	if !ok {
		return ""
	}
	return strings.TrimSpace(key)
}

// lineOf is the first line that begins with a word, or 0.
func lineOf(data []byte, word string) int {
	for i, line := range strings.Split(string(data), "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), word) {
			return i + 1
		}
	}
	return 0
}

// Resolve makes a path of the file one of the process; "" stays "".
func (c *Config) Resolve(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(c.dir, path)
}
