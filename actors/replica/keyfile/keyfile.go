package keyfile

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"

	"golang.org/x/crypto/scrypt"
	"golang.org/x/text/unicode/norm"

	"github.com/cowboyinc/cowboy-go/actors/format"
)

var (
	// ErrFormat reports a file that is not of the format, or not within the bounds.
	ErrFormat = errors.New("keyfile: not a key file")
	// ErrPassword reports a password that does not open the file.
	ErrPassword = errors.New("keyfile: wrong password")
)

const (
	maxFile    = 16 << 10
	maxSecret  = 64
	keyBytes   = 32 // derived
	saltBytes  = 32
	maxMemory  = 512 << 20 // of scrypt
	maxRounds  = 1 << 24   // of PBKDF2
	leastWork  = 1 << 12   // of either
	standardR  = 8
	standardP  = 1
	checkBytes = 16 // of the derived key that go into the checksum
)

// File is what a key file says without its password.
type File struct {
	Description string
	PublicKey   string // hexadecimal, as the file has it
	Path        string // of the derivation, if any
	UUID        string

	crypto envelope
}

// module is one function of the envelope: its name, its parameters, what it is applied to.
type module struct {
	Function string          `json:"function"`
	Params   json.RawMessage `json:"params"`
	Message  string          `json:"message"`
}

type envelope struct {
	KDF      module `json:"kdf"`
	Checksum module `json:"checksum"`
	Cipher   module `json:"cipher"`
}

type document struct {
	Crypto      envelope `json:"crypto"`
	Description string   `json:"description"`
	PublicKey   string   `json:"pubkey"`
	Path        string   `json:"path"`
	UUID        string   `json:"uuid"`
	Version     int      `json:"version"`
}

type scryptParams struct {
	Length int    `json:"dklen"`
	N      int    `json:"n"`
	R      int    `json:"r"`
	P      int    `json:"p"`
	Salt   string `json:"salt"`
}

type pbkdf2Params struct {
	Length int    `json:"dklen"`
	Count  int    `json:"c"`
	PRF    string `json:"prf"`
	Salt   string `json:"salt"`
}

type cipherParams struct {
	IV string `json:"iv"`
}

// Parse reads a key file; the error wraps ErrFormat.
func Parse(data []byte) (*File, error) {
	if len(data) > maxFile {
		return nil, fmt.Errorf("%w: %d bytes", ErrFormat, len(data))
	}
	var d document
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	if decoder.More() {
		return nil, fmt.Errorf("%w: more than one document", ErrFormat)
	}
	if d.Version < 0 || d.Version > math.MaxUint32 {
		return nil, fmt.Errorf("%w: version %d", ErrFormat, d.Version)
	}
	if err := Format.Check("the file", format.Version(d.Version)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return &File{Description: d.Description, PublicKey: d.PublicKey, Path: d.Path, UUID: d.UUID, crypto: d.Crypto}, nil
}

// Open gives the secret: ErrPassword for a wrong password, an error that wraps ErrFormat for a file out of bounds.
func (f *File) Open(password string) ([]byte, error) {
	c := &f.crypto
	if c.Checksum.Function != "sha256" || c.Cipher.Function != "aes-128-ctr" {
		return nil, fmt.Errorf("%w: %s and %s", ErrFormat, c.Checksum.Function, c.Cipher.Function)
	}
	sealed, err := field(c.Cipher.Message, 1, maxSecret)
	if err != nil {
		return nil, err
	}
	want, err := field(c.Checksum.Message, sha256.Size, sha256.Size)
	if err != nil {
		return nil, err
	}
	var p cipherParams
	if err := params(c.Cipher.Params, &p); err != nil {
		return nil, err
	}
	iv, err := field(p.IV, aes.BlockSize, aes.BlockSize)
	if err != nil {
		return nil, err
	}
	key, err := c.KDF.derive(normalize(password))
	if err != nil {
		return nil, err
	}
	if sum := checksum(key, sealed); subtle.ConstantTimeCompare(sum[:], want) != 1 {
		return nil, ErrPassword
	}
	return stream(key, iv, sealed)
}

// Work is what one try of a password costs: the n of scrypt.
type Work int

// The costs.
const (
	Standard Work = 1 << 18   // 256 MiB and most of a second
	Light    Work = leastWork // 4 MiB: for networks whose keys are worth nothing
)

// Seal is Standard.Seal.
func Seal(secret []byte, password, pubkey, description string, random io.Reader) ([]byte, error) {
	return Standard.Seal(secret, password, pubkey, description, random)
}

// Seal makes a key file of a secret of at most 64 bytes. pubkey is told to whoever reads the file; salts come from random.
func (w Work) Seal(secret []byte, password, pubkey, description string, random io.Reader) ([]byte, error) {
	if len(secret) == 0 || len(secret) > maxSecret {
		return nil, fmt.Errorf("%w: a secret of %d bytes", ErrFormat, len(secret))
	}
	var drawn [saltBytes + aes.BlockSize + 16]byte
	if _, err := io.ReadFull(random, drawn[:]); err != nil {
		return nil, err
	}
	salt, iv, id := drawn[:saltBytes], drawn[saltBytes:saltBytes+aes.BlockSize], drawn[saltBytes+aes.BlockSize:]
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	kdf := scryptParams{Length: keyBytes, N: int(w), R: standardR, P: standardP, Salt: hex.EncodeToString(salt)}
	key, err := scrypt.Key(normalize(password), salt, kdf.N, kdf.R, kdf.P, kdf.Length)
	if err != nil {
		return nil, err
	}
	sealed, err := stream(key, iv, secret)
	if err != nil {
		return nil, err
	}
	sum := checksum(key, sealed)
	text := func(v any) json.RawMessage {
		raw, err := json.Marshal(v)
		if err != nil {
			panic("keyfile: " + err.Error())
		}
		return raw
	}
	return json.MarshalIndent(document{
		Crypto: envelope{
			KDF:      module{Function: "scrypt", Params: text(kdf)},
			Checksum: module{Function: "sha256", Params: text(struct{}{}), Message: hex.EncodeToString(sum[:])},
			Cipher:   module{Function: "aes-128-ctr", Params: text(cipherParams{hex.EncodeToString(iv)}), Message: hex.EncodeToString(sealed)},
		},
		Description: description, PublicKey: pubkey, Version: int(Format.Now),
		UUID: fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:]),
	}, "", "  ")
}

