package entitle

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// MaxAttestationBytes bounds the encoding of an attestation, which is read for each runner that a job of an actor with requirements is matched with.
const MaxAttestationBytes = 4 << 10

// ErrAttestation reports an attestation that no runner may have; the text around it says why.
var ErrAttestation = errors.New("entitlement: invalid attestation")

// Unattested is an ErrAttestation with a text.
func Unattested(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrAttestation, fmt.Sprintf(format, args...))
}

// Attestation is what a runner says it provides, signed by its account.
//
// Spec: ENT §3.4, §5.1 (RunnerAttestation), Appendix A.
type Attestation struct {
	Runner       account.Address
	Capabilities Manifest
	ValidFrom    unit.Height
	ValidUntil   unit.Height
	Evidence     *digest.Hash // evidence_hash; nil for none
	Signature    sig.Signature
}

// Preimage is what the runner signs the keccak256 of: the CBOR of all but the signature.
//
// Spec: ENT §4, Appendix A (runner-attestation-preimage), Appendix B.
func (a *Attestation) Preimage() []byte { return encode(a.fields()) }

// Encode is the record in state, and what a runner hands in: the CBOR of all fields.
//
// Spec: ENT §4, §5.1, Appendix A (runner-attestation).
func (a *Attestation) Encode() []byte {
	return encode(append(a.fields(), cbor.Pair{Key: "signature", Value: a.Signature[:]}))
}

func (a *Attestation) fields() cbor.Map {
	fields := cbor.Map{
		{Key: "runner_id", Value: a.Runner[:]}, {Key: "capabilities", Value: a.Capabilities.plain()},
		{Key: "valid_from", Value: whole(uint64(a.ValidFrom))}, {Key: "valid_until", Value: whole(uint64(a.ValidUntil))},
	}
	if a.Evidence != nil {
		fields = append(fields, cbor.Pair{Key: "evidence_hash", Value: a.Evidence[:]})
	}
	return fields
}

func encode(fields cbor.Map) []byte {
	data, err := cbor.Append(nil, fields)
	if err != nil {
		panic("entitlement: " + err.Error()) // every value is of a kind the encoding knows
	}
	return data
}

func whole(n uint64) *big.Int { return new(big.Int).SetUint64(n) }

// Sign is the attestation signed by a key, which has to be that of the runner's account.
//
// Spec: ENT §4.
func (a Attestation) Sign(key *sig.PrivateKey) *Attestation {
	a.Signature = key.Sign(digest.Keccak256(a.Preimage()))
	return &a
}

// Signed reports whether the runner's account has signed the attestation.
//
// Spec: ENT §4, §6 (attestation validity).
func (a *Attestation) Signed(r sig.Recoverer) bool {
	by, err := r.Recover(digest.Keccak256(a.Preimage()), a.Signature)
	return err == nil && by == a.Runner
}

// Valid reports whether the attestation counts at a height.
//
// Spec: ENT §5.1 (time base), §6 (attestation validity); entitlement-extras §5.
func (a *Attestation) Valid(at unit.Height) bool { return a.ValidFrom <= at && at <= a.ValidUntil }

// ParseAttestation reads an attestation in its one form: canonical CBOR, the capabilities ascending by id and the lists of their parameters ascending. What
// takes evidence comes with its hash. The signature is not checked here. The error wraps ErrAttestation.
//
// Spec: ENT §2 (attested), §3.4, §4, §5.1, §10, Appendix A; entitlement-extras §2.2 (evidence of a region).
func ParseAttestation(data []byte) (*Attestation, error) {
	if len(data) > MaxAttestationBytes {
		return nil, Unattested("%d bytes; at most %d are allowed", len(data), MaxAttestationBytes)
	}
	v, err := cbor.Parse(data)
	fields, ok := v.(cbor.Map)
	if err != nil || !ok {
		return nil, Unattested("it is no map in canonical CBOR")
	}
	a := new(Attestation)
	for _, f := range fields {
		ok := false
		switch f.Key {
		case "runner_id":
			ok = fill(a.Runner[:], f.Value)
		case "signature":
			ok = fill(a.Signature[:], f.Value)
		case "evidence_hash":
			a.Evidence = new(digest.Hash)
			ok = fill(a.Evidence[:], f.Value)
		case "valid_from":
			a.ValidFrom, ok = height(f.Value)
		case "valid_until":
			a.ValidUntil, ok = height(f.Value)
		case "capabilities":
			list, is := f.Value.([]any)
			m, err := readGrants(list)
			if err != nil {
				return nil, Unattested("%v", err)
			}
			a.Capabilities, ok = *m, is
		}
		if !ok {
			return nil, Unattested("the field %.64q is not one, or not of its form", f.Key)
		}
	}
	switch {
	case string(a.Encode()) != string(data): // a field is missing, a number is a text, a list is not ascending
		return nil, Unattested("it is not in the canonical form")
	case a.ValidFrom > a.ValidUntil:
		return nil, Unattested("it is valid from %d and until %d", a.ValidFrom, a.ValidUntil)
	}
	for _, id := range [...]string{Residency, TEE} {
		if _, has := a.Capabilities.Grant(id); has && a.Evidence == nil {
			return nil, Unattested("%s takes evidence_hash", id)
		}
	}
	return a, nil
}

// fill copies octets of exactly the length of to.
func fill(to []byte, v any) bool {
	raw, ok := v.([]byte)
	return ok && len(raw) == len(to) && copy(to, raw) == len(to)
}

func height(v any) (unit.Height, bool) {
	if _, text := v.(string); text {
		return 0, false
	}
	n, err := readNumber(v)
	return unit.Height(n), err == nil
}

// Attested says whether an entitlement is one that runners provide, and prove that they do.
//
// Spec: ENT §2, §9.3, §9.5, §9.6 (attested).
func Attested(id string) bool { return slices.Contains([]string{GPU, Fetch, LLM, Residency, TEE}, id) }

// Required is the part of a manifest that a runner has to provide.
//
// Spec: ENT §6 (scheduler match), §2 (attested).
func (m *Manifest) Required() *Manifest {
	needs := new(Manifest)
	for _, g := range m.Grants {
		if Attested(g.ID) {
			needs.Grants = append(needs.Grants, g)
		}
	}
	return needs
}

// ProvidedBy says whether capabilities provide all that m requires: each id, and of each parameter that m states at least as much. Where a runner states no
// number it has no limit; where it states no domains, region, type or memory it has none.
//
// Spec: ENT §6 (scheduler match), §8, §8.3, §8.4; WP §15 (requires ⊆ provides); entitlement-extras §7 (7).
func (m *Manifest) ProvidedBy(capabilities *Manifest, sets *Sets) bool {
	for i := range m.Grants {
		by, ok := capabilities.Grant(m.Grants[i].ID)
		if !ok || !m.Grants[i].providedBy(by, sets) {
			return false
		}
	}
	return true
}

func (g *Grant) providedBy(by *Grant, sets *Sets) bool {
	if !allCovered(g.allowlist(sets), by.allowlist(sets)) {
		return false
	}
	schema, _ := parametersOf(g.ID)
	for _, p := range schema {
		need, stated := g.value(p.name)
		has, states := by.value(p.name)
		if !stated {
			continue
		}
		switch p.kind {
		case number:
			if states && has.Number < need.Number {
				return false
			}
		case floor:
			if !states || has.Number < need.Number {
				return false
			}
		case teeType, region:
			if has.Text != need.Text {
				return false
			}
		}
	}
	return true
}
