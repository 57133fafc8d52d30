package cbfs

import (
	"crypto/ed25519"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// Bounds of tokens and certificates.
//
// Spec: storage-cbfs §2.5, §8.
const (
	MaxTokenBytes   = 16 << 10 // of a token's body
	TokenIDSize     = 16
	MaxNetworkBytes = 64
	MaxCertLifeMs   = 30 * 24 * 3_600 * 1_000
	MaxTokenLifeMs  = 5 * 60 * 1_000    // of an owner's token
	MaxMountLifeMs  = 4 * 3_600 * 1_000 // of one for a mount
	SkewMs          = 60 * 1_000        // that clocks may differ by
	Scope           = "cbfs"            // of a certificate
	Audience        = "cowboy:cbfs"     // of a certificate
)

// Mode is what a token allows.
//
// Spec: storage-cbfs §2.5.
type Mode uint8

// The modes.
const (
	ReadOnly Mode = iota
	WriteOnly
	ReadWrite
	Modes
)

// String names the mode as the documents do.
func (m Mode) String() string {
	if m >= Modes {
		return "unknown"
	}
	return [...]string{"RO", "WO", "RW"}[m]
}

// Reads reports whether the mode allows to read and list.
func (m Mode) Reads() bool { return m == ReadOnly || m == ReadWrite }

// Writes reports whether the mode allows to write.
func (m Mode) Writes() bool { return m == WriteOnly || m == ReadWrite }

// Narrows reports whether a mode allows nothing that another one does not.
//
// Spec: storage-cbfs §2.5 (caveats narrow).
func (m Mode) Narrows(wide Mode) bool {
	return (!m.Reads() || wide.Reads()) && (!m.Writes() || wide.Writes())
}

// Grant is what tokens of both versions say.
type Grant struct {
	ID       [TokenIDSize]byte
	Volume   digest.Hash
	Name     string // of the volume
	Mode     Mode
	Prefix   string // of the paths it is for
	MaxBytes uint64 // that the volume may grow by
	Mount    bool
	SyncSecs uint64 // sync_interval
}

// RunnerToken is a CapToken of version 0, which the chain keeps and relays compare with it byte for byte.
//
// Spec: storage-cbfs §2.5 (v0).
type RunnerToken struct {
	Grant
	Secret      digest.Hash // token_secret; the chain is public, so it keeps nothing secret
	Runner      account.Address
	From, Until uint64 // heights: the first it holds in, and the first it does not
}

// Encode is the version 0 and the body.
func (t *RunnerToken) Encode() []byte {
	var w Writer
	w.U8(0)
	w.Fixed(t.ID[:])
	w.Fixed(t.Secret[:])
	w.Fixed(t.Volume[:])
	w.Text(t.Name)
	w.Fixed(t.Runner[:])
	w.U32(uint32(t.Mode))
	w.Text(t.Prefix)
	w.U64(t.MaxBytes)
	w.U64(t.From)
	w.U64(t.Until)
	w.Bool(t.Mount)
	w.U64(t.SyncSecs)
	return w.out
}

// DecodeRunnerToken reads what Encode wrote. Reject: ErrForm.
func DecodeRunnerToken(data []byte) (*RunnerToken, error) {
	r, t := reader(data, 0), new(RunnerToken)
	r.Into(t.ID[:])
	r.Into(t.Secret[:])
	r.Into(t.Volume[:])
	t.Name = r.Text(MaxNameBytes)
	r.Into(t.Runner[:])
	t.Mode = r.mode()
	t.Prefix = r.Text(MaxPathBytes + 1)
	t.MaxBytes, t.From, t.Until = r.U64(), r.U64(), r.U64()
	t.Mount, t.SyncSecs = r.Bool(), r.U64()
	return t, r.Finish()
}

func (r *Reader) mode() Mode {
	v := r.U32()
	r.bad = r.bad || v >= uint32(Modes)
	return Mode(v)
}

func reader(data []byte, version uint8) *Reader {
	r := &Reader{rest: data, bad: len(data) > MaxTokenBytes+1}
	r.bad = r.U8() != version || r.bad
	return r
}

// Certificate lets a key of CBFS speak for a wallet (DelegationCert).
//
// Spec: storage-cbfs §2.5.
type Certificate struct {
	Wallet    account.Address
	Key       [ed25519.PublicKeySize]byte // cbfs_public_key
	Scope     string
	ChainID   uint64
	Network   string
	Audience  string
	ExpiresMs uint64
	Signature sig.Signature // of the wallet over Hash
}

func (c *Certificate) write(w *Writer) {
	w.Fixed(c.Wallet[:])
	w.Fixed(c.Key[:])
	w.Text(c.Scope)
	w.U64(c.ChainID)
	w.Text(c.Network)
	w.Text(c.Audience)
	w.U64(c.ExpiresMs)
}

// Hash is what the wallet signs: keccak256 of the encoded certificate without its signature.
func (c *Certificate) Hash() digest.Hash {
	var w Writer
	c.write(&w)
	return digest.Keccak256(w.out)
}

// Encode is the certificate with its signature.
func (c *Certificate) Encode() []byte {
	var w Writer
	c.write(&w)
	w.Fixed(c.Signature[:])
	return w.out
}

// DecodeCertificate reads what Encode wrote. Reject: ErrForm.
func DecodeCertificate(data []byte) (*Certificate, error) {
	r := &Reader{rest: data, bad: len(data) > MaxTokenBytes}
	c := r.certificate()
	return &c, r.Finish()
}

func (r *Reader) certificate() (c Certificate) {
	r.Into(c.Wallet[:])
	r.Into(c.Key[:])
	c.Scope, c.ChainID = r.Text(MaxNameBytes), r.U64()
	c.Network, c.Audience, c.ExpiresMs = r.Text(MaxNetworkBytes), r.Text(MaxNameBytes), r.U64()
	r.Into(c.Signature[:])
	return c
}

// OwnerToken is a CapToken of version 1, which relays check without the chain.
//
// Spec: storage-cbfs §2.5 (v1).
type OwnerToken struct {
	Grant
	Owner           account.Address
	FromMs, UntilMs uint64
	Certificate     Certificate
	Signature       [ed25519.SignatureSize]byte // of the certificate's key over Signed
}

// Signed is what the owner's key signs: the body with the version before it, without the signature.
func (t *OwnerToken) Signed() []byte {
	var w Writer
	w.U8(1)
	w.Fixed(t.ID[:])
	w.Fixed(t.Volume[:])
	w.Text(t.Name)
	w.Fixed(t.Owner[:])
	w.U32(uint32(t.Mode))
	w.Text(t.Prefix)
	w.U64(t.MaxBytes)
	w.U64(t.FromMs)
	w.U64(t.UntilMs)
	w.Bool(t.Mount)
	w.U64(t.SyncSecs)
	t.Certificate.write(&w)
	w.Fixed(t.Certificate.Signature[:])
	return w.out
}

// Encode is the version 1 and the body.
func (t *OwnerToken) Encode() []byte { return append(t.Signed(), t.Signature[:]...) }

// DecodeOwnerToken reads what Encode wrote. Reject: ErrForm.
func DecodeOwnerToken(data []byte) (*OwnerToken, error) {
	r, t := reader(data, 1), new(OwnerToken)
	r.Into(t.ID[:])
	r.Into(t.Volume[:])
	t.Name = r.Text(MaxNameBytes)
	r.Into(t.Owner[:])
	t.Mode = r.mode()
	t.Prefix = r.Text(MaxPathBytes + 1)
	t.MaxBytes, t.FromMs, t.UntilMs = r.U64(), r.U64(), r.U64()
	t.Mount, t.SyncSecs = r.Bool(), r.U64()
	t.Certificate = r.certificate()
	r.Into(t.Signature[:])
	return t, r.Finish()
}

// The rejects of tokens and certificates.
var (
	ErrExpired   = errors.New("cbfs: a token or certificate does not hold now, or for too long")
	ErrSignature = errors.New("cbfs: a token or certificate is not signed by whom it names")
	ErrMismatch  = errors.New("cbfs: a certificate is of another network, scope, audience or wallet")
)

// Network is where a token is checked.
type Network struct {
	ChainID uint64
	Name    string
	NowMs   uint64 // milliseconds since 1970
}

// Check holds a certificate to a network and a time, and its signature to its wallet. Rejects: ErrMismatch, ErrExpired, ErrSignature.
//
// Spec: storage-cbfs §2.5.
func (c *Certificate) Check(n Network) error {
	if err := c.Holds(n); err != nil {
		return err
	}
	return c.Proven()
}

// Holds is Check without the signature, which no time changes.
func (c *Certificate) Holds(n Network) error {
	switch {
	case c.Scope != Scope || c.Audience != Audience || c.ChainID != n.ChainID || c.Network != n.Name:
		return ErrMismatch
	case c.ExpiresMs <= n.NowMs || c.ExpiresMs-n.NowMs > MaxCertLifeMs:
		return ErrExpired
	}
	return nil
}

// Proven is what Check says of the signature.
func (c *Certificate) Proven() error {
	if who, err := sig.Default().Recover(c.Hash(), c.Signature); err != nil || who != c.Wallet {
		return ErrSignature
	}
	return nil
}

// Holds holds an owner's token to a network, a time and the owner the chain knows, and leaves the signatures to Proven, which no time changes. Rejects:
// ErrMismatch, ErrExpired.
//
// Spec: storage-cbfs §2.5, §8 (life, skew).
func (t *OwnerToken) Holds(n Network, owner account.Address) error {
	life := uint64(MaxTokenLifeMs)
	if t.Mount {
		life = MaxMountLifeMs
	}
	switch {
	case t.Owner != owner || t.Certificate.Wallet != owner:
		return ErrMismatch
	case t.UntilMs <= t.FromMs || t.UntilMs-t.FromMs > life:
		return ErrExpired
	case n.NowMs+SkewMs < t.FromMs || n.NowMs >= t.UntilMs+SkewMs || t.UntilMs+SkewMs < t.UntilMs:
		return ErrExpired
	}
	return t.Certificate.Holds(n)
}

// Proven holds an owner's token and its certificate to those who have signed them. Reject: ErrSignature.
//
// Spec: storage-cbfs §2.5.
func (t *OwnerToken) Proven() error {
	if err := t.Certificate.Proven(); err != nil {
		return err
	}
	if !ed25519.Verify(t.Certificate.Key[:], t.Signed(), t.Signature[:]) {
		return ErrSignature
	}
	return nil
}
