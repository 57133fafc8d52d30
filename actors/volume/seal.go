package volume

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/cbfs"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// What pages of a manifest are sealed with in the place of a path. That of leaf pages is no path, so that neither the first page nor a file is taken for one.
//
// Spec: storage-cbfs §2.1.
const (
	firstPath = "__manifest__"
	leafPath  = "__manifest__/"
)

const (
	overhead     = 16                                           // what sealing adds: the tag of AES-GCM
	pageOverhead = cbfs.WriteIDSize + cbfs.NonceSize + overhead // what it adds to a page
)

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

// sealPage seals a page under what was drawn for it: write_id ‖ nonce ‖ sealed.
func sealPage(key *[KeySize]byte, volume digest.Hash, path string, plain []byte) ([]byte, error) {
	var w write
	rand.Read(w.id[:])
	rand.Read(w.nonce[:])
	box, err := gcm(key)
	if err != nil {
		return nil, err
	}
	out := make([]byte, 0, len(plain)+pageOverhead)
	out = append(append(out, w.id[:]...), w.nonce[:]...)
	return box.Seal(out, w.nonce[:], plain, associated(volume, path, w.id)), nil
}

// openPage opens what sealPage made. Errors: ErrRoot, ErrKey.
func openPage(key *[KeySize]byte, volume digest.Hash, path string, raw []byte) ([]byte, error) {
	if len(raw) < pageOverhead {
		return nil, ErrRoot
	}
	const head = cbfs.WriteIDSize + cbfs.NonceSize
	w := write{[cbfs.WriteIDSize]byte(raw), [cbfs.NonceSize]byte(raw[cbfs.WriteIDSize:])}
	return unseal(key, volume, path, w, append([]byte{}, raw[head:]...))
}
