package pytest

import (
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/host"
	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// mockName is what cowboy_sdk.mock_host is made with.
const mockName = "_cowboy_mock"

// mockModule makes the native module over what surrounds the test's own scratch actor.
func mockModule(around *host.Scratch) pvm.NativeModule {
	type fn func(m *object.Machine, a object.Args) (object.Value, *object.Exception)
	return func(m *object.Machine, mod *object.Module) *object.Exception {
		for _, e := range [...]struct {
			name, sig string
			call      fn
		}{
			{"reset", "", func(*object.Machine, object.Args) (object.Value, *object.Exception) {
				if err := around.Reset(); err != nil {
					panic(broken{Text: err.Error()})
				}
				return object.None, nil
			}},
			{"self_address", "", func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
				self := around.Self()
				return m.Bytes(self[:]), nil
			}},
			{"set_sender", "who", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				if a.V[0].IsNone() {
					around.SetSender(nil)
					return object.None, nil
				}
				who := address(a.V[0])
				around.SetSender(&who)
				return object.None, nil
			}},
			{"set_value", "amount", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				around.SetValue(unit.Amount(number(a.V[0])))
				return object.None, nil
			}},
			{"set_open", "open", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				around.SetOpen(a.V[0].IsTrue())
				return object.None, nil
			}},
			{"set_mode", "name", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				mode := host.Deferred
				if words(a.V[0]) == host.Pure.String() {
					mode = host.Pure
				}
				around.SetMode(mode)
				return object.None, nil
			}},
			{"block", "", func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
				height, at, chain := around.Block()
				return m.Tuple(integer(m, uint64(height)), integer(m, at), integer(m, chain)), nil
			}},
			{"set_block", "height, timestamp_ms, chain_id", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				around.SetBlock(unit.Height(number(a.V[0])), number(a.V[1]), number(a.V[2]))
				return object.None, nil
			}},
			{"set_balance", "address, amount", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				if err := around.SetBalance(address(a.V[0]), unit.Amount(number(a.V[1]))); err != nil {
					panic(broken{Text: err.Error()})
				}
				return object.None, nil
			}},
			{"add_actor", "address", func(_ *object.Machine, a object.Args) (object.Value, *object.Exception) {
				around.AddActor(address(a.V[0]))
				return object.None, nil
			}},
			{"on_call", "answer", func(m *object.Machine, a object.Args) (object.Value, *object.Exception) {
				answer := a.V[0]
				m.Pin(answer)
				around.Answer = func(target account.Address, handler string, args []byte, structured bool) ([]byte, error) {
					got, e := m.Call(answer, object.Positional(m.Bytes(target[:]), m.Str(handler), m.Bytes(args), object.Bool(structured)))
					if e != nil {
						return nil, host.Raised(e)
					}
					return octets(got), nil
				}
				return object.None, nil
			}},
			{"events", "", mockEvents(around)},
			{"messages", "", mockMessages(around)},
			{"timers", "", mockTimers(around)},
			{"state", "", func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
				d := m.NewDict()
				var bad *object.Exception
				if err := around.State(func(key, value []byte) {
					if bad == nil {
						bad = d.Set(m, m.Bytes(append([]byte(nil), key...)), m.Bytes(value))
					}
				}); err != nil {
					panic(broken{Text: err.Error()})
				}
				return d.Value(), bad
			}},
		} {
			mod.Define(m, e.name, object.NewLateBuiltin(object.Method{Name: e.name, Sig: e.sig, Func: refusing(object.Func(e.call))}).Value())
		}
		return nil
	}
}

func mockEvents(around *host.Scratch) func(*object.Machine, object.Args) (object.Value, *object.Exception) {
	return func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
		list := m.NewList(nil)
		for _, e := range around.Events() {
			list.Append(m, m.Tuple(m.Str(string(e.Topic)), m.Bytes(e.Data)))
		}
		return list.Value(), nil
	}
}

func mockMessages(around *host.Scratch) func(*object.Machine, object.Args) (object.Value, *object.Exception) {
	return func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
		sent, err := around.Messages()
		if err != nil {
			panic(broken{Text: err.Error()})
		}
		list := m.NewList(nil)
		for i := range sent {
			list.Append(m, m.Tuple(m.Bytes(sent[i].Target[:]), m.Bytes(sent[i].Payload), object.Bool(sent[i].Structured), integer(m, uint64(sent[i].Value))))
		}
		return list.Value(), nil
	}
}

func mockTimers(around *host.Scratch) func(*object.Machine, object.Args) (object.Value, *object.Exception) {
	return func(m *object.Machine, _ object.Args) (object.Value, *object.Exception) {
		waiting, err := around.Timers()
		if err != nil {
			panic(broken{Text: err.Error()})
		}
		list := m.NewList(nil)
		for i := range waiting {
			t := &waiting[i]
			list.Append(m, m.Tuple(integer(m, uint64(t.Height)), m.Str(t.Handler), m.Bytes(t.Payload), object.Bool(t.Structured), integer(m, t.Every)))
		}
		return list.Value(), nil
	}
}
