package operate

import (
	"crypto/ed25519"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/relay/store"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboy/wallet"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
)

// Names in a data directory.
const (
	configFile  = "config.toml"
	accountFile = "relay.pem"
	keyFile     = "relay.key"
	storeDir    = "store"
	socketFile  = "control.sock"
	defaultPoll = 5 * time.Second
	gib         = 1 << 30
)

// config is everything a file can say.
type config struct {
	Relay struct {
		RPC         string `toml:"rpc"`
		ChainID     uint64 `toml:"chain_id"`
		Listen      string `toml:"listen"`       // host:port, UDP and TCP
		Endpoint    string `toml:"endpoint"`     // host:port that others reach it at
		CapacityGiB uint64 `toml:"capacity_gib"` // of the store
		Store       string `toml:"store"`        // directory, from the data directory on
		Poll        string `toml:"poll"`
		Metrics     string `toml:"metrics"`       // host:port; "" for none
		Accounts    string `toml:"accounts"`      // host:port of the account API; "" for none
		Cert        string `toml:"accounts_cert"` // PEM files, from the data directory on, for https
		CertKey     string `toml:"accounts_key"`
	} `toml:"relay"`
	S3 *objects `toml:"s3"` // keep the store there and not in a directory

	poll time.Duration
}

// objects says which object store a relay keeps its shards in.
type objects struct {
	Endpoint    string `toml:"endpoint"` // host:port
	Bucket      string `toml:"bucket"`
	Prefix      string `toml:"prefix"`
	Region      string `toml:"region"`
	Plain       bool   `toml:"plain"`       // without TLS
	Credentials string `toml:"credentials"` // file as AWS' tools read it; variables come first
}

// bucket is where the object store is for a relay; nil where it keeps a directory.
func (c *config) bucket(key ed25519.PrivateKey) *store.Bucket {
	o := c.S3
	if o == nil {
		return nil
	}
	return &store.Bucket{
		Endpoint: o.Endpoint, Name: o.Bucket, Prefix: o.Prefix, Region: o.Region, Plain: o.Plain, Owner: NodeOf(key).Hex(),
		Credentials: store.CredentialsOf(o.Credentials),
	}
}

// readConfig reads the configuration of a data directory. Unknown names are errors.
func readConfig(dir string) (*config, error) {
	c := &config{poll: defaultPoll}
	if err := operator.ReadConfig(filepath.Join(dir, configFile), c, c.check); err != nil {
		return nil, err
	}
	if c.Relay.Store == "" {
		c.Relay.Store = storeDir
	}
	for _, path := range [...]*string{&c.Relay.Store, &c.Relay.Cert, &c.Relay.CertKey} {
		if *path != "" && !filepath.IsAbs(*path) {
			*path = filepath.Join(dir, *path)
		}
	}
	return c, nil
}

func (c *config) check() error {
	r := &c.Relay
	if r.CapacityGiB == 0 || r.CapacityGiB > 1<<26 {
		return errors.New("capacity_gib is from 1 to 67108864")
	}
	for name, at := range map[string]string{"listen": r.Listen, "endpoint": r.Endpoint} {
		if _, _, err := net.SplitHostPort(at); err != nil {
			return fmt.Errorf("%s is host:port: %w", name, err)
		}
	}
	if r.Accounts != "" {
		if _, _, err := net.SplitHostPort(r.Accounts); err != nil {
			return fmt.Errorf("accounts is host:port: %w", err)
		}
	}
	if (r.Cert == "") != (r.CertKey == "") || r.Cert != "" && r.Accounts == "" {
		return errors.New("accounts_cert and accounts_key come together, and with accounts")
	}
	if o := c.S3; o != nil && (o.Endpoint == "" || o.Bucket == "" || strings.HasPrefix(o.Prefix, "/") || strings.HasSuffix(o.Prefix, "/")) {
		return errors.New("s3 has an endpoint and a bucket, and a prefix without slashes at its ends")
	}
	if r.Poll == "" {
		return nil
	}
	var err error
	if c.poll, err = time.ParseDuration(r.Poll); err != nil || c.poll < 100*time.Millisecond || c.poll > time.Minute {
		return errors.New("poll is a time from 100ms to 1m")
	}
	return nil
}

// keys reads the key of the relay's account and that of its protocol.
func keys(dir string) (*sig.PrivateKey, ed25519.PrivateKey, error) {
	raw, err := wallet.Load(filepath.Join(dir, accountFile))
	if err != nil {
		return nil, nil, err
	}
	account, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		return nil, nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, keyFile))
	if err != nil {
		return nil, nil, err
	}
	seed, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, nil, fmt.Errorf("%s is not 64 hexadecimal digits", keyFile)
	}
	return account, ed25519.NewKeyFromSeed(seed), nil
}
