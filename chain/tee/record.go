package tee

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"errors"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Type is a kind of trusted environment.
//
// Spec: tee §5 (canonical types), §8 (2).
type Type uint8

// The types.
const (
	SGX Type = iota + 1
	SEV
	TDX
	Nitro
)

func names() []string { return []string{SGX: "sgx", SEV: "sev", TDX: "tdx", Nitro: "nitro"} }

func (t Type) known() bool { return t >= SGX && t <= Nitro }

// String is the canonical name.
func (t Type) String() string {
	if !t.known() {
		return "unknown"
	}
	return names()[t]
}

// ParseType reads a canonical name. Reject: ErrType.
//
// Spec: tee §5, §6 (UnsupportedTeeType), §8 (2).
func ParseType(name string) (Type, error) {
	for t := SGX; t <= Nitro; t++ {
		if names()[t] == name {
			return t, nil
		}
	}
	return 0, ErrType
}

// Bounds of the registry.
const (
	MaxKeys      = 1_024
	MaxLifetime  = 86_400 // blocks an attestation may count for, which is the longest a job may take
	MaxKeyBytes  = 97
	MaxSignature = 96
	// MaxForgotten is how many expired records of a kind the end of a block removes.
	MaxForgotten = 64
	// Renewal is for how many blocks a binding admits new jobs, and of a runner that has set none a key that was registered.
	Renewal = 604_800 // Spec: tee §2.3, §5 (binding renewal)
)

// The rejects.
//
// Spec: tee §6.
var (
	ErrType        = errors.New("tee: the type is not sgx, sev, tdx or nitro")
	ErrKeyForm     = errors.New("tee: the key is not an uncompressed point of the type's curve")
	ErrKey         = errors.New("tee: no key is registered for this type and measurement")
	ErrRevoked     = errors.New("tee: the key was revoked")
	ErrSignature   = errors.New("tee: the signature is not the registered key's")
	ErrExpired     = errors.New("tee: the attestation has expired")
	ErrLifetime    = errors.New("tee: an attestation counts for 1 to 86,400 blocks")
	ErrAttestation = errors.New("tee: there is no attestation of this job and runner")
	ErrFull        = errors.New("tee: the registry of keys is full")
	ErrOwner       = errors.New("tee: the runner that recorded an attestation or governance may revoke it")
	ErrMissing     = errors.New("tee: the job requires an attestation of the environment that the runner declared")
	ErrEvidence    = errors.New("tee: not an attestation of a result")
	ErrResult      = errors.New("tee: the attestation is of another result")
	ErrDeprecated  = errors.New("tee: the measurement is deprecated: it is for no new jobs")
	ErrForm        = errors.New("tee: not a composite attestation, or not collateral")
	ErrLate        = errors.New("tee: the composite attestation is over, too old, or of a block to come")
	ErrReplayed    = errors.New("tee: the nonce was used")
	ErrNonce       = errors.New("tee: the nonce is not the one of this job, its request and its beacon")
	ErrCollateral  = errors.New("tee: no collateral of this type is in force")
	ErrTCB         = errors.New("tee: the platform is out of date")
	ErrBinding     = errors.New("tee: the attestation is not of an environment that the runner is bound to")
	ErrReport      = errors.New("tee: the quote does not bind the service, or is of another measurement or root")
	ErrLists       = errors.New("tee: the quote was not held against the revocation lists of the collateral")
	ErrOperator    = errors.New("tee: the runner is not of the collateral's operators")
)

// curve is the curve of a type's keys. Spec: tee §2.1.
func (t Type) curve() elliptic.Curve {
	if t == SEV || t == Nitro {
		return elliptic.P384()
	}
	return elliptic.P256()
}

// KeySize is the length of a type's keys in bytes, SignatureSize that of its signatures.
func (t Type) KeySize() int { return 1 + 2*t.coordinate() }

// SignatureSize is the length of a type's signatures, r ‖ s.
func (t Type) SignatureSize() int { return 2 * t.coordinate() }

func (t Type) coordinate() int { return (t.curve().Params().BitSize + 7) / 8 }

// parse reads a public key: 4 ‖ x ‖ y, a point of the curve. Reject: ErrKeyForm. Spec: tee §2.1 (uncompressed SEC1).
func (t Type) parse(key []byte) (*ecdsa.PublicKey, error) {
	if len(key) != t.KeySize() {
		return nil, ErrKeyForm
	}
	k, err := ecdsa.ParseUncompressedPublicKey(t.curve(), key)
	if err != nil {
		return nil, ErrKeyForm
	}
	return k, nil
}

// Key is a trusted key (TrustedKey).
//
// Spec: tee §2.1.
type Key struct {
	Public     []byte // uncompressed SEC1
	Registered unit.Height
	Revoked    unit.Height // the block that revoked it; 0: it was not
	Deprecated unit.Height // the block from which on it is for no new jobs; 0: it is
}

