package shares

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig/bls"
)

const (
	lengthBytes = 4
	nonceBytes  = 12
	keyBytes    = 32
	// frameMax bounds a sealed frame: a deal is smaller than the transaction its commitment has to fit in.
	frameMax = params.MaxTxBytes + 1024
)

// seal writes and reads frames.
type seal struct {
	aead   cipher.AEAD
	nonces []byte // key the nonces are derived with
	chain  digest.Hash
}

// SecretSize is the size of what Secret gives.
const SecretSize = 2 * keyBytes

// Secret is what the files of a voting key on a chain are sealed with. It tells nothing of the key.
func Secret(chain digest.Hash, key *bls.PrivateKey) ([]byte, error) {
	return hkdf.Key(sha256.New, key.Bytes(), chain[:], "cowboy validator shares", SecretSize)
}

func newSeal(chain digest.Hash, secret []byte) (*seal, error) {
	if len(secret) != SecretSize {
		return nil, fmt.Errorf("shares: a secret has %d bytes", SecretSize)
	}
	block, err := aes.NewCipher(secret[:keyBytes])
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &seal{aead, secret[keyBytes:], chain}, err
}

// bound is what a frame is sealed together with.
func (s *seal) bound(name string) []byte { return append(s.chain[:len(s.chain):len(s.chain)], name...) }

// frame seals a text for a file.
func (s *seal) frame(name string, text []byte) []byte {
	bound := s.bound(name)
	nonce := digest.Blake3(s.nonces, bound, text)
	out := binary.BigEndian.AppendUint32(nil, uint32(nonceBytes+len(text)+s.aead.Overhead()))
	out = append(out, nonce[:nonceBytes]...)
	return s.aead.Seal(out, nonce[:nonceBytes], text, bound)
}

// frames reads all frames of a file and tells where the next one goes. A torn last one is left out.
func (s *seal) frames(f disk.File, name string) (texts [][]byte, size int64, err error) {
	length, err := f.Size()
	if err != nil {
		return nil, 0, err
	}
	data := make([]byte, length)
	if n, err := f.ReadAt(data, 0); int64(n) != length {
		return nil, 0, fmt.Errorf("%w: %s: %d of %d bytes: %w", ErrDamaged, name, n, length, err)
	}
	if v, ok := Format.Marked(data); ok {
		return nil, 0, Format.Refuse(name, v)
	}
	for rest := data; len(rest) > 0; {
		text, after, ok := s.cut(name, rest)
		if !ok && torn(rest) {
			break
		}
		if !ok {
			return nil, 0, fmt.Errorf("%w: %s at byte %d", ErrDamaged, name, size)
		}
		texts, rest = append(texts, text), after
		size = length - int64(len(rest))
	}
	return texts, size, nil
}

// cut opens the first frame.
func (s *seal) cut(name string, data []byte) (text, rest []byte, ok bool) {
	if len(data) < lengthBytes {
		return nil, nil, false
	}
	n := int(binary.BigEndian.Uint32(data))
	data = data[lengthBytes:]
	if n < nonceBytes || n > frameMax || n > len(data) {
		return nil, nil, false
	}
	text, err := s.aead.Open(nil, data[:nonceBytes], data[nonceBytes:n], s.bound(name))
	return text, data[n:], err == nil
}

// torn reports whether a frame that does not open may be the last, half written: it reaches to the end of the file or beyond, or its length was never
// written.
func torn(data []byte) bool {
	if len(data) < lengthBytes {
		return true
	}
	n := uint64(binary.BigEndian.Uint32(data))
	return n == 0 || n >= uint64(len(data)-lengthBytes)
}
