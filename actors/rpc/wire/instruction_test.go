package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	system "github.com/cowboyinc/cowboy-go/runtime/system/token"
)

// complete gives every field of a body a value of its own, options too, and two elements to every list.
func complete(t *testing.T, fields []tx.Field, n *byte) {
	t.Helper()
	for _, f := range fields {
		*n++
		var value any
		switch f.Type {
		case tx.TypeUint, tx.TypeAmount:
			value = uint64(*n)
		case tx.TypeWide:
			value = unit.Uint128{Hi: uint64(*n), Lo: 1}
		case tx.TypeBool:
			value = true
		case tx.TypeAddress:
			value = account.Address{19: *n}
		case tx.TypeHash:
			value = digest.Hash{*n}
		case tx.TypeFixed:
			value = bytes.Repeat([]byte{*n}, f.Max)
		case tx.TypeBytes:
			value = []byte{*n, 0xff}
		case tx.TypeText:
			value = []byte("text")
		case tx.TypeGroup:
			complete(t, f.Fields(), n)
			continue
		case tx.TypeList:
			if err := f.Resize(2); err != nil {
				t.Fatal(err)
			}
			for _, element := range f.Elements() {
				complete(t, element, n)
			}
			continue
		}
		if err := f.Set(value); err != nil {
			t.Fatal(err)
		}
	}
}

// throughJSON sends a value through its JSON, as a client has it.
func throughJSON(t *testing.T, v any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&m); err != nil {
		t.Fatal(err)
	}
	return m
}

// TestEveryInstructionInJSON sends every built instruction through JSON and back; the document names each member.
func TestEveryInstructionInJSON(t *testing.T) {
	for _, row := range tx.Rows() {
		if !row.Built() {
			if _, err := ToInstruction(row, nil); err == nil || !strings.Contains(err.Error(), string(row.Chapter)) {
				t.Errorf("%s: %v", row.Name, err)
			}
			continue
		}
		for _, f := range row.Fields() {
			for _, own := range ownNames {
				if f.Name == own {
					t.Errorf("%s has a field %s", row.Name, own)
				}
			}
		}
		in, n := row.New(), byte(0)
		complete(t, tx.FieldsOf(in), &n)
		for _, in := range []tx.Instruction{in, row.New()} { // the second has options absent and lists empty
			members := throughJSON(t, FromInstruction(in))
			back, err := ToInstruction(row, members)
			if err != nil || !bytes.Equal(tx.EncodeInstruction(back), tx.EncodeInstruction(in)) {
				t.Errorf("%s: %v comes back as %+v, %v", row.Name, members, back, err)
			}
			for name := range InstructionSchema(row)["properties"].(map[string]any) {
				delete(members, strings.TrimSuffix(name, textSuffix))
				delete(members, name)
			}
			if len(members) > 0 {
				t.Errorf("%s: the schema lacks %v", row.Name, members)
			}
		}
	}
}

// Every fault about tokens has a row of its own in the catalogue.
//
// Spec: tokens §7; node-rpc-cli §2.2.
func TestTokenErrors(t *testing.T) {
	for _, f := range system.New().Faults {
		if f.Code < 1400 || f.Code > 1499 {
			continue
		}
		if e, ok := catalogue(int(f.Code)); !ok || e.category != "token" || NewError(int(f.Code), "").Code != int(f.Code) {
			t.Errorf("E%d is %+v", f.Code, e)
		}
	}
}

