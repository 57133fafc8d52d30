package wire

import (
	"encoding/hex"
	"fmt"
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

// FromInstruction gives an instruction's name, numbers and fields.
func FromInstruction(in tx.Instruction) map[string]any {
	op := in.Opcode()
	m := map[string]any{"category": op.Category().String(), "sub_type": op.SubType(), "lane": in.Lane().String()}
	if entry, ok := tx.Lookup(op); ok {
		m["type"] = entry.Name
	}
	switch in := in.(type) {
	case *tx.Transfer:
		m["to"], m["amount"] = in.To.String(), uint64(in.Amount)
	case *tx.CreateAccount:
		m["address"], m["amount"] = in.Address.String(), uint64(in.Amount)
	case *tx.Execute:
		m["actor"], m["amount"], m["handler"], m["payload"] = in.To.String(), uint64(in.Amount), string(in.Handler), Hex(in.Payload)
		addText(m, "payload_text", in.Payload)
	case *tx.Deploy:
		m["code"], m["salt"] = string(in.Code), Hex(in.Salt)
		optional(m, "init_handler", in.InitHandler, true)
		optional(m, "init_payload", in.InitPayload, false)
		optional(m, "manifest", in.Manifest, false)
	case *tx.FundActor:
		m["actor"], m["amount"] = in.Actor.String(), uint64(in.Amount)
	case *tx.UpgradeActor:
		m["actor"], m["code"] = in.Actor.String(), string(in.Code)
		optional(m, "manifest", in.Manifest, false)
	case *tx.TimerSchedule:
		m["actor"], m["height"], m["handler"], m["payload"] = in.Actor.String(), uint64(in.Height), string(in.Handler), Hex(in.Payload)
		m["cycles_per_fire"], m["expires_at"] = in.CyclesPerFire, in.ExpiresAt
	case *tx.CancelTimer:
		m["timer_id"] = Hash(in.TimerID)
	case *tx.ExtendTimer:
		m["timer_id"], m["expires_at"] = Hash(in.TimerID), uint64(in.ExpiresAt)
	case *tx.ActivateTimerMarket:
		m["height"] = uint64(in.Height)
	case *tx.UpdateTimerConfig:
		m["config"] = fmt.Sprintf("%+v", in.Config)
	case *tx.UpdateBasefeeConfig:
		m["config"] = fmt.Sprintf("%+v", in.Config)
	case *tx.UpdateLaneFeeMultipliers:
		m["multipliers"] = fmt.Sprintf("%+v", in.Multipliers)
	case *tx.UpdateEntitlementConfig:
		m["config"] = fmt.Sprintf("%+v", in.Config)
	}
	return m
}

func addText(m map[string]any, name string, b []byte) {
	if text := Text(b); text != "" {
		m[name] = text
	}
}

func optional(m map[string]any, name string, b []byte, asText bool) {
	switch {
	case b == nil:
		m[name] = nil
	case asText:
		m[name] = string(b)
	default:
		m[name] = Hex(b)
		addText(m, name+"_text", b)
	}
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
