package wire

import (
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tee"
)

// Binding is what a runner has set that its jobs run in (MeasurementBinding). Spec: tee §2.3.
type Binding struct {
	TEEType      string   `json:"cpu_tee_type"`
	Measurements []string `json:"allowed_cpu_measurements"` // keccak256 of measurements, as keys are registered by
	Accelerators []string `json:"allowed_gpu"`              // keccak256 of theirs
	Service      string   `json:"service_pubkey,omitempty"`
	Scheme       string   `json:"service_scheme,omitempty"` // Ed25519 or EcdsaP256
	BoundAt      uint64   `json:"bound_at"`
	ExpiresAt    uint64   `json:"expires_at"` // the first block in which it admits no new jobs
	Status       string   `json:"status"`     // Active, Deprecated or Revoked
	Hash         string   `json:"binding_hash"`
}

// BindingNonce is the nonce that a runner asked for, to prove a binding with. Spec: tee §2.3.
type BindingNonce struct {
	Nonce   string `json:"nonce"`
	AskedAt uint64 `json:"asked_at"`
}

// ViewBinding shows a binding where it stands.
func ViewBinding(b *tee.Binding, status tee.Status) *Binding {
	v := &Binding{
		TEEType: b.Type.String(), Measurements: hashed(b.Measurements), Accelerators: hashed(b.Accelerators), BoundAt: uint64(b.Bound),
		ExpiresAt: uint64(b.Expires), Status: status.String(), Hash: Hash(b.Hash()),
	}
	if b.Service != [32]byte{} {
		v.Service, v.Scheme = Hash(b.Service), b.Scheme.String()
	}
	return v
}

func hashed(list []digest.Hash) []string {
	all := make([]string, len(list))
	for i := range list {
		all[i] = Hash(list[i])
	}
	return all
}