// Encode is the stored form.
func (k *Key) Encode() []byte {
	dst := codec.AppendBytes(nil, k.Public)
	return codec.AppendUint(codec.AppendUint(codec.AppendUint(dst, uint64(k.Registered)), uint64(k.Revoked)), uint64(k.Deprecated))
}

// DecodeKey reads what Encode wrote.
func DecodeKey(data []byte) (k Key, err error) {
	r := codec.NewReader(data)
	k.Public = r.Bytes(MaxKeyBytes)
	k.Registered, k.Revoked, k.Deprecated = unit.Height(r.Uint()), unit.Height(r.Uint()), unit.Height(r.Uint())
	return k, r.Finish()
}

// Attestation is the record that a runner's environment was attested for a job (TeeAttestationRecord).
//
// Spec: tee §2.1.
type Attestation struct {
	Type        Type
	Measurement digest.Hash
	Attested    unit.Height
	Expires     unit.Height // the first block it does not count in
	Revoked     bool
}

// Encode is the stored form.
func (a *Attestation) Encode() []byte {
	dst := codec.AppendFixed(codec.AppendU8(nil, uint8(a.Type)), a.Measurement[:])
	dst = codec.AppendUint(codec.AppendUint(dst, uint64(a.Attested)), uint64(a.Expires))
	return codec.AppendBool(dst, a.Revoked)
}

// DecodeAttestation reads what Encode wrote.
func DecodeAttestation(data []byte) (a Attestation, err error) {
	r := codec.NewReader(data)
	if a.Type = Type(r.U8()); r.Err() == nil && !a.Type.known() {
		r.Fail(codec.ErrEnum, uint64(a.Type))
	}
	r.Into(a.Measurement[:])
	a.Attested, a.Expires, a.Revoked = unit.Height(r.Uint()), unit.Height(r.Uint()), r.Bool()
	return a, r.Finish()
}

// What the keys begin with, after the address that holds the records.
const (
	underKey     = "tee_key:"
	countKeys    = "tee_keys"
	underRecord  = "tee_att:"
	underExpires = "tee_exp:"
	underLatest  = "tee_col:"
	underCAE     = "tee_cae:"
	underNonce   = "tee_nonce:"
	underOver    = "tee_over:"
	underBinding = "tee_binding:"
	underAsk     = "tee_ask:"
)

// Holder is the address under which the records lie.
//
// Spec: tee §1, §8 (4); WP §9.
func Holder() account.Address { return account.System(account.SecretsManager) }

func under(prefix string) []byte { return account.KeyString(account.KindRecord, Holder(), prefix) }

func keyKey(t Type, measurement digest.Hash) []byte {
	return append(append(under(underKey), t.String()+":"...), measurement[:]...)
}

func recordKey(job digest.Hash, runner account.Address) []byte {
	return append(append(under(underRecord), job[:]...), runner[:]...)
}

func expiryKey(at unit.Height, job digest.Hash, runner account.Address) []byte {
	return append(append(codec.AppendU64(under(underExpires), uint64(at)), job[:]...), runner[:]...)
}

// Claims are the ranges of state keys of this package. chapter is the name of the chapter that runs it.
func Claims(chapter string) []account.Claim {
	claim := func(holds, suffix string, exact bool) account.Claim {
		return account.RecordClaim(chapter, Holder(), suffix, holds, exact)
	}
	return []account.Claim{
		claim("trusted keys", underKey, false), claim("how many trusted keys there are", countKeys, true),
		claim("attestations of jobs", underRecord, false), claim("attestations, by the block they expire in", underExpires, false),
		claim("collateral", underLatest, false), claim("composite attestations that were verified", underCAE, false),
		claim("what runners are bound to", underBinding, false), claim("nonces that runners asked for, for bindings", underAsk, false),
		claim("nonces that were used", underNonce, false), claim("what is over in a block: composite attestations and nonces", underOver, false),
	}
}

// LoadKey reads the key of a type and a measurement. Rejects: ErrKey.
func LoadKey(r state.Reader, t Type, measurement digest.Hash) (Key, error) {
	data, ok, err := r.Lookup(keyKey(t, measurement))
	if err != nil {
		return Key{}, err
	}
	if !ok {
		return Key{}, ErrKey
	}
	return DecodeKey(data)
}

// live is LoadKey of a key that was not revoked. Rejects: ErrKey, ErrRevoked.
func live(r state.Reader, t Type, measurement digest.Hash) (Key, error) {
	k, err := LoadKey(r, t, measurement)
	if err == nil && k.Revoked > 0 {
		err = ErrRevoked
	}
	return k, err
}

// LoadAttestation reads the record of a job and a runner. Rejects: ErrAttestation.
func LoadAttestation(r state.Reader, job digest.Hash, runner account.Address) (Attestation, error) {
	data, ok, err := r.Lookup(recordKey(job, runner))
	if err != nil {
		return Attestation{}, err
	}
	if !ok {
		return Attestation{}, ErrAttestation
	}
	return DecodeAttestation(data)
}
