package operate

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/cmd/internal/operator"
)

// Names in a data directory.
const (
	configFile     = "config.toml"
	keyFile        = "operator.pem"
	passphraseFile = "passphrase"
	storeDir       = "store"
	socketFile     = "control.sock"
	defaultPoll    = 2 * time.Second
	leastSecret    = 16 // bytes of a passphrase
)

// config is everything a file can say.
type config struct {
	Proxy struct {
		RPC        string  `toml:"rpc"`
		ChainID    uint64  `toml:"chain_id"`
		Poll       string  `toml:"poll"`
		Listen     string  `toml:"listen"`     // host:port, UDP
		Address    string  `toml:"address"`    // host:port that others use; "" for listen
		Stake      string  `toml:"stake"`      // in CBY
		Passphrase string  `toml:"passphrase"` // a file, from the data directory on; "" for passphrase
		Metrics    string  `toml:"metrics"`    // host:port; "" for none
		Rate       float64 `toml:"rate"`       // questions a second from one address
	} `toml:"proxy"`

	poll  time.Duration
	stake unit.Amount
}

// readConfig reads the configuration of a data directory. Unknown names are errors.
func readConfig(dir string) (*config, error) {
	c := &config{poll: defaultPoll}
	if err := operator.ReadConfig(filepath.Join(dir, configFile), c, c.check); err != nil {
		return nil, err
	}
	return c, nil
}

func (c *config) check() (err error) {
	if c.Proxy.Poll != "" {
		if c.poll, err = time.ParseDuration(c.Proxy.Poll); err != nil || c.poll < 100*time.Millisecond || c.poll > time.Minute {
			return errors.New("proxy.poll is from 100ms to 1m")
		}
	}
	if c.stake, err = unit.ParseCBY(c.Proxy.Stake); err != nil {
		return fmt.Errorf("proxy.stake: %w", err)
	}
	if _, _, err = net.SplitHostPort(c.Proxy.Listen); err != nil {
		return fmt.Errorf("proxy.listen: %w", err)
	}
	if c.Proxy.Address == "" {
		c.Proxy.Address = c.Proxy.Listen
	}
	host, port, err := net.SplitHostPort(c.Proxy.Address)
	if ip := net.ParseIP(host); err != nil || host == "" || port == "0" || ip != nil && ip.IsUnspecified() {
		return errors.New("proxy.address is a host and a port that runners and other proxies reach")
	}
	if c.Proxy.Rate < 0 {
		return errors.New("proxy.rate is above zero")
	}
	return nil
}

// passphrase reads the secret of the vault: a file that nobody else can read.
func (c *config) passphrase(dir string) ([]byte, error) {
	path := c.Proxy.Passphrase
	if path == "" {
		path = passphraseFile
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return nil, fmt.Errorf("%s: others can read it; run `chmod 600 %s`", path, path)
	}
	text, err := os.ReadFile(path)
	if text = bytes.TrimSpace(text); err == nil && len(text) < leastSecret {
		err = fmt.Errorf("%s: a passphrase has at least %d characters", path, leastSecret)
	}
	return text, err
}
