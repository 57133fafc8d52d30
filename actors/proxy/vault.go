package proxy

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"golang.org/x/crypto/chacha20poly1305"
	"golang.org/x/crypto/scrypt"

	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
	"github.com/cowboyinc/cowboy-go/chain/cbss"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/secret"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// The vault is one file: title ‖ salt(16) ‖ nonce(24) ‖ XChaCha20-Poly1305 of what the proxy keeps, under a key that scrypt makes of the passphrase, with the
// title, the salt and the chain as associated data. It is replaced as a whole; once the new one is on the disk, the one before is overwritten with zeros there,
// as far as the file system writes where something stood.
//
// Spec: secrets-cbss §3 (cbss/share-storage/v1).
const (
	vaultFile   = "shares.vault"
	vaultNext   = "shares.next"
	vaultTitle  = "cowboy proxy 1 cbss/share-storage/v1\n"
	saltSize    = 16
	maxVault    = 256 << 20
	scryptWork  = 1 << 15
	scryptBlock = 8
)

var (
	// ErrPassphrase reports a vault that does not open: another passphrase, another chain, or damage.
	ErrPassphrase = errors.New("proxy: the vault does not open with this passphrase")
	// ErrPresent reports a vault where one is to be made.
	ErrPresent = errors.New("proxy: there is a vault already")
)

// Vault is where a proxy keeps its keys and shares.
type Vault struct {
	disk    disk.Disk
	key     []byte
	salt    [saltSize]byte
	chainID uint64
}

func (v *Vault) derive(passphrase []byte) (err error) {
	v.key, err = scrypt.Key(passphrase, v.salt[:], scryptWork, scryptBlock, 1, chacha20poly1305.KeySize)
	return err
}

func (v *Vault) data() []byte {
	return codec.AppendU64(append([]byte(vaultTitle), v.salt[:]...), v.chainID)
}

