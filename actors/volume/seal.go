package volume

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// manifestPath is what a manifest is sealed with in the place of a path.
//
// Spec: storage-cbfs §2.1.
const manifestPath = "__manifest__"

// overhead is what sealing adds: the tag of AES-GCM.
const overhead = 16

// write is what is drawn for one write of an object.
type write struct {
	id    [cbfs.WriteIDSize]byte
	nonce [cbfs.NonceSize]byte
}

func gcm(key *[KeySize]byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// associated is volume_id ‖ path ‖ write_id.
//
// Spec: storage-cbfs §3.1.
func associated(volume digest.Hash, path string, id [cbfs.WriteIDSize]byte) []byte {
	return append(append(append([]byte{}, volume[:]...), path...), id[:]...)
}

// seal encrypts in place: plain has room for the tag behind it.
//
// Spec: storage-cbfs §3.1 (AES-256-GCM).
func seal(key *[KeySize]byte, volume digest.Hash, path string, w write, plain []byte) ([]byte, error) {
	box, err := gcm(key)
	if err != nil {
		return nil, err
	}
	return box.Seal(plain[:0], w.nonce[:], plain, associated(volume, path, w.id)), nil
}

// unseal decrypts in place. Error: ErrKey.
func unseal(key *[KeySize]byte, volume digest.Hash, path string, w write, sealed []byte) ([]byte, error) {
	box, err := gcm(key)
	if err != nil {
		return nil, err
	}
	plain, err := box.Open(sealed[:0], w.nonce[:], sealed, associated(volume, path, w.id))
	if err != nil {
		return nil, fmt.Errorf("%q: %w", path, ErrKey)
	}
	return plain, nil
}

// sealManifest seals a manifest: write_id ‖ nonce ‖ sealed.
func sealManifest(key *[KeySize]byte, volume digest.Hash, w write, plain []byte) ([]byte, error) {
	buffer := make([]byte, len(plain), len(plain)+overhead)
	copy(buffer, plain)
	sealed, err := seal(key, volume, manifestPath, w, buffer)
	return append(append(append([]byte{}, w.id[:]...), w.nonce[:]...), sealed...), err
}

// openManifest opens what sealManifest made. Errors: ErrRoot, ErrKey.
func openManifest(key *[KeySize]byte, volume digest.Hash, raw []byte) ([]byte, error) {
	const head = cbfs.WriteIDSize + cbfs.NonceSize
	if len(raw) < head+overhead {
		return nil, ErrRoot
	}
	w := write{[cbfs.WriteIDSize]byte(raw), [cbfs.NonceSize]byte(raw[cbfs.WriteIDSize:])}
	return unseal(key, volume, manifestPath, w, append([]byte{}, raw[head:]...))
}
