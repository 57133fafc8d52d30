package govern

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/treasury"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

func samples() []Payload {
	members := make([]account.Address, params.CouncilSeats)
	for i := range members {
		members[i] = account.Address{byte(i + 1)}
	}
	return []Payload{
		&ParamUpdate{"system:gov:param:limits", []byte{1, 2}}, &Disbursement{account.Address{5}, 300, []byte("memo")},
		&GrantAward{treasury.Award{Bucket: "team", To: account.Address{6}, Amount: 301, Revocable: true}}, &GrantRevoke{302},
		&Circuit{account.System(0x13), Permanent},
		&SystemActorUpgrade{account.System(8), Native(2), 303, 304, Migration{"", 305}},
		&SystemActorRollback{account.System(8)}, &RegistryUpdate{"system:gov:param:other", 3},
		&SetCouncil{members}, &SetLabs{members[:3], 2}, &ReviewCouncil{}, &DrainRelay{digest.Hash{7}}, &SetFoundation{members[:2]},
	}
}

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5.
func TestGoldenRecords(t *testing.T) {
	next := &Pending{Python(digest.Hash{2}), 306, 307, Migration{"take_over", 308}, true}
	records := map[string][]byte{
		"Pointers":  Pointers{{7, 1, Native(3), 309, 310, Code{}, 0, nil}, {8, 2, Python(digest.Hash{1}), 311, 312, Native(1), 313, next}}.Encode(),
		"Code":      Python(digest.Hash{1}).Append(nil),
		"Migration": Migration{"take_over", 314}.append(nil),
		"Upload":    golden.Fill(&Upload{}).Encode(),
		"Proposal":  golden.Fill(&Proposal{}).Encode(),
		"Vote":      golden.Fill(&Vote{}).Encode(),
		"Council":   golden.Fill(&Council{}).Encode(),
		"Labs":      golden.Fill(&Labs{}).Encode(),
	}
	for _, p := range samples() {
		records[reflect.TypeOf(p).Elem().Name()] = EncodePayload(p)
	}
	golden.Records(t, records)
}

// A payload decodes to what it encodes to and nothing else does; its length is bounded.
//
// Spec: WP §2.5; governance-staking B4.
func FuzzPayload(f *testing.F) {
	for _, p := range samples() {
		f.Add(EncodePayload(p))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := DecodePayload(data)
		if err == nil && !bytes.Equal(EncodePayload(p), data) || err != nil && !errors.Is(err, ErrPayload) {
			t.Errorf("%x: %+v %v", data, p, err)
		}
		if len(data) > params.MaxProposalPayloadBytes && err == nil {
			t.Errorf("%d bytes are taken", len(data))
		}
	})
}

// Spec: WP §2.5; governance-staking B8.
func FuzzPointers(f *testing.F) {
	f.Add(Pointers{{Target: 8, Active: Native(2), Former: Native(1), Until: 3, Next: &Pending{Code: Python(digest.Hash{1}), At: 5}}}.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := DecodePointers(data); err == nil && !bytes.Equal(p.Encode(), data) {
			t.Errorf("%x: %+v", data, p)
		}
	})
}

// Spec: WP §2.5; governance-staking B4.
func FuzzProposal(f *testing.F) {
	f.Add((&Proposal{ID: 3, Payload: []byte{1}, Status: Voting}).Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		if p, err := DecodeProposal(data); err == nil && !bytes.Equal(p.Encode(), data) {
			t.Errorf("%x: %+v", data, p)
		}
	})
}
