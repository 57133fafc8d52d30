package host

import (
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// form of what is delivered to a handler.
type shape uint8

const (
	exact   shape = iota // bytes as they are
	called               // CBOR arguments of call()
	message              // a CBOR value: a structured message or a timer's data
)

// delivery is what a handler is called with.
type delivery struct {
	shape shape
	data  []byte
	value object.Value // decoded, unless exact
}

// parameters says what a handler's function takes behind the instance.
type parameters struct {
	count    int // positional, with or without default
	only     string
	variadic bool // *args
	keywords bool // keyword-only or **kwargs
	known    bool
}

func (h *handler) parameters() parameters {
	if h.code == nil {
		return parameters{}
	}
	skip := 0
	if h.self {
		skip = 1
	}
	p := parameters{
		count:    max(h.code.Pos-skip, 0),
		variadic: h.code.Flags&object.VarArgs != 0,
		keywords: h.code.KwOnly > 0 || h.code.Flags&object.VarKeywords != 0,
		known:    true,
	}
	if p.count == 1 && len(h.code.VarNames) > skip {
		p.only = h.code.VarNames[skip].String()
	}
	return p
}

// arguments binds a delivery to a handler's parameters.
//
// Spec: sdk §3.3 (delivery rule), §3.1 (form C takes no payload), §3.6.
func (f *Invocation) arguments(m *object.Machine, h *handler, d delivery) (object.Args, *object.Exception) {
	p := h.parameters()
	takesNothing := p.known && p.count == 0 && !p.variadic && (d.shape == exact || !p.keywords)
	if takesNothing && (d.shape != called || !hasItems(d.value)) {
		return object.Args{}, nil
	}
	switch d.shape {
	case exact:
		return object.Positional(m.Bytes(d.data)), nil
	case called:
		if list, ok := d.value.AsList(); ok {
			return object.Positional(list.Items()...), nil
		}
		if d.value.IsNone() {
			if p.count >= 1 && p.only != "" {
				return f.single(m, d.value)
			}
			return object.Args{}, nil
		}
		if p.only == "msg" || p.only == "payload" {
			return f.single(m, d.value)
		}
		return f.keywords(m, d.value, false)
	}
	if _, isMap := d.value.AsDict(); isMap && p.known && (p.count != 1 || p.variadic) {
		return f.keywords(m, d.value, true)
	}
	return f.single(m, d.value)
}

func hasItems(v object.Value) bool {
	if v.IsZero() {
		return false
	}
	if l, ok := v.AsList(); ok {
		return l.Len() > 0
	}
	d, ok := v.AsDict()
	return ok && d.Len() > 0
}

// single delivers a value as the only argument; a map becomes an instance of the registered mapping class.
func (f *Invocation) single(m *object.Machine, v object.Value) (object.Args, *object.Exception) {
	if _, ok := v.AsDict(); ok && !f.mapping.IsZero() {
		made, e := m.Call(f.mapping, object.Positional(v))
		return object.Positional(made), e
	}
	return object.Positional(v), nil
}

// keywords delivers a map's entries by name. routed leaves out the entry that named the handler.
func (f *Invocation) keywords(m *object.Machine, v object.Value, routed bool) (object.Args, *object.Exception) {
	d, _ := v.AsDict()
	var args object.Args
	var bad *object.Exception
	routes := ""
	if routed {
		routes, _ = routeOf(v)
	}
	d.Each(func(key, val object.Value) bool {
		name, ok := key.AsStr()
		if !ok {
			bad = m.TypeError("keywords must be strings")
			return false
		}
		if s, isText := val.AsStr(); routed && isText && s.String() == routes && isRoute(name.String()) {
			return true
		}
		args.V, args.Names = append(args.V, val), append(args.Names, name)
		return true
	})
	return args, bad
}

// Entries of a map payload that name its handler, in order. Spec: sdk §3.6.
var routeNames = [...]*object.Str{
	object.StaticName("handler"), object.StaticName("method"), object.StaticName("reply_handler"),
}

func isRoute(name string) bool {
	for _, r := range routeNames {
		if r.String() == name {
			return true
		}
	}
	return false
}

// routeOf is the handler a map payload names.
func routeOf(v object.Value) (string, bool) {
	d, ok := v.AsDict()
	if !ok {
		return "", false
	}
	for _, r := range routeNames {
		if named, ok := d.GetStr(r); ok {
			if s, ok := named.AsStr(); ok {
				return s.String(), true
			}
		}
	}
	return "", false
}

// result turns what a handler returned into return data. structured asks for CBOR whatever the value; otherwise bytes are verbatim and None
// is empty.
//
// Spec: sdk §3.4; CIP-3 §2.2 (1 cell per byte); WP §5.4 (64 KiB).
func (f *Invocation) result(m *object.Machine, v object.Value, i *handlerCall) ([]byte, *object.Exception) {
	var data []byte
	if b, ok := v.AsBytes(); ok && !i.structured {
		data = b.Data()
	} else if b, ok := v.AsByteArray(); ok && !i.structured {
		data = append([]byte(nil), b.Data()...)
	} else if i.structured || !v.IsNone() {
		var e *object.Exception
		if data, e = f.encode(m, v); e != nil {
			return nil, e
		}
	}
	if most := max(i.most, params.MaxReturnBytes); len(data) > most {
		return nil, f.raise(m, raise(Quota, "return data of %d bytes; at most %d are allowed", len(data), most))
	}
	if err := f.meter.ChargeCells(uint64(len(data)) * uint64(f.costs().CellsPerByteReturned)); err != nil {
		return nil, f.raise(m, err)
	}
	return data, nil
}
