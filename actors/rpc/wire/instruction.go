package wire

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/tx"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Instruction is an instruction in JSON: its name as `type`, its numbers `category` and `sub_type`, its `lane`, and each field of its body by name.
// Octets are hex digits, and stand as `…_text` beside them where they are printable; an amount is in base units, one of a token digits in text; an absent
// option is null.
type Instruction map[string]any

// ownNames are the members of an Instruction that are no fields.
var ownNames = []string{"type", "category", "sub_type", "lane"}

// textSuffix ends the name of the member that shows octets as text.
const textSuffix = "_text"

// FromInstruction gives an instruction's name, numbers and fields. Spec: WP §2.1.
func FromInstruction(in tx.Instruction) Instruction {
	op := in.Opcode()
	m := Instruction{"category": op.Category().String(), "sub_type": op.SubType(), "lane": tx.LaneOf(in).String()}
	if row, ok := tx.RowOf(op); ok {
		m["type"] = row.Name
	}
	show(m, tx.FieldsOf(in))
	return m
}

func show(m map[string]any, fields []tx.Field) {
	for _, f := range fields {
		m[f.Name] = shownField(f)
		if b, ok := f.Value().([]byte); ok && f.Type == tx.TypeBytes {
			if text := Text(b); text != "" {
				m[f.Name+textSuffix] = text
			}
		}
	}
}

func shownField(f tx.Field) any {
	switch f.Type {
	case tx.TypeGroup:
		m := map[string]any{}
		show(m, f.Fields())
		return m
	case tx.TypeList:
		list := []any{}
		for _, element := range f.Elements() {
			m := map[string]any{}
			show(m, element)
			list = append(list, m)
		}
		return list
	}
	switch v := f.Value().(type) {
	case account.Address:
		return v.String()
	case digest.Hash:
		return Hash(v)
	case []byte:
		if f.Type != tx.TypeText {
			return Hex(v)
		}
		if !utf8.Valid(v) {
			return map[string]any{"hex": Hex(v)}
		}
		return string(v)
	case unit.Uint128:
		return v.String()
	default:
		return v
	}
}

// ToInstruction makes an instruction of a row from the members of an Instruction. Octets may be given as text, under their name with _text, and
// numbers as decimal digits in text. An error names the field that it is about.
func ToInstruction(row tx.Row, members map[string]any) (tx.Instruction, error) {
	in := row.New()
	if in == nil {
		return nil, fmt.Errorf("%s is not available yet: that part of chapter %q is not built", row.Name, row.Chapter)
	}
	rest := maps.Clone(members)
	for _, name := range ownNames {
		delete(rest, name)
	}
	if err := fill("", tx.FieldsOf(in), rest); err != nil {
		return nil, err
	}
	return in, nil
}

// fill sets fields from the members of an object. path is the name of the object, with a dot if it has one.
func fill(path string, fields []tx.Field, members map[string]any) error {
	used, names := 0, make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
		value, given := members[f.Name]
		text, asText := members[f.Name+textSuffix].(string)
		asText = asText && f.Type == tx.TypeBytes
		if given {
			used++
		}
		if asText {
			used++
		}
		switch {
		case asText && !given:
			if err := f.Set([]byte(text)); err != nil {
				return fieldError(path, err)
			}
		case given:
			if err := set(path, f, value); err != nil {
				return err
			}
			if octets, _ := f.Value().([]byte); asText && string(octets) != text {
				return fmt.Errorf("%s%s: its text says something else", path, f.Name)
			}
		case !f.Optional:
			return fmt.Errorf("%s%s is missing: %s", path, f.Name, Takes(f))
		}
	}
	if used == len(members) {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(members)) {
		if !slices.Contains(names, name) && !slices.Contains(names, strings.TrimSuffix(name, textSuffix)) {
			return fmt.Errorf("%s%s is no field: there are %s", path, name, strings.Join(names, ", "))
		}
	}
	return nil
}

// fieldError is an error of a field's Set, without the name of its class.
func fieldError(path string, err error) error {
	return fmt.Errorf("%s%s", path, strings.TrimPrefix(err.Error(), tx.ErrField.Error()+": "))
}

// set gives a field what JSON says of it.
func set(path string, f tx.Field, value any) error {
	refused := func() error { return fmt.Errorf("%s%s: %s", path, f.Name, Takes(f)) }
	var made any
	switch v := value.(type) {
	case nil:
	case bool:
		made = v
	case json.Number:
		return set(path, f, v.String())
	case uint64:
		made = v
		if f.Type == tx.TypeWide {
			made = unit.Wide(v)
		}
	case string:
		var ok bool
		if made, ok = parse(f, v); !ok {
			return refused()
		}
	case map[string]any:
		digits, isHex := v["hex"].(string)
		switch {
		case f.Type == tx.TypeGroup:
			return fill(path+f.Name+".", f.Fields(), v)
		case f.Type != tx.TypeText || !isHex:
			return refused()
		}
		octets, err := hex.DecodeString(digits)
		if err != nil {
			return refused()
		}
		made = octets
	case []any:
		if f.Type != tx.TypeList {
			return refused()
		}
		if err := f.Resize(len(v)); err != nil {
			return fieldError(path, err)
		}
		for i, element := range f.Elements() {
			m, ok := v[i].(map[string]any)
			at := fmt.Sprintf("%s%s[%d].", path, f.Name, i)
			if !ok {
				return fmt.Errorf("%s: wants an object", strings.TrimSuffix(at, "."))
			}
			if err := fill(at, element, m); err != nil {
				return err
			}
		}
		return nil
	default:
		return refused()
	}
	if err := f.Set(made); err != nil {
		return fieldError(path, err)
	}
	return nil
}

