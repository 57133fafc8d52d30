package tx

import (
	"reflect"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Form is what a body shows its fields to: it reads them from an encoding, writes them to one, or lists them. So a body describes itself once.
type Form struct {
	mode   mode
	reader codec.Reader // while reading
	out    []byte       // while writing
	fields []Field      // while listing
}

type mode uint8

const (
	reading mode = iota
	writing
	listing
)

// readBody reads the body of a row that is built. The form has a copy of the reader, and the most frequent body is called by its type and not as an
// Instruction: so neither form nor reader of a single transfer is allocated.
func readBody(row *Row, r *codec.Reader) Instruction {
	if row.Opcode == OpTransfer {
		f, t := Form{mode: reading, reader: *r}, new(Transfer)
		t.Fields(&f)
		*r = f.reader
		return t
	}
	f, in := &Form{mode: reading, reader: *r}, row.body()
	in.Fields(f)
	*r = f.reader
	return in
}

// appendBody appends the body of an instruction, with the same care.
func appendBody(dst []byte, in Instruction) []byte {
	if t, ok := in.(*Transfer); ok {
		f := Form{mode: writing, out: dst}
		t.Fields(&f)
		return f.out
	}
	f := &Form{mode: writing, out: dst}
	in.Fields(f)
	return f.out
}

// list takes a field down; place is the address of its value.
func (f *Form) list(field Field, place any) {
	field.value = reflect.ValueOf(place).Elem()
	f.fields = append(f.fields, field)
}

// Address is 20 raw bytes.
func (f *Form) Address(name string, a *account.Address) {
	switch f.mode {
	case reading:
		f.reader.Into(a[:])
	case writing:
		f.out = codec.AppendFixed(f.out, a[:])
	case listing:
		f.list(Field{Name: name, Type: TypeAddress}, a)
	}
}

// Hash is 32 raw bytes.
func (f *Form) Hash(name string, h *digest.Hash) {
	switch f.mode {
	case reading:
		f.reader.Into(h[:])
	case writing:
		f.out = codec.AppendFixed(f.out, h[:])
	case listing:
		f.list(Field{Name: name, Type: TypeHash}, h)
	}
}

// Fixed is len(b) raw bytes; b is the whole of an array.
func (f *Form) Fixed(name string, b []byte) {
	switch f.mode {
	case reading:
		f.reader.Into(b)
	case writing:
		f.out = codec.AppendFixed(f.out, b)
	case listing:
		f.list(Field{Name: name, Type: TypeFixed, Max: len(b)}, &b)
	}
}

// Amount is an amount in 8 bytes, big-endian.
func (f *Form) Amount(name string, a *unit.Amount) {
	switch f.mode {
	case reading:
		*a = unit.Amount(f.reader.U64())
	case writing:
		f.out = codec.AppendU64(f.out, uint64(*a))
	case listing:
		f.list(Field{Name: name, Type: TypeAmount}, a)
	}
}

// Wide is a quantity of a token in 16 bytes, big-endian.
func (f *Form) Wide(name string, n *unit.Uint128) {
	switch f.mode {
	case reading:
		*n = readWide(&f.reader)
	case writing:
		f.out = n.AppendBig(f.out)
	case listing:
		f.list(Field{Name: name, Type: TypeWide}, n)
	}
}

func readWide(r *codec.Reader) unit.Uint128 {
	var b [unit.Uint128Size]byte
	r.Into(b[:])
	return unit.Uint128FromBig(b)
}

// OptionWide is an Option of a Wide.
func (f *Form) OptionWide(name string, n **unit.Uint128) {
	option(f, name, TypeWide, n, func() unit.Uint128 { return readWide(&f.reader) }, unit.Uint128.AppendBig)
}

// OptionAddress is an Option of an Address.
func (f *Form) OptionAddress(name string, a **account.Address) {
	option(f, name, TypeAddress, a, func() (a account.Address) { f.reader.Into(a[:]); return a }, func(a account.Address, dst []byte) []byte {
		return codec.AppendFixed(dst, a[:])
	})
}

// OptionHash is an Option of a Hash.
func (f *Form) OptionHash(name string, h **digest.Hash) {
	option(f, name, TypeHash, h, func() (h digest.Hash) { f.reader.Into(h[:]); return h }, func(h digest.Hash, dst []byte) []byte {
		return codec.AppendFixed(dst, h[:])
	})
}

func option[T any](f *Form, name string, as Type, v **T, read func() T, write func(v T, dst []byte) []byte) {
	switch f.mode {
	case reading:
		if *v = nil; f.reader.Option() {
			made := read()
			*v = &made
		}
	case writing:
		f.out = codec.AppendBool(f.out, *v != nil)
		if *v != nil {
			f.out = write(**v, f.out)
		}
	case listing:
		f.list(Field{Name: name, Type: as, Optional: true}, v)
	}
}

// OptionAmount is an Option<UInt> of an amount.
func (f *Form) OptionAmount(name string, a **uint64) { f.optionUint(name, TypeAmount, a) }

// Uint is a UInt.
func (f *Form) Uint(name string, n *uint64) {
	switch f.mode {
	case reading:
		*n = f.reader.Uint()
	case writing:
		f.out = codec.AppendUint(f.out, *n)
	case listing:
		f.list(Field{Name: name, Type: TypeUint}, n)
	}
}

// Bool is 00 or 01.
func (f *Form) Bool(name string, b *bool) {
	switch f.mode {
	case reading:
		*b = f.reader.Bool()
	case writing:
		f.out = codec.AppendBool(f.out, *b)
	case listing:
		f.list(Field{Name: name, Type: TypeBool}, b)
	}
}

// OptionUint is an Option<UInt>.
func (f *Form) OptionUint(name string, n **uint64) { f.optionUint(name, TypeUint, n) }

func (f *Form) optionUint(name string, as Type, n **uint64) {
	switch f.mode {
	case reading:
		*n = f.reader.OptionUint()
	case writing:
		f.out = codec.AppendOptionUint(f.out, *n)
	case listing:
		f.list(Field{Name: name, Type: as, Optional: true}, n)
	}
}

// Bytes is a length of at most max and that many bytes.
func (f *Form) Bytes(name string, b *[]byte, max int) { f.bytes(name, TypeBytes, b, max) }

// Text is as Bytes, for what people read as text. Nothing requires it to be UTF-8.
func (f *Form) Text(name string, b *[]byte, max int) { f.bytes(name, TypeText, b, max) }

func (f *Form) bytes(name string, as Type, b *[]byte, max int) {
	switch f.mode {
	case reading:
		*b = f.reader.Bytes(max)
	case writing:
		f.out = codec.AppendBytes(f.out, *b)
	case listing:
		f.list(Field{Name: name, Type: as, Max: max}, b)
	}
}

// OptionBytes is an Option<Bytes>. A nil slice is an absent option; an empty one is present.
func (f *Form) OptionBytes(name string, b *[]byte, max int) { f.optionBytes(name, TypeBytes, b, max) }

// OptionText is as OptionBytes, for what people read as text.
func (f *Form) OptionText(name string, b *[]byte, max int) { f.optionBytes(name, TypeText, b, max) }

func (f *Form) optionBytes(name string, as Type, b *[]byte, max int) {
	switch f.mode {
	case reading:
		if *b = nil; f.reader.Option() {
			*b = f.reader.Bytes(max)
		}
	case writing:
		f.out = codec.AppendBool(f.out, *b != nil)
		if *b != nil {
			f.out = codec.AppendBytes(f.out, *b)
		}
	case listing:
		f.list(Field{Name: name, Type: as, Max: max, Optional: true}, b)
	}
}

// config is a group of governed parameters, which has its encoding in package params.
type config interface{ Append([]byte) []byte }

// group is a group of governed parameters. Its fields are listed by their names in Go, in lower case with underscores.
func group[C config](f *Form, name string, c *C, read func(*codec.Reader) C) {
	switch f.mode {
	case reading:
		*c = read(&f.reader)
	case writing:
		f.out = (*c).Append(f.out)
	case listing:
		f.list(Field{Name: name, Type: TypeGroup}, c)
	}
}
