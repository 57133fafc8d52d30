package tx

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/receipt"
)

// The opcodes of requests over HTTP.
// Spec: gateway-payments-streams §B, §C.
const (
	OpIngressDispatch = Opcode(System)<<8 | 65
	OpCompleteReceipt = Opcode(System)<<8 | 66
)

// Requests come in at 0x0F, answers are kept at 0x10.
//
// Spec: gateway-payments-streams §B, §C; WP §9.
var gatewayRows = chapter(ChapterGateway,
	Row{
		Opcode: OpIngressDispatch, Name: "IngressDispatch", Home: account.GatewayRegistry, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: func() Instruction { return new(IngressDispatch) },
	},
	Row{
		Opcode: OpCompleteReceipt, Name: "CompleteReceipt", Home: account.ReceiptRegistry, Lane: params.LaneUser,
		Intrinsic: Cost{Cycles: params.IntrinsicSystemCycles}, body: func() Instruction { return new(CompleteReceipt) },
	},
)

// IngressDispatch brings a request over HTTP to an actor; an active gateway sends it: target(20) ‖ Bytes envelope ‖ request_id(16).
//
// The receipt returns the identity the request has.
// Spec: gateway-payments-streams §B (65).
type IngressDispatch struct {
	Target    account.Address
	Envelope  []byte // canonical CBOR
	RequestID receipt.ID
}

// Opcode implements Instruction.
func (*IngressDispatch) Opcode() Opcode { return OpIngressDispatch }

// Fields implements Instruction.
func (d *IngressDispatch) Fields(f *Form) {
	f.Address("target", &d.Target)
	f.Bytes("envelope", &d.Envelope, params.MaxTxBytes)
	f.Fixed("request_id", d.RequestID[:])
}

// surcharge is one cell per byte of calldata. Spec: WP §17.4.
func (d *IngressDispatch) surcharge() Cost { return Cost{Cells: calldata(d.Envelope)} }

// CompleteReceipt answers a request that an actor answered with 202; the actor's deployer sends it: request_id(16) ‖ Bytes envelope.
//
// Spec: gateway-payments-streams §C (66).
type CompleteReceipt struct {
	RequestID receipt.ID
	Envelope  []byte // canonical CBOR
}

// Opcode implements Instruction.
func (*CompleteReceipt) Opcode() Opcode { return OpCompleteReceipt }

// Fields implements Instruction.
func (c *CompleteReceipt) Fields(f *Form) {
	f.Fixed("request_id", c.RequestID[:])
	f.Bytes("envelope", &c.Envelope, receipt.MaxEnvelope)
}

// surcharge is the calldata, and once more what is written to state. Spec: WP §17.4.
func (c *CompleteReceipt) surcharge() Cost { return Cost{Cells: 2 * calldata(c.Envelope)} }
