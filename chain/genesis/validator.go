package genesis

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Validator is a member of the first validator set. Its stake is part of the
// supply and lies with Governance (0x09). Spec: WP "Validator Set";
// governance-staking A1.
type Validator struct {
	Address    account.Address  `json:"address"` // receives tips and rewards
	PublicKey  sig.BLSPublicKey `json:"-"`
	Possession sig.BLSSignature `json:"-"`
	Stake      unit.Amount      `json:"stake"` // base units
}

// Append appends the canonical encoding address ‖ public key ‖ UInt stake.
func (v Validator) Append(dst []byte) []byte {
	dst = codec.AppendFixed(dst, v.Address[:])
	dst = codec.AppendFixed(dst, v.PublicKey[:])
	return codec.AppendUint(dst, uint64(v.Stake))
}

// State keys of the first validator set and of the public polynomial of its shared
// key, under 0x09.
const (
	KeyValidators = "system:genesis:validators"
	KeySharing    = "system:genesis:sharing"
)

// AppendValidators appends the stored form of a set: Vec of records, ascending by
// public key (the rank order of certificates).
func AppendValidators(dst []byte, set []Validator) []byte {
	dst = codec.AppendLen(dst, len(set))
	for _, v := range set {
		dst = v.Append(dst)
	}
	return dst
}

// DecodeValidators reads what AppendValidators wrote, or gives a *codec.Error.
// Possession is not stored.
func DecodeValidators(data []byte) ([]Validator, error) {
	r := codec.NewReader(data)
	n := r.Len(1, sig.MaxParticipants, account.AddressSize+sig.BLSPublicKeySize+1)
	set := make([]Validator, n)
	for i := range set {
		r.Into(set[i].Address[:])
		r.Into(set[i].PublicKey[:])
		set[i].Stake = unit.Amount(r.Uint())
		if r.Err() == nil && i > 0 && string(set[i-1].PublicKey[:]) >= string(set[i].PublicKey[:]) {
			r.Fail(codec.ErrOrder, 0)
		}
	}
	if err := r.Finish(); err != nil {
		return nil, err
	}
	return set, nil
}

func parseFixed(field, text string, out []byte) error {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) != len(out) {
		return fmt.Errorf("%w: %s is not %d bytes of hexadecimal", ErrSpec, field, len(out))
	}
	copy(out, raw)
	return nil
}
