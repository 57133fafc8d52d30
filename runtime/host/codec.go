package host

import (
	"errors"
	"math/big"

	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// valueSize is what an element of a list or dict under construction counts against the heap.
const valueSize = 16

// encode is the canonical CBOR of a value, charged: beside its bytes, each list and dict pays what reading its items costs a program. What CBOR cannot
// carry is a CodecError; more bytes than the heap allows a MemoryError.
//
// Spec: sdk §15; CIP-3 §2.2 (20 + bytes).
func (f *Invocation) encode(m *object.Machine, v object.Value) ([]byte, *object.Exception) {
	if e := m.Charge(0); e != nil {
		return nil, e
	}
	left := f.meter.Left()
	limit := int(min(left, params.MemoryPerCallBytes))
	w := writer{m: m, out: cbor.NewEncoder(nil, max(limit, 1))}
	err := w.value(v)
	switch {
	case err == nil:
	case errors.Is(err, cbor.ErrLimit) && left <= params.MemoryPerCallBytes:
		return nil, f.raise(m, f.chargeCodec(limit+1)) // more bytes than cycles: the charge cannot succeed
	case errors.Is(err, cbor.ErrLimit):
		return nil, m.Raise(&object.ExcMemoryError, "")
	default:
		return nil, f.codecError(m, err)
	}
	data := w.out.Bytes()
	if err := f.chargeCodec(len(data)); err != nil {
		return nil, f.raise(m, err)
	}
	return data, m.Reserve(len(data))
}

func (f *Invocation) codecError(m *object.Machine, err error) *object.Exception {
	var t *thrown
	if errors.As(err, &t) {
		return t.exception
	}
	return f.raise(m, raise(Codec, "%v", err))
}

// decode reads canonical CBOR, charged: beside its bytes, each list and dict pays what making it costs a program. Anything else is a CodecError.
//
// Spec: sdk §15; CIP-3 §2.2 (20 + bytes).
func (f *Invocation) decode(m *object.Machine, data []byte) (object.Value, *object.Exception) {
	if err := f.chargeCodec(len(data)); err != nil {
		return object.Value{}, f.raise(m, err)
	}
	v, err := cbor.Decode[object.Value](data, &builder{m: m})
	if err != nil {
		return object.Value{}, f.codecError(m, err)
	}
	return v, nil
}

// Decode makes a value of canonical CBOR on a machine, for tools; the host's own decoding is charged.
func Decode(m *object.Machine, data []byte) (object.Value, *object.Exception) {
	v, err := cbor.Decode[object.Value](data, &builder{m: m})
	if err == nil {
		return v, nil
	}
	var t *thrown
	if errors.As(err, &t) {
		return v, t.exception
	}
	return v, m.ValueError("%s", err)
}

// checkCanonical refuses bytes that are not one canonical CBOR value.
func (f *Invocation) checkCanonical(m *object.Machine, data []byte) *object.Exception {
	if err := f.chargeCodec(len(data)); err != nil {
		return f.raise(m, err)
	}
	if _, err := cbor.Decode[struct{}](data, skipper{}); err != nil {
		return f.codecError(m, err)
	}
	return nil
}

// writer encodes values of the machine.
type writer struct {
	m     *object.Machine
	out   *cbor.Encoder
	items []object.Value // keys and values in turn, of the dicts that are being written, the innermost last
}

func (w *writer) value(v object.Value) error {
	switch {
	case v.IsNone():
		return w.out.Null()
	case v.IsBool():
		return w.out.Bool(v.IsTrue())
	case v.IsInt():
		return w.out.Int(v.Int64())
	case v.IsFloat():
		return w.out.Float(v.FloatBits())
	}
	if s, ok := v.AsStr(); ok {
		return w.out.Text(s.String())
	}
	if b, ok := v.AsBytes(); ok {
		return w.out.ByteString(b.Data())
	}
	if b, ok := v.AsByteArray(); ok {
		return w.out.ByteString(b.Data())
	}
	if l, ok := v.AsList(); ok {
		return w.array(l.Items())
	}
	if t, ok := v.AsTuple(); ok {
		return w.array(t.Items())
	}
	if d, ok := v.AsDict(); ok {
		return w.dict(d)
	}
	if s, ok := v.AsSet(); ok {
		items := make([]object.Value, 0, s.Len())
		s.Each(func(v object.Value) bool { items = append(items, v); return true })
		return w.array(items)
	}
	if i, ok := v.AsInt(); ok {
		return w.out.Big(i.BigInt())
	}
	return raise(Codec, "a value of type %s has no encoding", v.Type().Name)
}

func (w *writer) array(items []object.Value) error {
	if e := w.m.Charge(w.m.Costs().Iterate + len(items)*w.m.Costs().Element); e != nil {
		return &thrown{e}
	}
	return w.out.Array(len(items), func(i int) error { return w.value(items[i]) })
}

func (w *writer) dict(d *object.Dict) error {
	if e := w.m.Charge(w.m.Costs().Iterate + d.Len()*(w.m.Costs().DictAccess+w.m.Costs().Element)); e != nil {
		return &thrown{e}
	}
	first := len(w.items)
	d.Each(func(key, val object.Value) bool { w.items = append(w.items, key, val); return true })
	err := w.out.Map(d.Len(), func(i int) error { return w.value(w.items[first+2*i]) }, func(i int) error { return w.value(w.items[first+2*i+1]) })
	w.items = w.items[:first]
	return err
}

// builder makes values of the machine from CBOR. Elements waiting for their list or dict are not objects yet, so they are counted
// here and asked for in steps: input of n bytes cannot take more than the heap limit, however it is nested.
type builder struct {
	m      *object.Machine
	values int
}

const reserveStep = 1024

// textCost is the price of each text that is made of CBOR, beside its bytes.
const textCost = 6

func (b *builder) made(v object.Value) (object.Value, error) {
	b.values++
	if b.values%reserveStep == 0 {
		if e := b.m.Reserve(b.values * valueSize); e != nil {
			return v, &thrown{e}
		}
	}
	return v, nil
}

func (b *builder) Null() (object.Value, error)             { return b.made(object.None) }
func (b *builder) Bool(v bool) (object.Value, error)       { return b.made(object.Bool(v)) }
func (b *builder) Int(i int64) (object.Value, error)       { return b.made(object.Int(i)) }
func (b *builder) Float(bits uint64) (object.Value, error) { return b.made(object.Float(bits)) }

func (b *builder) Text(text []byte) (object.Value, error) {
	if e := b.m.Charge(textCost); e != nil {
		return object.Value{}, &thrown{e}
	}
	return b.made(b.m.Str(string(text)))
}

func (b *builder) Big(i *big.Int) (object.Value, error) {
	v, e := b.m.IntOf(i)
	if e != nil {
		return v, &thrown{e}
	}
	return b.made(v)
}

func (b *builder) ByteString(data []byte) (object.Value, error) {
	return b.made(b.m.Bytes(append([]byte(nil), data...)))
}

// Open charges a list or dict before its elements are read, so that one that ends in an error has paid for its way there.
func (b *builder) Open(mapping bool) error {
	price := b.m.Costs().Display
	if mapping {
		price = b.m.Costs().Mapping
	}
	if e := b.m.Charge(price); e != nil {
		return &thrown{e}
	}
	return nil
}

func (b *builder) Array(elements []object.Value) (object.Value, error) {
	if e := b.m.Charge(len(elements) * b.m.Costs().Element); e != nil {
		return object.Value{}, &thrown{e}
	}
	return b.made(b.m.NewList(elements).Value())
}

func (b *builder) Map(entries []object.Value) (object.Value, error) {
	if e := b.m.Charge(len(entries) / 2 * (b.m.Costs().DictAccess + b.m.Costs().Element)); e != nil {
		return object.Value{}, &thrown{e}
	}
	d := b.m.NewDictFor(len(entries) / 2)
	for i := 0; i < len(entries); i += 2 {
		if e := d.Set(b.m, entries[i], entries[i+1]); e != nil {
			return object.Value{}, &thrown{e}
		}
	}
	return b.made(d.Value())
}

// skipper checks CBOR and keeps nothing.
type skipper struct{}

func (skipper) Null() (v struct{}, err error)             { return }
func (skipper) Bool(bool) (v struct{}, err error)         { return }
func (skipper) Int(int64) (v struct{}, err error)         { return }
func (skipper) Big(*big.Int) (v struct{}, err error)      { return }
func (skipper) Float(uint64) (v struct{}, err error)      { return }
func (skipper) Open(bool) error                           { return nil }
func (skipper) ByteString([]byte) (v struct{}, err error) { return }
func (skipper) Text([]byte) (v struct{}, err error)       { return }
func (skipper) Array([]struct{}) (v struct{}, err error)  { return }
func (skipper) Map([]struct{}) (v struct{}, err error)    { return }