// derive makes the key of a password, within the bounds on work.
func (m *module) derive(password []byte) ([]byte, error) {
	switch m.Function {
	case "scrypt":
		var p scryptParams
		if err := params(m.Params, &p); err != nil {
			return nil, err
		}
		salt, err := field(p.Salt, 8, 64)
		if err != nil {
			return nil, err
		}
		// 128·r·n bytes of memory, p times over
		if p.Length != keyBytes || p.N < leastWork || p.N > maxMemory/128 || p.N&(p.N-1) != 0 || p.R < 1 || p.R > maxMemory/128/p.N || p.P < 1 || p.P > 16 {
			return nil, fmt.Errorf("%w: scrypt with n %d, r %d, p %d, dklen %d", ErrFormat, p.N, p.R, p.P, p.Length)
		}
		return scrypt.Key(password, salt, p.N, p.R, p.P, p.Length)
	case "pbkdf2":
		var p pbkdf2Params
		if err := params(m.Params, &p); err != nil {
			return nil, err
		}
		salt, err := field(p.Salt, 8, 64)
		if err != nil {
			return nil, err
		}
		if p.Length != keyBytes || p.Count < leastWork || p.Count > maxRounds || p.PRF != "hmac-sha256" {
			return nil, fmt.Errorf("%w: pbkdf2 of %s with c %d, dklen %d", ErrFormat, p.PRF, p.Count, p.Length)
		}
		return pbkdf2.Key(sha256.New, string(password), salt, p.Count, p.Length)
	}
	return nil, fmt.Errorf("%w: key derivation %q", ErrFormat, m.Function)
}

func params(raw json.RawMessage, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return nil
}

func field(text string, least, most int) ([]byte, error) {
	raw, err := hex.DecodeString(text)
	if err != nil || len(raw) < least || len(raw) > most {
		return nil, fmt.Errorf("%w: a field of %d digits", ErrFormat, len(text))
	}
	return raw, nil
}

// normalize is NFKD without C0, C1 and delete.
func normalize(password string) []byte {
	return []byte(strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r <= 0x9f {
			return -1
		}
		return r
	}, norm.NFKD.String(password)))
}

func checksum(key, sealed []byte) [sha256.Size]byte {
	return sha256.Sum256(append(append([]byte(nil), key[checkBytes:]...), sealed...))
}

func stream(key, iv, in []byte) ([]byte, error) {
	block, err := aes.NewCipher(key[:checkBytes])
	if err != nil {
		return nil, err
	}
	out := make([]byte, len(in))
	cipher.NewCTR(block, iv).XORKeyStream(out, in)
	return out, nil
}
