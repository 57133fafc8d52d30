package wallet

import (
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/btcsuite/btcd/btcec/v2"
)

const (
	armourBegin = "-----BEGIN COWBOY PRIVATE KEY-----"
	armourEnd   = "-----END COWBOY PRIVATE KEY-----"
)

// ErrBadKey says that a file or text holds no usable private key.
var ErrBadKey = errors.New("not a secp256k1 private key")

// Key is a private key: 32 bytes, a scalar from 1 to the order of the curve less one.
type Key [32]byte

// New draws a key from the system's random source.
func New() (Key, error) {
	for {
		var k Key
		if _, err := rand.Read(k[:]); err != nil {
			return Key{}, err
		}
		if k.check() == nil {
			return k, nil
		}
	}
}

func (k Key) check() error {
	var scalar btcec.ModNScalar
	if scalar.SetByteSlice(k[:]) || scalar.IsZero() {
		return ErrBadKey
	}
	return nil
}

// Hex gives the key as 64 hex digits.
func (k Key) Hex() string { return hex.EncodeToString(k[:]) }

// checksum is the first four hex digits of SHA-256 over the raw key.
func (k Key) checksum() string {
	sum := sha256.Sum256(k[:])
	return hex.EncodeToString(sum[:2])
}

// PEM gives the key in its armour.
func (k Key) PEM() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nCurve: secp256k1\nChecksum: %s\n\n%s\n%s\n",
		armourBegin, k.checksum(), base64.StdEncoding.EncodeToString(k[:]), armourEnd)
	return b.Bytes()
}

// ParseHex reads 64 hex digits with or without 0x.
func ParseHex(text string) (Key, error) {
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X")
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) != len(Key{}) {
		return Key{}, fmt.Errorf("%w: want 64 hex digits", ErrBadKey)
	}
	k := Key(raw)
	return k, k.check()
}

// Parse reads a key file's content: the armoured form or raw hex.
func Parse(content []byte) (Key, error) {
	text := strings.TrimSpace(string(content))
	if !strings.HasPrefix(text, armourBegin) {
		return ParseHex(text)
	}
	if !strings.HasSuffix(text, armourEnd) {
		return Key{}, fmt.Errorf("%w: the armour has no end line", ErrBadKey)
	}
	var body, checksum string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		name, value, header := strings.Cut(line, ":")
		switch {
		case line == "" || strings.HasPrefix(line, "-----"):
		case header && name == "Curve":
			if strings.TrimSpace(value) != "secp256k1" {
				return Key{}, fmt.Errorf("%w: the curve is %s", ErrBadKey, strings.TrimSpace(value))
			}
		case header && name == "Checksum":
			checksum = strings.ToLower(strings.TrimSpace(value))
		case header:
		default:
			body += line
		}
	}
	raw, err := base64.StdEncoding.DecodeString(body)
	if err != nil || len(raw) != len(Key{}) {
		return Key{}, fmt.Errorf("%w: the armour does not hold 32 bytes", ErrBadKey)
	}
	k := Key(raw)
	if checksum != "" && checksum != k.checksum() {
		return Key{}, fmt.Errorf("%w: the checksum does not match; the file is damaged", ErrBadKey)
	}
	return k, k.check()
}

// Load reads a key file.
func Load(path string) (Key, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return Key{}, err
	}
	k, err := Parse(content)
	if err != nil {
		return Key{}, fmt.Errorf("%s: %w", path, err)
	}
	return k, nil
}

// Save writes the armoured key, readable by its owner only. An existing file is refused unless force is set.
func (k Key) Save(path string, force bool) error {
	if dir := filepath.Dir(path); dir != "." {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_EXCL
	if force {
		flags = os.O_WRONLY | os.O_CREATE | os.O_TRUNC
	}
	file, err := os.OpenFile(path, flags, 0o600)
	if err != nil {
		return err
	}
	if _, err := file.Write(k.PEM()); err != nil {
		_ = file.Close()
		return err
	}
	return file.Close()
}
