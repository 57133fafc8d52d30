package tx

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Code is the number of a reject, part of the node's interface: 1000–1099 are
// validation and gas. Spec: node-rpc-cli §2.2.
type Code uint16

// The codes of rejects. 1001–1009 are those of public clients; the others fill
// the validation range.
const (
	CodeSignature     Code = 1001
	CodeNonce         Code = 1002
	CodeValue         Code = 1003
	CodeFunds         Code = 1004
	CodeCycles        Code = 1005
	CodeCells         Code = 1006
	CodeOverflow      Code = 1007
	CodeBelowBasefee  Code = 1008
	CodeMissingSigner Code = 1009
	CodeWrongChain    Code = 1010
	CodeMalformed     Code = 1011
	CodeTooLarge      Code = 1012
	CodeLimits        Code = 1013
	CodeSigners       Code = 1014
	CodeDeferred      Code = 1015
	CodeUnknown       Code = 1016
	CodeUnsupported   Code = 1017
	CodeInstruction   Code = 1018
	CodeSender        Code = 1019
	CodePayer         Code = 1024
	CodeNotPrivileged Code = 1230
)

// Reject is a class of refused transactions: a sentinel with its number and its
// name. errors.Is compares with the sentinels below; errors.As finds the class
// and so the number of any error this package gives.
type Reject struct {
	Code Code
	Name string // upper-case identifier, as in E_TX_WRONG_CHAIN_ID
	Text string
}

// Error implements error.
func (r *Reject) Error() string { return "tx: " + r.Text }

// Slug is the reject's short form in an error object: "E" and its number.
func (r *Reject) Slug() string { return fmt.Sprintf("E%d", r.Code) }

// The classes. Each comment names the function that gives it.
var (
	// ErrSignature: the signature is malformed or not from's. Verify.
	ErrSignature = &Reject{CodeSignature, "E_TX_SIGNATURE", "signature is malformed or not the sender's"}
	// ErrNonce: the nonce is not the account's next; a *NonceError tells both. Admit.
	ErrNonce = &Reject{CodeNonce, "E_TX_NONCE", "nonce is not the account's next"}
	// ErrValue: the balance does not cover the value moved. Admit.
	ErrValue = &Reject{CodeValue, "E_TX_VALUE", "balance does not cover the value"}
	// ErrFunds: the balance does not cover limits at the maximum fees. Admit.
	ErrFunds = &Reject{CodeFunds, "E_TX_FUNDS", "balance does not cover the limits at the maximum fees"}
	// ErrCycles: cycles_limit is below the intrinsic cost. Verify.
	ErrCycles = &Reject{CodeCycles, "E_TX_OUT_OF_CYCLES", "cycles limit is below the intrinsic cost"}
	// ErrCells: cells_limit is below the intrinsic cost. Verify.
	ErrCells = &Reject{CodeCells, "E_TX_OUT_OF_CELLS", "cells limit is below the intrinsic cost"}
	// ErrOverflow: limits times fees plus value exceed 2⁶⁴−1. Verify.
	ErrOverflow = &Reject{CodeOverflow, "E_TX_OVERFLOW", "limits times fees exceed the range of amounts"}
	// ErrBelowBasefee: a maximum fee is below the lane's basefee. Admit.
	ErrBelowBasefee = &Reject{CodeBelowBasefee, "E_TX_BELOW_BASEFEE", "maximum fee is below the basefee"}
	// ErrMissingSigner: an additional signer's signature is absent or not theirs. Verify.
	ErrMissingSigner = &Reject{CodeMissingSigner, "E_TX_MISSING_SIGNER", "signature of an additional signer is missing or not theirs"}
	// ErrWrongChain: chain_id is not this chain's. Verify.
	ErrWrongChain = &Reject{CodeWrongChain, "E_TX_WRONG_CHAIN_ID", "chain id is not this chain's"}
	// ErrMalformed: the bytes are not a canonical encoding. Decode.
	ErrMalformed = &Reject{CodeMalformed, "E_TX_MALFORMED", "bytes are not a canonical transaction"}
	// ErrTooLarge: more than 128 KiB. Decode, Verify.
	ErrTooLarge = &Reject{CodeTooLarge, "E_TX_TOO_LARGE", "transaction is larger than 128 KiB"}
	// ErrLimits: a limit exceeds its maximum. Verify.
	ErrLimits = &Reject{CodeLimits, "E_TX_LIMITS", "a limit exceeds its maximum"}
	// ErrSigners: additional signers are not strictly ascending. Verify.
	ErrSigners = &Reject{CodeSigners, "E_TX_SIGNERS", "additional signers are not strictly ascending by address"}
	// ErrDeferred: origin fields, which no transaction may have here. Verify.
	ErrDeferred = &Reject{CodeDeferred, "E_TX_DEFERRED", "deferred transactions are injected by the protocol only"}
	// ErrUnknownInstruction: an opcode nobody allocated. Decode.
	ErrUnknownInstruction = &Reject{CodeUnknown, "E_TX_UNKNOWN_INSTRUCTION", "unknown instruction"}
	// ErrUnsupported: an opcode of a chapter this build lacks; an *Unsupported
	// tells which. Decode.
	ErrUnsupported = &Reject{CodeUnsupported, "E_TX_UNSUPPORTED_INSTRUCTION", "instruction is not supported by this node"}
	// ErrInstruction: a well-formed instruction that can never be valid. Verify.
	ErrInstruction = &Reject{CodeInstruction, "E_TX_INSTRUCTION", "instruction is never valid"}
	// ErrSender: the sender is an actor, which no key controls. Admit.
	ErrSender = &Reject{CodeSender, "E_TX_SENDER", "sender is not an external account"}
	// ErrPayer: the metadata names a payer that is none, or that has not granted the fees or cannot pay them. Verify, Covered.
	ErrPayer = &Reject{CodePayer, "E_TX_PAYER", "the named payer of the fees has not granted so much, or does not have it"}
	// ErrNotPrivileged: a governed instruction from somebody else. Admit.
	ErrNotPrivileged = &Reject{CodeNotPrivileged, "E_PERMISSION", "instruction is reserved for governance"}
)

