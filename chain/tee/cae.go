package tee

import (
	"crypto/ed25519"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of a composite attestation, in bytes.
const (
	MaxCAE   = 32 << 10 // the whole
	maxCID   = 64
	version  = 1
	nvidia   = "NvidiaNcc"
	keyBytes = 32
)

// Scheme is how the service signs.
type Scheme uint8

// The schemes.
const (
	Ed25519   Scheme = iota
	EcdsaP256        // the key is the x coordinate of the point whose y is even; the signature r ‖ s, over SHA-256
)

func schemes() []string { return []string{Ed25519: "Ed25519", EcdsaP256: "EcdsaP256"} }

// String is the name in attestations.
func (s Scheme) String() string { return schemes()[s] }

// ParseScheme reads the name of a scheme; "" is Ed25519. Reject: ErrBound.
func ParseScheme(name string) (Scheme, error) {
	switch i := slices.Index(schemes(), name); {
	case name == "":
		return Ed25519, nil
	case i >= 0:
		return Scheme(i), nil
	}
	return 0, ErrBound
}

// kinds are the names that an attestation has for types.
func kinds() []string { return []string{SGX: "Sgx", SEV: "SevSnp", TDX: "Tdx", Nitro: "Nitro"} }

// CAE is a composite attestation: what a processor's environment says of itself, an accelerator if there is one, and the service that runs in both.
//
// Spec: tee §2.2.
type CAE struct {
	CPU       CPU
	GPU       *GPU
	Service   Service
	Freshness Freshness
	Extra     []byte // opaque; nil for none
}

// CPU is the processor's part.
type CPU struct {
	Type        Type
	Quote       []byte
	Chain       []byte // where the chain of certificates lies (cert_chain_cid)
	Measurement [MeasurementSize]byte
	PCR         *digest.Hash // pcr_extension
}

// GPU is the accelerator's part, of NvidiaNcc.
type GPU struct {
	Token       []byte // of NRAS
	Measurement [MeasurementSize]byte
	Bound       [keyBytes]byte // the service's key (bound_cpu_pubkey)
}

// Service is the signature of the service.
type Service struct {
	Scheme    Scheme
	Key       [keyBytes]byte
	Signature []byte
}

// Freshness says when an attestation was made, and until when it counts, in blocks.
type Freshness struct {
	Nonce     digest.Hash
	Deadline  unit.Height
	Generated unit.Height
}

// Encode is the canonical CBOR: a map by the names of the text, those of parts that are missing left out, enumerations by their names, hashes and keys as byte
// strings.
//
// Spec: tee §2.2.
func (c *CAE) Encode() []byte { return c.encode(true) }

func (c *CAE) encode(signed bool) []byte {
	cpu := cbor.Map{
		{Key: "tee_type", Value: kinds()[c.CPU.Type]}, {Key: "quote", Value: c.CPU.Quote}, {Key: "cert_chain_cid", Value: c.CPU.Chain},
		{Key: "measurement", Value: c.CPU.Measurement[:]},
	}
	if c.CPU.PCR != nil {
		cpu = append(cpu, cbor.Pair{Key: "pcr_extension", Value: c.CPU.PCR[:]})
	}
	m := cbor.Map{{Key: "version", Value: version}, {Key: "cpu", Value: cpu}, {Key: "freshness", Value: cbor.Map{
		{Key: "nonce", Value: c.Freshness.Nonce[:]}, {Key: "deadline", Value: uint64(c.Freshness.Deadline)},
		{Key: "generated_at", Value: uint64(c.Freshness.Generated)},
	}}}
	if c.GPU != nil {
		m = append(m, cbor.Pair{Key: "gpu", Value: cbor.Map{
			{Key: "gpu_type", Value: nvidia}, {Key: "nras_token", Value: c.GPU.Token}, {Key: "gpu_measurement", Value: c.GPU.Measurement[:]},
			{Key: "bound_cpu_pubkey", Value: c.GPU.Bound[:]},
		}})
	}
	if signed {
		m = append(m, cbor.Pair{Key: "service_sig", Value: cbor.Map{
			{Key: "scheme", Value: c.Service.Scheme.String()}, {Key: "pubkey", Value: c.Service.Key[:]}, {Key: "sig", Value: c.Service.Signature},
		}})
	}
	if c.Extra != nil {
		m = append(m, cbor.Pair{Key: "extra", Value: c.Extra})
	}
	out, err := cbor.Append(nil, m)
	if err != nil { // of types that all have an encoding
		panic(err)
	}
	return out
}

// Digest is attest_digest: keccak256 of the attestation without its service_sig.
//
// Spec: tee §2.2.
func (c *CAE) Digest() digest.Hash { return digest.Keccak256(c.encode(false)) }

// Bound is what the quote has to carry: keccak256(nonce ‖ service key ‖ the accelerator's measurement, if there is one) and zeros.
//
// Spec: tee §2.2 (REPORTDATA).
func (c *CAE) Bound() (data [ReportSize]byte) {
	parts := [][]byte{c.Freshness.Nonce[:], c.Service.Key[:]}
	if c.GPU != nil {
		parts = append(parts, c.GPU.Measurement[:])
	}
	hash := digest.Keccak256(parts...)
	copy(data[:], hash[:])
	return data
}

// Signed is what the service signs: scope ‖ request ‖ result ‖ attest_digest, each of 32 bytes.
//
// Spec: tee §2.2.
func (c *CAE) Signed(scope, request, result digest.Hash) []byte {
	d := c.Digest()
	return append(append(append(append([]byte(nil), scope[:]...), request[:]...), result[:]...), d[:]...)
}

// vouched reports whether the service's key made its signature over a message.
func (s *Service) vouched(message []byte) bool {
	if s.Scheme == Ed25519 {
		return len(s.Signature) == ed25519.SignatureSize && ed25519.Verify(s.Key[:], message, s.Signature)
	}
	key, err := evenPoint(s.Key)
	return err == nil && verify(TDX, key, message, s.Signature)
}

// Nonce is what an attestation of a job has to carry: keccak256(job ‖ hash of what it asks for ‖ the seed its runners were drawn from), where the seed is
// made of a beacon that nobody knew when the job was submitted.
//
// Spec: tee §2.2 (the parent beacon in the place of the block's hash).
func Nonce(job, request, seed digest.Hash) digest.Hash {
	return digest.Keccak256(job[:], request[:], seed[:])
}
