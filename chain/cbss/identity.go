package cbss

import (
	"encoding/binary"

	blst "github.com/supranational/blst/bindings/go"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
)

// SecretID names a secret of an account.
//
// Spec: secrets-cbss §2.
type SecretID struct {
	Account account.Address
	KeyHash digest.Hash
}

// SecretIDSize is its canonical size in bytes.
const SecretIDSize = account.AddressSize + digest.Size

// Append appends account(20) ‖ key_hash(32).
func (s SecretID) Append(dst []byte) []byte {
	return append(append(dst, s.Account[:]...), s.KeyHash[:]...)
}

// KeyHash is what stands for the name of a secret: keccak256(account ‖ key_name).
//
// Spec: secrets-cbss §2.
func KeyHash(owner account.Address, name string) digest.Hash {
	return digest.Keccak256(owner[:], []byte(name))
}

// VolumeKeyHash is what stands for the key of a private volume in an identity: keccak256("cbfs-dek" ‖ volume_id).
//
// Spec: secrets-cbss §11.
func VolumeKeyHash(volume digest.Hash) digest.Hash {
	return digest.Keccak256([]byte("cbfs-dek"), volume[:])
}

// CheckName reports whether a name is one of a secret: [A-Z][A-Z0-9_]{0,127}.
//
// Spec: secrets-cbss §2.
func CheckName(name string) bool {
	if name == "" || len(name) > 128 || name[0] < 'A' || name[0] > 'Z' {
		return false
	}
	for _, c := range []byte(name) {
		if (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '_' {
			return false
		}
	}
	return true
}

// Identity is what an envelope is sealed to: one version of one secret of one chain, under one key.
//
// Spec: secrets-cbss §3, §12 (1).
type Identity struct {
	ChainID uint64
	Secret  SecretID
	Version uint64
	Epoch   uint64 // wrap_epoch
	Master  Key
}

// IdentitySize is the size of the associated data in bytes.
const IdentitySize = 8 + SecretIDSize + 8 + 8 + KeySize

// Bytes is the associated data, 172 bytes: chain_id be8 ‖ account ‖ key_hash ‖ version le8 ‖ wrap_epoch le8 ‖ mpk.
//
// Spec: secrets-cbss §3.
func (i *Identity) Bytes() []byte {
	dst := binary.BigEndian.AppendUint64(make([]byte, 0, IdentitySize), i.ChainID)
	dst = i.Secret.Append(dst)
	dst = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(dst, i.Version), i.Epoch)
	return append(dst, i.Master[:]...)
}

// Point is where the identity lies in G1.
func (i *Identity) Point() Point { return Point(i.hashed().Compress()) }

func (i *Identity) hashed() *blst.P1Affine {
	return blst.HashToG1(i.Bytes(), []byte(Domain)).ToAffine()
}

// ParseIdentity reads what Bytes gave. Reject: ErrOpen for another size.
//
// Spec: secrets-cbss §3.
func ParseIdentity(data []byte) (*Identity, error) {
	if len(data) != IdentitySize {
		return nil, ErrOpen
	}
	i := &Identity{ChainID: binary.BigEndian.Uint64(data)}
	data = data[8:]
	data = data[copy(i.Secret.Account[:], data):]
	data = data[copy(i.Secret.KeyHash[:], data):]
	i.Version, i.Epoch = binary.LittleEndian.Uint64(data), binary.LittleEndian.Uint64(data[8:])
	copy(i.Master[:], data[16:])
	return i, nil
}
