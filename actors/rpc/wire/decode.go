package wire

import (
	"encoding/hex"
	"unicode"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// maxText is the longest byte string that is also shown as text.
const maxText = 16 << 10

// Hex gives bytes as lower-case digits without a prefix.
func Hex(b []byte) string { return hex.EncodeToString(b) }

// Hash gives a 32-byte value with 0x.
func Hash(b [32]byte) string { return "0x" + hex.EncodeToString(b[:]) }

// Text gives bytes as text when they are printable UTF-8, else nothing.
func Text(b []byte) string {
	if len(b) == 0 || len(b) > maxText || !utf8.Valid(b) {
		return ""
	}
	for _, r := range string(b) {
		if !unicode.IsPrint(r) && r != '\n' && r != '\t' {
			return ""
		}
	}
	return string(b)
}

// FromTx gives a transaction's fields. Spec: WP §2.1.
func FromTx(t *tx.Tx) Transaction {
	w := Transaction{
		Hash: Hash(t.SigningHash()), ChainID: t.ChainID, Nonce: t.Nonce, Instruction: FromInstruction(t.Instruction),
		CyclesLimit: uint64(t.CyclesLimit), CellsLimit: uint64(t.CellsLimit), MaxFeePerCycle: t.MaxFeePerCycle,
		MaxFeePerCell: t.MaxFeePerCell, MaxPriorityFeePerCycle: t.MaxPriorityFeePerCycle,
		MaxPriorityFeePerCell: t.MaxPriorityFeePerCell, From: t.From.String(), Metadata: Hex(t.Metadata),
		OriginRemainingCycles: t.OriginRemainingCycles, OriginRemainingCells: t.OriginRemainingCells,
		Signature: Hex(t.Signature[:]), AdditionalSigners: []Signer{}, Size: uint64(len(t.Encode())),
	}
	if t.OriginTxHash != nil {
		hash := Hash(*t.OriginTxHash)
		w.OriginTxHash = &hash
	}
	for _, s := range t.AdditionalSigners {
		w.AdditionalSigners = append(w.AdditionalSigners, Signer{s.Address.String(), Hex(s.Signature[:])})
	}
	return w
}

// FromParams gives the lanes' budgets and prices. Spec: WP §6.3.
func FromParams(p *params.Params, fees params.Basefees) map[string]LaneFee {
	lanes := map[string]LaneFee{}
	for lane := range params.LaneCount {
		scaled, err := p.Lanes.Scale(fees, lane)
		if err != nil {
			continue
		}
		multiplier, err := p.Lanes.Scale(params.Basefees{Cycle: params.MultiplierOne}, lane)
		if err != nil {
			continue
		}
		lanes[lane.String()] = LaneFee{
			CycleBudget: uint64(lane.Budget()), MultiplierPPM: multiplier.Cycle,
			CycleBasefee: scaled.Cycle, CellBasefee: scaled.Cell,
		}
	}
	return lanes
}
