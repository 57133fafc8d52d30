package govern

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Payload is what a proposal does once it is executed.
// Spec: governance-staking B4.
type Payload interface {
	// Name is what people call it.
	Name() string
	append(dst []byte) []byte
}

// The payloads, by the tag their encoding begins with.
const (
	tagParam byte = iota
	tagRegistry
	tagDisbursement
	tagUpgrade
	tagMeta
	tagCircuit
	tagAward
	tagRevoke
	tagRollback
	tagDrain
	tags
)

// The operations of meta-governance.
const (
	opCouncil byte = iota
	opLabs
	opReview
	opFoundation
	ops
)

// ParamUpdate gives a parameter group a value.
type ParamUpdate struct {
	Key   string // of governance
	Value []byte // canonical encoding of the whole group
}

// Disbursement pays coins of the treasury out.
type Disbursement struct {
	Recipient account.Address
	Amount    unit.Amount // base units
	Memo      []byte
}

// GrantAward awards a part of a genesis bucket, which is paid as the bucket's terms release it.
type GrantAward struct{ treasury.Award }

// GrantRevoke leaves a grant what is released of it.
type GrantRevoke struct{ Grant uint64 }

// Action is what a Circuit does to a pause.
type Action uint8

// The actions. Spec: governance-staking B7.
const (
	RatifyExtend Action = iota // it lasts RatifyHours longer
	End                        // it ends
	Permanent                  // it does not end
	actions
)

// String names the action.
func (a Action) String() string {
	if a >= actions {
		return "unknown"
	}
	return [...]string{"ratify-extend", "end", "permanent"}[a]
}

// Circuit concerns the pause of a system actor.
type Circuit struct {
	Target account.Address
	Action Action
}

// SetCouncil replaces the Security Council: params.CouncilSeats addresses, ascending.
type SetCouncil struct{ Members []account.Address }

// SetLabs replaces the multisig that operates the portal: addresses, ascending, of which Threshold sign.
type SetLabs struct {
	Members   []account.Address
	Threshold uint32
}

// ReviewCouncil asks whether the council is warned: rejected, it is affirmed; its members are changed by SetCouncil.
type ReviewCouncil struct{}

// Name implements Payload.
func (*ParamUpdate) Name() string { return "ParamUpdate" }

// Name implements Payload.
func (*Disbursement) Name() string { return "TreasuryDisbursement" }

// Name implements Payload.
func (*GrantAward) Name() string { return "GrantAward" }

// Name implements Payload.
func (*GrantRevoke) Name() string { return "GrantRevoke" }

// Name implements Payload.
func (*Circuit) Name() string { return "Circuit" }

// Name implements Payload.
func (*SetCouncil) Name() string { return "MetaGovernance.SetCouncil" }

// Name implements Payload.
func (*SetLabs) Name() string { return "MetaGovernance.SetLabs" }

// Name implements Payload.
func (*ReviewCouncil) Name() string { return "MetaGovernance.ReviewCouncil" }

func (p *ParamUpdate) append(dst []byte) []byte {
	return codec.AppendBytes(codec.AppendBytes(append(dst, tagParam), []byte(p.Key)), p.Value)
}

func (p *Disbursement) append(dst []byte) []byte {
	dst = codec.AppendFixed(append(dst, tagDisbursement), p.Recipient[:])
	return codec.AppendBytes(codec.AppendUint(dst, uint64(p.Amount)), p.Memo)
}

func (p *GrantAward) append(dst []byte) []byte {
	dst = codec.AppendBytes(append(dst, tagAward), []byte(p.Bucket))
	dst = codec.AppendUint(codec.AppendFixed(dst, p.To[:]), uint64(p.Amount))
	return codec.AppendBool(dst, p.Revocable)
}

func (p *GrantRevoke) append(dst []byte) []byte {
	return codec.AppendUint(append(dst, tagRevoke), p.Grant)
}

func (p *Circuit) append(dst []byte) []byte {
	return append(codec.AppendFixed(append(dst, tagCircuit), p.Target[:]), byte(p.Action))
}

func (p *SetCouncil) append(dst []byte) []byte {
	return appendAddresses(append(dst, tagMeta, opCouncil), p.Members)
}

func (p *SetLabs) append(dst []byte) []byte {
	return codec.AppendUint(appendAddresses(append(dst, tagMeta, opLabs), p.Members), uint64(p.Threshold))
}

func (*ReviewCouncil) append(dst []byte) []byte { return append(dst, tagMeta, opReview) }

// EncodePayload is the canonical encoding: a tag and the fields in their order.
// Spec: WP §2.5; governance-staking B4.
func EncodePayload(p Payload) []byte { return p.append(nil) }

// maxKeyBytes bounds the key of a parameter group.
const maxKeyBytes = 128

// DecodePayload reads what EncodePayload wrote. The error wraps ErrPayload.
func DecodePayload(data []byte) (Payload, error) {
	if len(data) > params.MaxProposalPayloadBytes {
		return nil, fmt.Errorf("%w: %d bytes, at most %d are allowed", ErrPayload, len(data), params.MaxProposalPayloadBytes)
	}
	r := codec.NewReader(data)
	var p Payload
	switch tag := r.Tag(tags); tag {
	case tagParam:
		p = &ParamUpdate{string(r.Bytes(maxKeyBytes)), r.Bytes(params.MaxProposalPayloadBytes)}
	case tagDisbursement:
		d := new(Disbursement)
		r.Into(d.Recipient[:])
		d.Amount, d.Memo = unit.Amount(r.Uint()), r.Bytes(params.MaxMemoBytes)
		p = d
	case tagAward:
		a := new(GrantAward)
		a.Bucket = string(r.Bytes(treasury.MaxName))
		r.Into(a.To[:])
		a.Amount, a.Revocable = unit.Amount(r.Uint()), r.Bool()
		p = a
	case tagRevoke:
		p = &GrantRevoke{r.Uint()}
	case tagCircuit:
		c := new(Circuit)
		r.Into(c.Target[:])
		c.Action = Action(r.Tag(uint8(actions)))
		p = c
	case tagMeta:
		p = readMeta(r)
	case tagRegistry:
		p = &RegistryUpdate{string(r.Bytes(maxKeyBytes)), r.U8()}
	case tagUpgrade:
		p = readUpgrade(r)
	case tagRollback:
		p = readRollback(r)
	case tagDrain:
		p = readDrain(r)
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPayload, err)
	}
	return p, nil
}

func readMeta(r *codec.Reader) Payload {
	switch r.Tag(ops) {
	case opCouncil:
		return &SetCouncil{readAddresses(r, params.CouncilSeats, params.CouncilSeats)}
	case opLabs:
		return &SetLabs{readAddresses(r, 1, params.MaxLabsMembers), r.Uint32()}
	case opFoundation:
		return &SetFoundation{readAddresses(r, 1, params.MaxLabsMembers)}
	}
	return &ReviewCouncil{}
}

func appendAddresses(dst []byte, list []account.Address) []byte {
	dst = codec.AppendLen(dst, len(list))
	for _, a := range list {
		dst = codec.AppendFixed(dst, a[:])
	}
	return dst
}

// readAddresses reads addresses that ascend strictly.
func readAddresses(r *codec.Reader, least, most int) []account.Address {
	list := make([]account.Address, r.Len(least, most, account.AddressSize))
	for i := range list {
		r.Into(list[i][:])
		if r.Err() == nil && i > 0 && list[i-1].Compare(list[i]) >= 0 {
			r.Fail(codec.ErrOrder, uint64(i))
		}
	}
	return list
}
