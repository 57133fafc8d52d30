package govern

import (
	"encoding/binary"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// The state keys of governance are records of 0x09 under these names. Numbers in keys are big-endian, so that order is numeric.
const (
	keyCount    = "gov:count"     // UInt: proposals so far, which are numbered from 1
	keyProposal = "gov:proposal:" // be8 number → Proposal
	keyVote     = "gov:vote:"     // be8 number ‖ phase ‖ address → Vote
	keyDue      = "gov:due:"      // be8 height ‖ what ‖ be8 number → nothing
	keyOpen     = "gov:open"      // UInt: proposals of people that are not over
	keyEscrow   = "gov:escrow"    // UInt: deposits
	keyCouncil  = "gov:council"   // Council
	keyLabs     = "gov:labs"      // Labs
	keyPaused   = "gov:paused"    // Vec<Pause>, ascending by address
	keyCancels  = "gov:cancels"   // Vec<UInt>: heights of cancellations
	keyCodes    = "gov:codes"     // Pointers
	keyUploads  = "gov:uploads"   // UInt: bytes of all programs
	keyUpload   = "gov:upload:"   // code hash → Upload
	keyParams   = "gov:params"    // UInt: registered parameters

	keyRegistered = "gov:registered:" // governance key → u8 tier
	keyFoundation = "gov:foundation"  // Vec<address>, ascending
)

// What falls due.
const (
	dueProposal byte = iota
	duePause
	dueUpload
)

func home() account.Address { return account.System(account.Governance) }

func recordKey(name string) []byte { return account.KeyString(account.KindRecord, home(), name) }

func proposalKey(id uint64) []byte { return binary.BigEndian.AppendUint64(recordKey(keyProposal), id) }

func voteKey(id uint64, phase Status, voter account.Address) []byte {
	key := binary.BigEndian.AppendUint64(recordKey(keyVote), id)
	return append(append(key, byte(phase)), voter[:]...)
}

func dueKey(height unit.Height, what byte, number uint64) []byte {
	key := binary.BigEndian.AppendUint64(recordKey(keyDue), uint64(height))
	return binary.BigEndian.AppendUint64(append(key, what), number)
}

// pausedKey is not modified.
var pausedKey = recordKey(keyPaused)

// Claims is what this package keeps in state.
func Claims() []account.Claim {
	claim := func(holds, name string, exact bool) account.Claim {
		return account.RecordClaim("govern", home(), name, holds, exact)
	}
	return []account.Claim{
		claim("proposals so far", keyCount, true),
		claim("proposals", keyProposal, false),
		claim("votes", keyVote, false),
		claim("deadlines", keyDue, false),
		claim("how many proposals are open", keyOpen, true),
		claim("deposits", keyEscrow, true),
		claim("the Security Council", keyCouncil, true),
		claim("the multisig of the portal", keyLabs, true),
		claim("the foundation", keyFoundation, true),
		claim("paused system actors", keyPaused, true),
		claim("cancellations of the council", keyCancels, true),
		claim("code of system actors", keyCodes, true),
		claim("bytes of uploaded programs", keyUploads, true),
		claim("uploaded programs", keyUpload, false),
		claim("how many parameters are registered", keyParams, true),
		claim("registered parameters", keyRegistered, false),
	}
}

// number reads a record that is one UInt, zero where there is none.
func number(r state.Reader, name string) (uint64, error) { return state.Number(r, recordKey(name)) }

func setNumber(s state.Store, name string, n uint64) { state.SetNumber(s, recordKey(name), n) }

// Escrow is the sum of the deposits, in base units, which no account has.
// Spec: governance-staking B4 (deposit).
func Escrow(r state.Reader) (unit.Amount, error) {
	n, err := number(r, keyEscrow)
	return unit.Amount(n), err
}
