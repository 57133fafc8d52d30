package genesis

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
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

func parseFixed(field, text string, out []byte) error {
	raw, err := hex.DecodeString(strings.TrimPrefix(text, "0x"))
	if err != nil || len(raw) != len(out) {
		return fmt.Errorf("%w: %s is not %d bytes of hexadecimal", ErrSpec, field, len(out))
	}
	copy(out, raw)
	return nil
}
