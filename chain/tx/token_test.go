package tx

import (
	"errors"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Names, symbols, URIs and batches are read up to their limits and no further, so that nobody has more carried than a token may keep.
//
// Spec: tokens §2, §4.
func TestTokenLimits(t *testing.T) {
	for _, c := range []struct {
		name string
		in   Instruction
		ok   bool
	}{
		{"name of 64 bytes", &TokenCreate{Name: make([]byte, 64)}, true},
		{"name of 65 bytes", &TokenCreate{Name: make([]byte, 65)}, false},
		{"symbol of 16 bytes", &TokenCreate{Symbol: make([]byte, 16)}, true},
		{"symbol of 17 bytes", &TokenCreate{Symbol: make([]byte, 17)}, false},
		{"URI of 256 bytes", &TokenCreate{MetadataURI: make([]byte, 256)}, true},
		{"URI of 257 bytes", &TokenCreate{MetadataURI: make([]byte, 257)}, false},
		{"batch of 256", &TokenTransferBatch{Transfers: make([]TokenLeg, params.TokenBatchLegs)}, true},
		{"batch of 257", &TokenTransferBatch{Transfers: make([]TokenLeg, params.TokenBatchLegs+1)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := DecodeInstruction(EncodeInstruction(c.in)); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrMalformed) {
				t.Error(err)
			}
		})
	}
}

// The fields of tokens take what they hold, and options of them nothing.
func TestTokenFields(t *testing.T) {
	in := &TokenCreate{}
	fields := FieldsOf(in)
	most, hook := fields[4], fields[5]
	if most.Name != "max_supply" || most.Value() != nil || hook.Name != "transfer_hook" || hook.Value() != nil {
		t.Fatalf("%+v, %+v", most, hook)
	}
	for _, bad := range []struct {
		field Field
		value any
	}{{fields[3], uint64(1)}, {fields[3], nil}, {most, uint64(1)}, {hook, []byte{1}}, {hook, unit.Wide(1)}} {
		t.Run(bad.field.Name, func(t *testing.T) {
			if err := bad.field.Set(bad.value); !errors.Is(err, ErrField) {
				t.Errorf("%v: %v", bad.value, err)
			}
		})
	}
	if err := errors.Join(most.Set(unit.Uint128{Hi: 3}), hook.Set(account.Address{4})); err != nil {
		t.Fatal(err)
	}
	if *in.MaxSupply != (unit.Uint128{Hi: 3}) || *in.TransferHook != (account.Address{4}) || most.Value() != (unit.Uint128{Hi: 3}) {
		t.Errorf("%+v", in)
	}
	if err := errors.Join(most.Set(nil), hook.Set(nil)); err != nil || in.MaxSupply != nil || in.TransferHook != nil {
		t.Errorf("%+v, %v", in, err)
	}
}
