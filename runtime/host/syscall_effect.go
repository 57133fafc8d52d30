package host

import (
	"bytes"
	"encoding/json"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/params"
	"github.com/cowboyinc/cowboy-go/chain/timer"
	"github.com/cowboyinc/cowboy-go/chain/unit"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// effectCalls change something outside the actor's storage: events, messages, timers, coin, synchronous calls.
//
// Spec: sdk §7, §8, §11, §13.
func effectCalls() []entry {
	return []entry{
		{"emit_event", "name, payload=None", emitEvent},
		{"send_message", "target, payload=None, structured=None, value=0", sendMessage},
		{"create_deferred_tx", "handler, payload=b''", createDeferred},
		{"call_actor", "target, method, payload=b'', cycles_limit=100000, value=0", callActor},
		{"call", "target, method, args=None, cycles_limit=100000, value=0", callMethod},
		{"transfer", "to, amount", transferCoin},
		{"spawn_actor", "code, salt=b'', manifest=None, init_handler=None, init_payload=b''", spawnActor},
		{"get_balance", "address=None", getBalance},
		{"set_timer", "height, handler, data=b'', priority_tier_hint=None", setTimer},
		{"set_interval", "every_n_blocks, handler, data=b'', priority_tier_hint=None", setInterval},
		{"schedule_timer", "height, payload=b''", scheduleTimerEx},
		{"schedule_timer_ex", "height, payload=b'', fee_payer=None, gas_limit=None, expires_at=None, max_fee_per_cycle=None, " +
			"max_priority_fee_per_cycle=None, priority_tier_hint=None", scheduleTimerEx},
		{"extend_timer", "timer_id, new_expires_at", extendTimer},
		{"cancel_timer", "timer_id", cancelTimer},
	}
}

func emitEvent(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	topic, e := octets(m, a.Arg(0), "name")
	if e != nil {
		return object.Value{}, e
	}
	var data []byte
	switch payload := a.Arg(1); {
	case !given(payload):
	case isOctets(payload):
		data, e = octets(m, payload, "payload")
	default:
		data, e = jsonText(m, payload)
	}
	if e != nil {
		return object.Value{}, e
	}
	r, err := f.Emit(topic, data)
	if err != nil || r == nil {
		return none(err, f, m)
	}
	return f.answered(m, r.Value())
}

func hashBytes(h digest.Hash, err error, f *Invocation, m *object.Machine) (object.Value, *object.Exception) {
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return m.Bytes(h[:]), nil
}

func sendMessage(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	target, e := f.address(m, a.Arg(0), "target")
	if e != nil {
		return object.Value{}, e
	}
	data, structured, e := f.payload(m, a.Arg(1))
	if e != nil {
		return object.Value{}, e
	}
	if flag := a.Arg(2); given(flag) {
		wanted, e := m.Truth(flag)
		if e != nil {
			return object.Value{}, e
		}
		if wanted && !structured {
			if e := f.checkCanonical(m, data); e != nil {
				return object.Value{}, e
			}
		}
		structured = structured || wanted
	}
	value, e := f.coins(m, a.Arg(3), "value")
	if e != nil {
		return object.Value{}, e
	}
	id, err := f.Send(target, data, structured, value)
	return hashBytes(id, err, f, m)
}

// payload reads what is to be delivered: octets as they are, anything else as CBOR.
func (f *Invocation) payload(m *object.Machine, v object.Value) (data []byte, structured bool, e *object.Exception) {
	if v.IsZero() {
		return nil, false, nil
	}
	if isOctets(v) {
		data, e = octets(m, v, "payload")
		return data, false, e
	}
	data, e = f.encode(m, v)
	return data, true, e
}

func createDeferred(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	handler, e := text(m, a.Arg(0), "handler")
	if e != nil {
		return object.Value{}, e
	}
	var data []byte
	if given(a.Arg(1)) {
		if data, e = octets(m, a.Arg(1), "payload"); e != nil {
			return object.Value{}, e
		}
	}
	id, err := f.Defer(handler, data)
	return hashBytes(id, err, f, m)
}

// defaultCallCycles is the budget of a call that names none.
//
// Spec: sdk §7.
const defaultCallCycles = 100_000

func (f *Invocation) callArgs(m *object.Machine, a object.Args) (n nested, e *object.Exception) {
	if n.target, e = f.address(m, a.Arg(0), "target"); e != nil {
		return n, e
	}
	if n.method, e = text(m, a.Arg(1), "method"); e != nil {
		return n, e
	}
	if len(n.method) > params.MaxHandlerBytes {
		return n, f.raise(m, raise(ActorCall, "no handler has a name of %d bytes", len(n.method)))
	}
	cycles, e := f.optional(m, a.Arg(3), "cycles_limit")
	if e != nil {
		return n, e
	}
	n.cycles = defaultCallCycles
	if cycles != nil {
		n.cycles = *cycles
	}
	n.value, e = f.coins(m, a.Arg(4), "value")
	return n, e
}

func callActor(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	n, e := f.callArgs(m, a)
	if e != nil {
		return object.Value{}, e
	}
	if given(a.Arg(2)) {
		if n.args, e = octets(m, a.Arg(2), "payload"); e != nil {
			return object.Value{}, e
		}
	}
	r, err := f.run(n)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return m.Bytes(r.data), nil
}

func callMethod(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	n, e := f.callArgs(m, a)
	if e != nil {
		return object.Value{}, e
	}
	args := a.Or(2, object.None)
	_, isDict := args.AsDict()
	_, isList := args.AsList()
	_, isTuple := args.AsTuple()
	if !args.IsNone() && !isDict && !isList && !isTuple {
		return object.Value{}, m.TypeError("args must be dict, list, tuple or None, not %s", args.Type().Name)
	}
	n.structured = true
	if n.args, e = f.encode(m, args); e != nil {
		return object.Value{}, e
	}
	r, err := f.run(n)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return f.decode(m, r.data)
}

func transferCoin(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	to, e := f.address(m, a.Arg(0), "to")
	if e != nil {
		return object.Value{}, e
	}
	amount, e := f.coins(m, a.Arg(1), "amount")
	if e != nil {
		return object.Value{}, e
	}
	return none(f.Transfer(to, amount), f, m)
}

func getBalance(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	addr := f.self
	if given(a.Arg(0)) {
		var e *object.Exception
		if addr, e = f.address(m, a.Arg(0), "address"); e != nil {
			return object.Value{}, e
		}
	}
	amount, err := f.Balance(addr)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return uintValue(m, uint64(amount)), nil
}

func setTimer(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	height, e := f.number(m, a.Arg(0), "height")
	if e != nil {
		return object.Value{}, e
	}
	return f.schedule(m, a, timer.Request{Height: unit.Height(height)})
}

func setInterval(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	every, e := f.number(m, a.Arg(0), "every_n_blocks")
	if e != nil {
		return object.Value{}, e
	}
	if every == 0 {
		return object.Value{}, f.raise(m, wrap(timer.ErrInterval))
	}
	return f.schedule(m, a, timer.Request{Every: every})
}

// schedule is the end of set_timer and set_interval: handler and data.
func (f *Invocation) schedule(m *object.Machine, a object.Args, q timer.Request) (object.Value, *object.Exception) {
	var e *object.Exception
	if q.Handler, e = text(m, a.Arg(1), "handler"); e != nil {
		return object.Value{}, e
	}
	if q.Handler == "" || q.Handler[0] == '_' {
		return object.Value{}, f.raise(m, raise(TimerRule, "handler %.64q cannot be called from outside", q.Handler))
	}
	if q.Payload, q.Structured, e = f.payload(m, a.Arg(2)); e != nil {
		return object.Value{}, e
	}
	if q.Tier, e = tierOf(m, a.Arg(3)); e != nil {
		return object.Value{}, e
	}
	id, err := f.Schedule(q)
	return hashBytes(id, err, f, m)
}

// tierOf is the tier a hint names, the standard one for none.
//
// Spec: WP §5.1b (priority_tier_hint).
func tierOf(m *object.Machine, v object.Value) (timer.Tier, *object.Exception) {
	if !given(v) {
		return timer.Standard, nil
	}
	name, e := text(m, v, "priority_tier_hint")
	if e != nil {
		return 0, e
	}
	t, ok := timer.ParseTier(name)
	if !ok {
		return 0, m.ValueError("priority_tier_hint is 'economy', 'standard', 'fast' or 'urgent'")
	}
	return t, nil
}

func scheduleTimerEx(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	height, e := f.number(m, a.Arg(0), "height")
	if e != nil {
		return object.Value{}, e
	}
	q := timer.Request{Height: unit.Height(height)}
	if given(a.Arg(1)) {
		if q.Payload, e = octets(m, a.Arg(1), "payload"); e != nil {
			return object.Value{}, e
		}
	}
	if given(a.Arg(2)) {
		payer, e := f.address(m, a.Arg(2), "fee_payer")
		if e != nil {
			return object.Value{}, e
		}
		q.Payer = &payer
	}
	gas, e := f.optional(m, a.Arg(3), "gas_limit")
	if e != nil {
		return object.Value{}, e
	}
	expires, e := f.optional(m, a.Arg(4), "expires_at")
	if e != nil {
		return object.Value{}, e
	}
	if q.MaxFee, e = f.optional(m, a.Arg(5), "max_fee_per_cycle"); e != nil {
		return object.Value{}, e
	}
	if q.MaxPriority, e = f.optional(m, a.Arg(6), "max_priority_fee_per_cycle"); e != nil {
		return object.Value{}, e
	}
	if q.Tier, e = tierOf(m, a.Arg(7)); e != nil {
		return object.Value{}, e
	}
	if q.MaxPriority != nil && given(a.Arg(7)) {
		return object.Value{}, m.ValueError("a timer has max_priority_fee_per_cycle or priority_tier_hint, not both")
	}
	q.GasLimit, q.ExpiresAt = (*unit.Cycles)(gas), (*unit.Height)(expires)
	if e := f.envelope(m, q.Payload); e != nil {
		return object.Value{}, e
	}
	q.Handler, q.Payload = route(q.Payload)
	id, err := f.Schedule(q)
	return hashBytes(id, err, f, m)
}

// envelope takes the price of reading a payload that may be an envelope, as of any other text that is read.
//
// Spec: CIP-3 §2.2 (20 + bytes).
func (f *Invocation) envelope(m *object.Machine, payload []byte) *object.Exception {
	if first := bytes.TrimLeft(payload[:min(len(payload), freeEnvelope)], " \t\r\n"); len(payload) <= freeEnvelope || len(first) > 0 && first[0] != '{' {
		return nil
	}
	if err := f.chargeCodec(len(payload) * envelopeByte); err != nil {
		return f.raise(m, err)
	}
	return nil
}

// An envelope of up to freeEnvelope bytes is read for the price of its timer; a longer one costs envelopeByte cycles for each byte of it.
const (
	freeEnvelope = 1 << 10
	envelopeByte = 4
)

// route takes the compatibility envelope off a payload: a JSON object with a string _handler goes to that handler with the compact text
// of its _payload. Any other payload goes to the default handler as it is.
//
// Spec: scheduler-timers §2.2; sdk §11.
func route(payload []byte) (handler string, inner []byte) {
	var envelope map[string]json.RawMessage
	if json.Unmarshal(payload, &envelope) != nil || json.Unmarshal(envelope["_handler"], &handler) != nil {
		return "", payload
	}
	if handler == "" || handler[0] == '_' || len(handler) > params.MaxHandlerBytes {
		return "", payload
	}
	var compact bytes.Buffer
	if json.Compact(&compact, envelope["_payload"]) != nil {
		return handler, nil
	}
	return handler, compact.Bytes()
}

func extendTimer(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	id, e := f.timerID(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	expires, e := f.number(m, a.Arg(1), "new_expires_at")
	if e != nil {
		return object.Value{}, e
	}
	return none(f.ExtendTimer(id, unit.Height(expires)), f, m)
}

func cancelTimer(f *Invocation, m *object.Machine, a object.Args) (object.Value, *object.Exception) {
	id, e := f.timerID(m, a.Arg(0))
	if e != nil {
		return object.Value{}, e
	}
	was, err := f.CancelTimer(id)
	if err != nil {
		return object.Value{}, f.raise(m, err)
	}
	return object.Bool(was), nil
}