// TestInstructionAsClientsKnowIt pins members that clients read.
func TestInstructionAsClientsKnowIt(t *testing.T) {
	amount := uint64(5)
	for i, c := range []struct {
		in   tx.Instruction
		want string
	}{
		{&tx.Transfer{To: account.Address{19: 0xab}, Amount: 7}, `{"amount":7,"category":"System","lane":"user","sub_type":1,
			"to":"0x00000000000000000000000000000000000000AB","type":"Transfer"}`},
		{&tx.Execute{Handler: []byte("go"), Payload: []byte("{}")}, `{"actor":"0x0000000000000000000000000000000000000000","amount":0,
			"category":"Actor","handler":"go","lane":"user","payload":"7b7d","payload_text":"{}","sub_type":1,"type":"Execute"}`},
		{&tx.Deploy{Code: []byte("x = 1"), Salt: []byte{1}, InitHandler: []byte{0xff}}, `{"category":"Actor","code":"x = 1","init_handler":{"hex":"ff"},
			"init_payload":null,"lane":"user","manifest":null,"salt":"01","sub_type":0,"type":"Deploy"}`},
		{&tx.ValidatorRegister{Key: sig.BLSPublicKey{1}, Stake: 9}, `{"category":"System","key":"01` + strings.Repeat("00", 47) + `","lane":"system",
			"possession":"` + strings.Repeat("00", 96) + `","stake":9,"sub_type":170,"type":"ValidatorRegister"}`},
		{&tx.ValidatorExit{Amount: &amount}, `{"amount":5,"category":"System","lane":"system","sub_type":172,"type":"ValidatorExit"}`},
		{&tx.UpdateEntitlementConfig{Config: params.EntitlementConfig{WindowBlocks: 7, Deprecated: []params.Deprecation{{ID: "a", From: 1, Until: 8}}}},
			`{"category":"System","config":{"deprecated":[{"from":1,"id":"a","until":8}],"require_manifest":false,"window_blocks":7},
			"lane":"system","sub_type":107,"type":"UpdateEntitlementConfig"}`},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var want map[string]any
			d := json.NewDecoder(strings.NewReader(c.want))
			d.UseNumber()
			if err := d.Decode(&want); err != nil {
				t.Fatal(err)
			}
			if got := throughJSON(t, FromInstruction(c.in)); !reflect.DeepEqual(got, want) {
				t.Errorf("%T is %v, want %v", c.in, got, want)
			}
		})
	}
}

// TestInstructionErrorsNameTheField gives what no field takes.
func TestInstructionErrorsNameTheField(t *testing.T) {
	for i, c := range []struct {
		row, json, want string
	}{
		{"Transfer", `{"to":"0xab","amount":1}`, "to: wants an address"},
		{"Transfer", `{"to":"0x00000000000000000000000000000000000000AB"}`, "amount is missing: wants an amount in base units"},
		{"Transfer", `{"to":"0x00000000000000000000000000000000000000AB","amount":-1}`, "amount: wants an amount in base units"},
		{"Transfer", `{"to":"0x00000000000000000000000000000000000000AB","amount":1.5}`, "amount: wants an amount in base units"},
		{"Transfer", `{"to":"0x00000000000000000000000000000000000000AB","amount":null}`, "amount: may not be absent"},
		{"Transfer", `{"to":"0x00000000000000000000000000000000000000AB","amount":1,"value":2}`, "value is no field: there are to, amount"},
		{"CancelTimer", `{"timer_id":"abcd"}`, "timer_id: wants 64 hex digits"},
		{"UpdateTimerConfig", `{"config":{"max_ttl_blocks":"x"}}`, "config.max_ttl_blocks: wants a whole number"},
		{"UpdateTimerConfig", `{"config":5}`, "config: wants a JSON object"},
		{"UpdateEntitlementConfig", `{"config":{"window_blocks":1,"require_manifest":true,"deprecated":[{"id":"a","from":1,"until":2},{"id":7}]}}`,
			"config.deprecated[1].from is missing: wants a whole number"},
		{"UpdateEntitlementConfig", `{"config":{"window_blocks":1,"require_manifest":true,"deprecated":[7]}}`, "config.deprecated[0]: wants an object"},
		{"ValidatorRegister", `{"key":"00"}`, "key: has 48 bytes, not 1"},
		{"Deploy", `{"code":"","salt":"` + strings.Repeat("00", params.MaxSaltBytes+1) + `"}`, "salt: has at most 32 bytes, not 33"},
		{"Deploy", `{"code":"","salt":"00","salt_text":"0"}`, "salt: its text says something else"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			row, _ := tx.RowNamed(c.row)
			d := json.NewDecoder(strings.NewReader(c.json))
			d.UseNumber()
			var members map[string]any
			if err := d.Decode(&members); err != nil {
				t.Fatal(err)
			}
			if _, err := ToInstruction(row, members); err == nil || err.Error() != c.want {
				t.Errorf("%s %s: %v, want %s", c.row, c.json, err, c.want)
			}
		})
	}
	row, _ := tx.RowNamed("Execute")
	in, err := ToInstruction(row, map[string]any{"actor": account.Address{}.String(), "amount": "5", "handler": "go", "payload_text": "{}"})
	if e, ok := in.(*tx.Execute); err != nil || !ok || e.Amount != 5 || string(e.Payload) != "{}" {
		t.Errorf("octets as text: %+v, %v", in, err)
	}
}
