package daemon

import (
	"context"
	"crypto/tls"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rs/zerolog"

	"github.com/cowboyinc/cowboy-go/actors/signer"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/genesis"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/cmd/cowboyd/keyring"
)

// Files of the two sides of a remote signer.
const (
	signerConfig  = "signer.json"
	signerJournal = "journal"
	signerFolder  = "signer" // of the node, in its data directory
	publicFile    = "key"    // of the node: the voting key others know
)

// signerWithin is how long a node that starts waits for its signer.
const signerWithin = 30 * time.Second

// expirySoon is how long before its end a certificate is worth a warning.
const expirySoon = 30 * 24 * time.Hour

// side names the files of one side's certificate: its own, its key, and the other side's certificate.
type side struct{ dir, name, other string }

func (x side) certificate() string { return filepath.Join(x.dir, x.name+".crt") }
func (x side) key() string         { return filepath.Join(x.dir, x.name+".key") }
func (x side) others() string      { return filepath.Join(x.dir, x.other+".crt") }

func nodeSide(dir string) side   { return side{dir, signer.NodeName, signer.ServerName} }
func signerSide(dir string) side { return side{dir, signer.ServerName, signer.NodeName} }

// tls reads the side's files.
func (x side) tls() (*tls.Config, error) {
	var data [3][]byte
	for i, path := range []string{x.certificate(), x.key(), x.others()} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		if i == 1 && info.Mode().Perm()&0o077 != 0 {
			return nil, fmt.Errorf("%s: %w; run `chmod 600 %s`", path, keyring.ErrOpen, path)
		}
		if data[i], err = os.ReadFile(path); err != nil {
			return nil, err
		}
	}
	return signer.TLS(data[0], data[1], data[2])
}

// expiring tells of a certificate that ends soon.
func (x side) expiring(now time.Time) (text string) {
	for _, path := range []string{x.certificate(), x.others()} {
		data, err := os.ReadFile(path)
		if err != nil {
			return err.Error()
		}
		end, err := signer.Expiry(data)
		if err != nil {
			return path + ": " + err.Error()
		}
		if end.Sub(now) < expirySoon {
			return fmt.Sprintf("%s ends on %s", path, end.UTC().Format(time.DateOnly))
		}
	}
	return ""
}

// signerDir is where the node's side of its signer lies.
func (s *settings) signerDir() string { return filepath.Join(s.dataDir, signerFolder) }

// signedFor is the voting key that the signer has, as `cowboyd signer init` noted it.
func (s *settings) signedFor() (key sig.BLSPublicKey, err error) {
	path := filepath.Join(s.signerDir(), publicFile)
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return key, fmt.Errorf("there is no %s\n  `cowboyd signer init` makes the files of both sides", path)
	}
	if err != nil {
		return key, err
	}
	n, err := hex.Decode(key[:], firstWord(text))
	if err != nil || n != len(key) {
		return key, fmt.Errorf("%s: not the hexadecimal of a voting key", path)
	}
	return key, nil
}

// firstWord is a file's first line without its end, as long as a key's at most.
func firstWord(text []byte) []byte {
	for i, b := range text {
		if b == '\n' || b == '\r' {
			text = text[:i]
			break
		}
	}
	return text[:min(len(text), 2*sig.BLSPublicKeySize)]
}

// dialSigner reaches the signer that holds the voting key.
func (s *settings) dialSigner(spec *genesis.Spec) (*signer.Client, error) {
	if r := s.ring(); r.Has(keyring.Vote) {
		return nil, fmt.Errorf("%s is here, and validator.signer names a signer at %s: one voting key has one place\n"+
			"  move the key to the signer by `cowboyd signer init`, or take validator.signer out of %s", r.Path(keyring.Vote), s.signer, s.configPath())
	}
	key, err := s.signedFor()
	if err != nil {
		return nil, err
	}
	config, err := nodeSide(s.signerDir()).tls()
	if err != nil {
		return nil, fmt.Errorf("the certificates in %s: %w\n  `cowboyd signer certificates` makes new ones for both sides", s.signerDir(), err)
	}
	hash, err := genesisDigest(spec)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), signerWithin)
	defer cancel()
	client, err := signer.Dial(ctx, s.signer, config, key, hash)
	if err != nil {
		return nil, fmt.Errorf("%w\n  start `cowboyd signer run` there, and compare the address, the firewall and the certificates of both sides", err)
	}
	return client, nil
}

// reportFailures makes ready for reporting a halt, and has the log report failures of the signer.
func (s *settings) reportFailures(log zerolog.Logger) {
	reserveHalt(s, log)
	if s.signing != nil {
		s.signing.Observe = signerLines(s.signer, log)
	}
}

// signerLines tells in the log when the signer begins to fail and when it signs again.
func signerLines(at string, log zerolog.Logger) func(*signer.Error) {
	return func(failing *signer.Error) {
		if failing != nil {
			log.Error().Str("failure", failing.Failure.String()).Msg(failing.Error() + "; this validator does not vote meanwhile")
			return
		}
		log.Info().Str("signer", at).Msg("the signer signs again")
	}
}

// genesisDigest is genesisHash as a number.
func genesisDigest(spec *genesis.Spec) (h digest.Hash, err error) {
	text, err := genesisHash(spec)
	if err == nil {
		_, err = hex.Decode(h[:], []byte(text))
	}
	return h, err
}

// signerRecord is signer.json: what the signer signs for.
type signerRecord struct {
	ChainID uint64 `json:"chain_id"`
	Genesis string `json:"genesis"` // hash of the genesis block, hexadecimal
	Listen  string `json:"listen"`  // host:port
}

// digest is the genesis hash.
func (r *signerRecord) digest() (h digest.Hash, err error) {
	if len(r.Genesis) != 2*len(h) {
		return h, errors.New("genesis is no hash")
	}
	_, err = hex.Decode(h[:], []byte(r.Genesis))
	return h, err
}

func readSigner(dir string) (*signerRecord, digest.Hash, error) {
	path := filepath.Join(dir, signerConfig)
	data, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil, digest.Hash{}, fmt.Errorf("there is no %s\n  `cowboyd signer init %s` makes a signer's directory", path, dir)
	}
	if err != nil {
		return nil, digest.Hash{}, err
	}
	r := &signerRecord{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, digest.Hash{}, fmt.Errorf("%s: %w", path, err)
	}
	h, err := r.digest()
	if err != nil {
		return nil, h, fmt.Errorf("%s: %w", path, err)
	}
	return r, h, nil
}
