package tx

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Type is what a field of an instruction holds.
type Type uint8

// The types of fields, with the Go type of their values.
const (
	TypeUint    Type = iota // uint64
	TypeAmount              // uint64, base units
	TypeWide                // unit.Uint128, smallest units of a token
	TypeBool                // bool
	TypeAddress             // account.Address
	TypeHash                // digest.Hash
	TypeFixed               // []byte of exactly Max bytes
	TypeBytes               // []byte of at most Max bytes
	TypeText                // []byte of at most Max bytes that people read as text
	TypeGroup               // fields of their own
	TypeList                // at most Max elements, each with the same fields
)

// String names the type.
func (t Type) String() string {
	return [...]string{"uint", "amount", "wide", "bool", "address", "hash", "fixed bytes", "bytes", "text", "group", "list"}[t]
}

// Field is one field of a body: how it is called, what it holds, and its place in that body.
type Field struct {
	Name     string
	Type     Type
	Max      int  // most bytes or elements, exactly so many for TypeFixed; 0 where the type says it
	Optional bool // may be absent

	value reflect.Value
}

// FieldsOf lists the fields of a body in the order of the encoding. Set changes the body.
func FieldsOf(in Instruction) []Field {
	f := Form{mode: listing}
	in.Fields(&f)
	return f.fields
}

// Value is what the field holds, of its type's Go type; nil for an option that is absent, and for a group or a list.
func (f Field) Value() any {
	v := f.value
	switch f.Type {
	case TypeUint, TypeAmount:
		if f.Optional {
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		}
		return v.Uint()
	case TypeBool, TypeAddress, TypeHash, TypeWide:
		if f.Optional {
			if v.IsNil() {
				return nil
			}
			v = v.Elem()
		}
		return v.Interface()
	case TypeFixed, TypeBytes, TypeText:
		if f.Optional && v.IsNil() {
			return nil
		}
		if v.Kind() == reflect.String {
			return []byte(v.String())
		}
		return v.Bytes()
	}
	return nil
}

// ErrField is the class of errors about values that a field does not take.
var ErrField = errors.New("tx: value of a field")

func (f Field) refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %s: %s", ErrField, f.Name, fmt.Sprintf(format, args...))
}

// Set puts a value of the type's Go type, or nil for an absent option, into the body. An error is of ErrField and names the field; the body then is as it
// was.
func (f Field) Set(value any) error {
	if value == nil {
		if !f.Optional {
			return f.refuse("may not be absent")
		}
		f.value.SetZero()
		return nil
	}
	switch x := value.(type) {
	case uint64:
		if f.Type == TypeUint || f.Type == TypeAmount {
			return f.setUint(x)
		}
	case []byte:
		return f.setBytes(x)
	case bool, account.Address, digest.Hash, unit.Uint128:
		v := reflect.ValueOf(x)
		if f.Optional {
			v = reflect.New(v.Type())
			v.Elem().Set(reflect.ValueOf(x))
		}
		if v.Type() == f.value.Type() {
			f.value.Set(v)
			return nil
		}
	}
	return f.refuse("holds %v, not %T", f.Type, value)
}

func (f Field) setUint(n uint64) error {
	v := f.value
	switch {
	case f.Optional:
		v.Set(reflect.ValueOf(&n))
	case v.OverflowUint(n):
		return f.refuse("%d is more than its %d bits hold", n, v.Type().Bits())
	default:
		v.SetUint(n)
	}
	return nil
}

func (f Field) setBytes(b []byte) error {
	switch {
	case f.Type != TypeFixed && f.Type != TypeBytes && f.Type != TypeText:
		return f.refuse("holds %v, not bytes", f.Type)
	case f.Type == TypeFixed && len(b) != f.Max:
		return f.refuse("has %d bytes, not %d", f.Max, len(b))
	case len(b) > f.Max:
		return f.refuse("has at most %d bytes, not %d", f.Max, len(b))
	case f.Type == TypeFixed:
		copy(f.value.Bytes(), b)
	case f.value.Kind() == reflect.String:
		f.value.SetString(string(b))
	default:
		f.value.SetBytes(append([]byte{}, b...)) // an empty option is present
	}
	return nil
}

// Fields lists the fields of a group, or of an element of a list that holds nothing; otherwise none.
func (f Field) Fields() []Field {
	switch f.Type {
	case TypeGroup:
		return fieldsIn(f.value)
	case TypeList:
		return fieldsIn(reflect.New(f.value.Type().Elem()).Elem())
	}
	return nil
}

// Elements lists the fields of each element of a list.
func (f Field) Elements() [][]Field {
	if f.Type != TypeList {
		return nil
	}
	list := make([][]Field, f.value.Len())
	for i := range list {
		list[i] = fieldsIn(f.value.Index(i))
	}
	return list
}

// Resize gives a list n empty elements. An error is of ErrField.
func (f Field) Resize(n int) error {
	switch {
	case f.Type != TypeList:
		return f.refuse("holds %v, not a list", f.Type)
	case n > f.Max:
		return f.refuse("has at most %d elements, not %d", f.Max, n)
	case n == 0:
		f.value.SetZero()
	default:
		f.value.Set(reflect.MakeSlice(f.value.Type(), n, n))
	}
	return nil
}

// typed is the type of a field whose Go type alone tells it.
func typed(t reflect.Type) (Type, bool) {
	switch t {
	case reflect.TypeFor[unit.Amount]():
		return TypeAmount, true
	case reflect.TypeFor[unit.Uint128]():
		return TypeWide, true
	case reflect.TypeFor[account.Address]():
		return TypeAddress, true
	case reflect.TypeFor[digest.Hash]():
		return TypeHash, true
	}
	return 0, false
}

// fieldsIn lists the fields of a group of parameters. Its own rules bound what they hold; here it is what fits into a transaction.
func fieldsIn(group reflect.Value) []Field {
	list := make([]Field, group.NumField())
	for i := range list {
		v := group.Field(i)
		list[i] = Field{Name: lower(group.Type().Field(i).Name), value: v}
		if t, known := typed(v.Type()); known {
			list[i].Type = t
			continue
		}
		switch v.Kind() {
		case reflect.Bool:
			list[i].Type = TypeBool
		case reflect.String:
			list[i].Type, list[i].Max = TypeText, params.MaxTxBytes
		case reflect.Slice:
			list[i].Type, list[i].Max = TypeList, params.MaxTxBytes
		case reflect.Pointer:
			list[i].Optional = true
			list[i].Type, _ = typed(v.Type().Elem()) // TypeUint for what has no other
		default:
			list[i].Type = TypeUint
		}
	}
	return list
}

// lower turns MaxTTLBlocks into max_ttl_blocks.
func lower(name string) string {
	var b strings.Builder
	letters := []rune(name)
	for i, r := range letters {
		before := i > 0 && unicode.IsLower(letters[i-1])
		after := i > 0 && i+1 < len(letters) && unicode.IsLower(letters[i+1])
		if unicode.IsUpper(r) && (before || after) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