// ClassOf finds the class of an error this package gave; false for any other
// error, which then is no reject.
func ClassOf(err error) (*Reject, bool) {
	var r *Reject
	ok := errors.As(err, &r)
	return r, ok
}

// NonceError is ErrNonce with its numbers. Gap reports whether the transaction
// may become valid later.
type NonceError struct {
	Have uint64 // the transaction's
	Want uint64 // the account's next
}

// Error implements error.
func (e *NonceError) Error() string {
	return fmt.Sprintf("tx: nonce %d, account's next is %d", e.Have, e.Want)
}

// Unwrap gives ErrNonce.
func (e *NonceError) Unwrap() error { return ErrNonce }

// Gap reports whether the nonce lies ahead of the account's.
func (e *NonceError) Gap() bool { return e.Have > e.Want }

// FundsError is ErrFunds, ErrValue or ErrPayer with its numbers.
type FundsError struct {
	Class *Reject
	Have  unit.Amount
	Need  unit.Amount
}

// Error implements error.
func (e *FundsError) Error() string {
	return fmt.Sprintf("%s: have %d, need %d base units", e.Class.Error(), e.Have, e.Need)
}

// Unwrap gives the class.
func (e *FundsError) Unwrap() error { return e.Class }

// Unsupported is the reject of an allocated opcode whose chapter this build does
// not have.
type Unsupported struct {
	Opcode  Opcode
	Name    string
	Chapter Chapter
}

// Error implements error.
func (e *Unsupported) Error() string {
	return fmt.Sprintf("tx: instruction %s (%v %d) of chapter %q is not supported by this node",
		e.Name, e.Opcode.Category(), e.Opcode.SubType(), e.Chapter)
}

// Unwrap gives ErrUnsupported.
func (e *Unsupported) Unwrap() error { return ErrUnsupported }

func unsupported(op Opcode) error {
	if r, ok := RowOf(op); ok {
		return &Unsupported{Opcode: op, Name: r.Name, Chapter: r.Chapter}
	}
	return fmt.Errorf("%w: %v", ErrUnknownInstruction, op)
}

// malformed classes an error of the decoder unless it has a class already.
func malformed(err error) error {
	if _, classed := ClassOf(err); classed {
		return err
	}
	return fmt.Errorf("%w: %w", ErrMalformed, err)
}

func instructionErr(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrInstruction, err)
}
