package pytest

import (
	"math/big"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Keys of the maps the native module gives.
var (
	nameKind      = object.StaticName("kind")
	nameOK        = object.StaticName("ok")
	nameReturn    = object.StaticName("return")
	nameCode      = object.StaticName("code")
	nameText      = object.StaticName("text")
	nameCycles    = object.StaticName("cycles")
	nameCells     = object.StaticName("cells")
	nameHeight    = object.StaticName("height")
	nameTarget    = object.StaticName("target")
	nameEvents    = object.StaticName("events")
	nameCreated   = object.StaticName("created")
	nameActor     = object.StaticName("actor")
	nameName      = object.StaticName("name")
	nameData      = object.StaticName("data")
	nameReceipt   = object.StaticName("receipt")
	nameValue     = object.StaticName("value")
	nameTraceback = object.StaticName("traceback")
	nameRoot      = object.StaticName("root")
)

func limit(n int) *big.Int { return big.NewInt(int64(n)) }

func integer(m *object.Machine, n uint64) object.Value {
	v, _ := m.IntOf(new(big.Int).SetUint64(n)) // 64 bits are within the limit of integers
	return v
}

// receiptValue is a receipt as a dict.
func receiptValue(m *object.Machine, c *simulated, x *block.Receipt) object.Value {
	d := m.NewDict()
	at := heightOf(c.Blocks(), x)
	d.SetStr(m, nameKind, m.Str(x.Kind.String()))
	d.SetStr(m, nameOK, object.Bool(x.Status == block.Success))
	d.SetStr(m, nameReturn, m.Bytes(x.ReturnData))
	d.SetStr(m, nameCode, object.Int(int64(x.Fault.Code)))
	d.SetStr(m, nameText, m.Str(x.Fault.Text))
	d.SetStr(m, nameValue, integer(m, uint64(x.Value)))
	d.SetStr(m, nameCycles, integer(m, uint64(x.CyclesUsed)))
	d.SetStr(m, nameCells, integer(m, uint64(x.CellsUsed)))
	d.SetStr(m, nameHeight, integer(m, at))
	d.SetStr(m, nameTarget, m.Bytes(x.Target[:]))
	d.SetStr(m, nameTraceback, m.Str(traceback(c, x)))
	list := m.NewList(nil)
	for i := range x.Events {
		list.Append(m, eventValue(m, at, &x.Events[i]))
	}
	d.SetStr(m, nameEvents, list.Value())
	if x.Created != nil {
		d.SetStr(m, nameCreated, m.Bytes(x.Created[:]))
	}
	return d.Value()
}

// traceback says where an execution failed, with the files that the actors' sources came from; "" where it did not, or not in an actor's code.
func traceback(c *simulated, x *block.Receipt) string {
	f := c.Failure(x.ID)
	if x.ID.IsZero() && x.Status != block.Success { // a query's
		f = c.Asked().Failure
	}
	if f == nil {
		return ""
	}
	return strings.TrimRight(f.Render(func(actor account.Address) string {
		source, _, err := c.State().Lookup(host.CodeKey(c.Record(actor).CodeHash))
		if path := c.runner.files[string(source)]; err == nil && path != "" {
			return path
		}
		return ""
	}), "\n")
}

func eventValue(m *object.Machine, at uint64, e *block.Event) object.Value {
	d := m.NewDict()
	d.SetStr(m, nameActor, m.Bytes(e.Actor[:]))
	d.SetStr(m, nameName, m.Str(string(e.Topic)))
	d.SetStr(m, nameData, m.Bytes(e.Data))
	d.SetStr(m, nameHeight, integer(m, at))
	return d.Value()
}

func events(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c, actor := s.chain(a.V[0]), address(a.V[1])
	list := m.NewList(nil)
	for _, b := range c.Blocks() {
		for _, x := range b.Receipts {
			for i := range x.Events {
				if x.Events[i].Actor == actor {
					list.Append(m, eventValue(m, uint64(b.Header.Height), &x.Events[i]))
				}
			}
		}
	}
	return list.Value(), nil
}

func storage(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	raw, ok, err := c.State().Lookup(host.StorageKey(address(a.V[1]), octets(a.V[2])))
	if err != nil {
		panic(broken{Text: err.Error()})
	}
	if !ok {
		return object.None, nil
	}
	return m.Bytes(raw), nil
}

// verbatim is the longest key stored as it is. Spec: sdk §4.3.
const verbatim = 32

// entries are an actor's own entries; what the SDK and the host keep there is left out.
func entries(s *session, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	c := s.chain(a.V[0])
	prefix := account.Key(account.KindStorage, address(a.V[1]))
	d := m.NewDict()
	var bad *object.Exception
	err := c.State().Scan(prefix, nil, 0, func(full, value []byte) bool {
		key := full[len(prefix):]
		if len(key) <= verbatim && !host.IsReserved(key) {
			bad = d.Set(m, m.Bytes(append([]byte(nil), key...)), m.Bytes(value))
		}
		return bad == nil
	})
	if err != nil {
		panic(broken{Text: err.Error()})
	}
	return d.Value(), bad
}

// decoded makes a Python value of CBOR.
func decoded(m *object.Machine, data []byte) (object.Value, *object.Exception) {
	return host.Decode(m, data)
}