// Make makes a vault with the keys of a new proxy of an operator.
func Make(at disk.Disk, passphrase []byte, chainID uint64, id func(sig.CompressedKey) digest.Hash) (*Identity, error) {
	if f, err := at.Open(vaultFile); err == nil {
		return nil, errors.Join(ErrPresent, f.Close())
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	v := &Vault{disk: at, chainID: chainID}
	rand.Read(v.salt[:])
	if err := v.derive(passphrase); err != nil {
		return nil, err
	}
	self := new(Identity)
	for self.Key == nil {
		var raw [32]byte
		rand.Read(raw[:])
		self.Key, _ = sig.ParsePrivateKey(raw[:]) // one that is none is drawn again
	}
	var err error
	if self.HPKE, err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	if _, self.TLS, err = ed25519.GenerateKey(rand.Reader); err != nil {
		return nil, err
	}
	self.ID = id(self.Key.Compressed())
	return self, v.save(newState(self, chainID, rand.Reader))
}

// OpenVault opens a vault and gives the proxy's keys. Errors: ErrPassphrase, those of the disk.
func OpenVault(at disk.Disk, passphrase []byte, chainID uint64) (*Vault, *Identity, error) {
	v := &Vault{disk: at, chainID: chainID}
	raw, err := v.read()
	if err != nil {
		return nil, nil, err
	}
	if len(raw) < len(vaultTitle)+saltSize || string(raw[:len(vaultTitle)]) != vaultTitle {
		return nil, nil, ErrPassphrase
	}
	copy(v.salt[:], raw[len(vaultTitle):])
	if err := v.derive(passphrase); err != nil {
		return nil, nil, err
	}
	d, err := v.load()
	if err != nil {
		return nil, nil, err
	}
	return v, d.self, nil
}

func (v *Vault) read() ([]byte, error) {
	f, err := v.disk.Open(vaultFile)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil || size > maxVault {
		return nil, errors.Join(err, fmt.Errorf("proxy: the vault has %d bytes", size))
	}
	raw := make([]byte, size)
	_, err = f.ReadAt(raw, 0)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return raw, err
}

// load reads the state that was saved last.
func (v *Vault) load() (*state, error) {
	raw, err := v.read()
	if err != nil {
		return nil, err
	}
	aead, err := chacha20poly1305.NewX(v.key)
	if err != nil {
		return nil, err
	}
	head := len(vaultTitle) + saltSize
	if len(raw) < head+aead.NonceSize() {
		return nil, ErrPassphrase
	}
	plain, err := aead.Open(nil, raw[head:head+aead.NonceSize()], raw[head+aead.NonceSize():], v.data())
	if err != nil {
		return nil, ErrPassphrase
	}
	defer clear(plain)
	return decodeState(plain, v.chainID)
}

// save replaces the file, and returns once it is on the disk.
func (v *Vault) save(d *state) error {
	aead, err := chacha20poly1305.NewX(v.key)
	if err != nil {
		return err
	}
	plain := d.encode()
	defer clear(plain)
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	head := append(append([]byte(vaultTitle), v.salt[:]...), nonce...)
	old, err := v.disk.Open(vaultFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err = disk.ReplaceBytes(v.disk, vaultFile, vaultNext, aead.Seal(head, nonce, plain, v.data()))
	if old == nil {
		return err
	}
	var size int64
	if err == nil {
		size, err = old.Size()
	}
	if err == nil {
		_, err = old.WriteAt(make([]byte, size), 0)
	}
	if err == nil {
		err = old.Sync() // the file has no name any more: otherwise nothing of it is ever written
	}
	return errors.Join(err, old.Close())
}

func appendGeneration(dst []byte, g *secret.Generation) []byte {
	dst = codec.AppendLen(codec.AppendU64(dst, g.Epoch), len(g.Committee))
	for _, id := range g.Committee {
		dst = codec.AppendFixed(dst, id[:])
	}
	return appendKeys(dst, g.Commitments)
}

func readHashes(r *codec.Reader) (list []digest.Hash) {
	for range r.Len(0, cbss.MaxCommittee, digest.Size) {
		var id digest.Hash
		r.Into(id[:])
		list = append(list, id)
	}
	return list
}

func (t *Task) append(dst []byte) []byte {
	dst = codec.AppendU64(codec.AppendU64(codec.AppendBytes(dst, t.Scope.Bytes()), t.Requested), t.Deadline)
	dst = codec.AppendLen(codec.AppendU8(dst, uint8(t.Quorum)), len(t.Committee))
	for _, id := range t.Committee {
		dst = codec.AppendFixed(dst, id[:])
	}
	if dst = codec.AppendBool(dst, t.Before != nil); t.Before != nil {
		dst = appendGeneration(codec.AppendFixed(dst, t.Master[:]), t.Before)
	}
	return dst
}

func readScope(r *codec.Reader) secret.Scope {
	of, err := secret.ParseScope(r.Bytes(cbss.MaxScopeBytes))
	if err != nil {
		r.Fail(codec.ErrLength, 0)
	}
	return of
}

func readTask(r *codec.Reader) (t Task) {
	t.Scope, t.Requested, t.Deadline = readScope(r), r.U64(), r.U64()
	t.Quorum, t.Committee = int(r.U8()), readHashes(r)
	if r.Bool() {
		r.Into(t.Master[:])
		t.Before = &secret.Generation{Epoch: r.U64(), Committee: readHashes(r), Commitments: readKeys(r)}
	}
	return t
}

func readScalar(r *codec.Reader) *cbss.Scalar {
	s, err := cbss.ParseScalar(r.Fixed(cbss.ScalarSize))
	if err != nil {
		r.Fail(codec.ErrLength, 0)
		return new(cbss.Scalar)
	}
	return s
}

// encode is what is kept: the identity, how far the chain was, the shares, the sessions.
func (d *state) encode() []byte {
	dst := codec.AppendFixed(codec.AppendFixed(codec.AppendU64(nil, d.height), d.self.ID[:]), d.self.Key.Bytes())
	dst = codec.AppendBytes(codec.AppendFixed(dst, d.self.HPKE.Bytes()), d.self.TLS.Seed())
	dst = codec.AppendUint(dst, uint64(len(d.shares)))
	for _, of := range d.scopes() {
		dst = codec.AppendUint(codec.AppendBytes(dst, of.Bytes()), uint64(len(d.shares[of])))
		for _, s := range d.shares[of] {
			dst = codec.AppendFixed(codec.AppendU8(codec.AppendU64(dst, s.Epoch), uint8(s.Place)), s.Secret.Bytes())
		}
	}
	dst = codec.AppendUint(dst, uint64(len(d.kept)))
	for _, id := range sorted(d.kept) {
		k := d.kept[id]
		dst = codec.AppendFixed(codec.AppendFixed(k.task.append(dst), k.seed[:]), k.lock[:])
		dst = codec.AppendUint(dst, uint64(len(k.deals)))
		for dealer := uint32(1); dealer <= cbss.MaxCommittee; dealer++ {
			one := k.deals[dealer]
			if one == nil {
				continue
			}
			dst = codec.AppendFixed(appendKeys(codec.AppendU8(dst, uint8(dealer)), one.commitments), one.share.Bytes())
			if dst = codec.AppendBool(dst, one.blind != nil); one.blind != nil {
				dst = codec.AppendFixed(dst, one.blind.Bytes())
			}
			dst = codec.AppendFixed(dst, one.ack[:])
		}
	}
	return dst
}

// decodeState reads what encode wrote. Sessions go on from what was kept of them.
func decodeState(plain []byte, chainID uint64) (*state, error) {
	r := codec.NewReader(plain)
	self, height := new(Identity), r.U64()
	r.Into(self.ID[:])
	key, hpke, seed := r.Fixed(32), r.Fixed(32), r.Bytes(ed25519.SeedSize)
	if r.Err() != nil || len(seed) != ed25519.SeedSize {
		return nil, ErrPassphrase
	}
	var err error
	if self.Key, err = sig.ParsePrivateKey(key); err != nil {
		return nil, err
	}
	if self.HPKE, err = ecdh.X25519().NewPrivateKey(hpke); err != nil {
		return nil, err
	}
	self.TLS = ed25519.NewKeyFromSeed(seed)
	d := newState(self, chainID, rand.Reader)
	d.height = height // what a node says that is further behind erases nothing
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		of := readScope(r)
		for m := r.Uint(); m > 0 && r.Err() == nil; m-- {
			d.shares[of] = append(d.shares[of], &Share{Epoch: r.U64(), Place: uint32(r.U8()), Secret: readScalar(r)})
		}
	}
	for n := r.Uint(); n > 0 && r.Err() == nil; n-- {
		k := &kept{task: readTask(r), deals: map[uint32]*deal{}}
		r.Into(k.seed[:])
		r.Into(k.lock[:])
		for m := r.Uint(); m > 0 && r.Err() == nil; m-- {
			dealer, one := uint32(r.U8()), &deal{commitments: readKeys(r), share: readScalar(r)}
			if r.Bool() {
				one.blind = readScalar(r)
			}
			r.Into(one.ack[:])
			k.deals[dealer] = one
		}
		d.kept[k.task.session(chainID)] = k
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	for _, id := range sorted(d.kept) {
		d.begin(&d.kept[id].task)
	}
	return d, nil
}

// scopes are those it has shares of, ascending.
func (d *state) scopes() (list []secret.Scope) {
	for of := range d.shares { // order-free: sorted below
		list = append(list, of)
	}
	sortScopes(list)
	return list
}