// parse reads the text of a field's value.
func parse(f tx.Field, text string) (any, bool) {
	switch f.Type {
	case tx.TypeUint, tx.TypeAmount:
		n, err := strconv.ParseUint(text, 10, 64)
		return n, err == nil
	case tx.TypeWide:
		n, err := unit.ParseUint128(text)
		return n, err == nil
	case tx.TypeBool:
		b, err := strconv.ParseBool(text)
		return b, err == nil
	case tx.TypeAddress:
		a, err := account.ReadAddress(text)
		return a, err == nil
	case tx.TypeText:
		return []byte(text), true
	case tx.TypeHash:
		b, err := hex.DecodeString(bare(text))
		if err != nil || len(b) != len(digest.Hash{}) {
			return nil, false
		}
		return digest.Hash(b), true
	case tx.TypeFixed, tx.TypeBytes:
		b, err := hex.DecodeString(bare(text))
		return b, err == nil
	}
	return nil, false
}

func bare(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, "0x"), "0X")
}

// Takes says what a field takes, for people.
func Takes(f tx.Field) string {
	text := map[tx.Type]string{
		tx.TypeUint: "a whole number", tx.TypeAmount: "an amount in base units", tx.TypeBool: "true or false",
		tx.TypeWide: "a whole number of a token's smallest units", tx.TypeAddress: "an address",
		tx.TypeHash: "64 hex digits", tx.TypeFixed: fmt.Sprintf("%d bytes in hex", f.Max), tx.TypeBytes: fmt.Sprintf("at most %d bytes in hex", f.Max),
		tx.TypeText: fmt.Sprintf("text of at most %d bytes", f.Max), tx.TypeGroup: "a JSON object", tx.TypeList: "a JSON array of objects",
	}[f.Type]
	if f.Optional {
		text += ", or nothing"
	}
	return "wants " + text
}

// InstructionSchema describes the JSON of a row's instructions in the words of OpenAPI.
func InstructionSchema(row tx.Row) map[string]any {
	schema := objectSchema(row.Fields())
	properties, required := schema["properties"].(map[string]any), schema["required"].([]string)
	properties["type"] = map[string]any{"type": "string", "enum": []string{row.Name}}
	properties["category"] = map[string]any{"type": "string", "enum": []string{row.Opcode.Category().String()}}
	properties["sub_type"] = map[string]any{"type": "integer", "enum": []any{row.Opcode.SubType()}}
	properties["lane"] = map[string]any{"type": "string"}
	schema["required"] = append(required, ownNames...)
	return schema
}

func objectSchema(fields []tx.Field) map[string]any {
	properties, required := map[string]any{}, []string{}
	for _, f := range fields {
		properties[f.Name] = fieldSchema(f)
		required = append(required, f.Name)
		if f.Type == tx.TypeBytes {
			properties[f.Name+textSuffix] = map[string]any{"type": "string", "description": "the same as text, where it is printable"}
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

func fieldSchema(f tx.Field) map[string]any {
	var schema map[string]any
	switch f.Type {
	case tx.TypeUint, tx.TypeAmount:
		schema = map[string]any{"type": "integer", "format": "int64", "minimum": 0}
	case tx.TypeWide:
		schema = map[string]any{"type": "string", "pattern": "^(0|[1-9][0-9]{0,38})$", "description": "smallest units of a token"}
	case tx.TypeBool:
		schema = map[string]any{"type": "boolean"}
	case tx.TypeText:
		schema = map[string]any{"oneOf": []any{
			map[string]any{"type": "string", "maxLength": f.Max},
			map[string]any{"type": "object", "properties": map[string]any{"hex": map[string]any{"type": "string"}}, "required": []string{"hex"}},
		}, "description": "text, or its octets where it is not UTF-8"}
	case tx.TypeGroup:
		schema = objectSchema(f.Fields())
	case tx.TypeList:
		schema = map[string]any{"type": "array", "maxItems": f.Max, "items": objectSchema(f.Fields())}
	case tx.TypeAddress:
		schema = map[string]any{"type": "string", "pattern": "^(0x)?[0-9a-fA-F]{40}$"}
	case tx.TypeHash:
		schema = map[string]any{"type": "string", "pattern": "^0x[0-9a-f]{64}$"}
	default:
		schema = map[string]any{"type": "string", "pattern": "^([0-9a-f]{2})*$", "maxLength": 2 * f.Max}
	}
	if f.Type == tx.TypeAmount {
		schema["description"] = "base units"
	}
	if f.Optional {
		schema["nullable"] = true
	}
	return schema
}
