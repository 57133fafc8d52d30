package host

import (
	"bytes"
	"strings"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/block"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// Names of the maps that asynchronous calls and results travel as.
//
// Spec: sdk §9.6.
var (
	nameKind         = object.StaticName("kind")
	nameCID          = object.StaticName("cid")
	nameArgs         = object.StaticName("args")
	nameReplyHandler = object.StaticName("reply_handler")
	nameStatus       = object.StaticName("status")
	nameResult       = object.StaticName("result")
)

const (
	kindAsyncCall   = "actor_async_call"
	kindActorResult = "actor_result"
	kindJobResult   = "job_result" // of a job that an account submitted
)

// ofStranger reports whether a message is the answer to a job that somebody else submitted, who named the handler too.
//
// Spec: runner-marketplace §2.1 (CallbackInfo); sdk §5.4 (who may call what).
func ofStranger(i *handlerCall) bool {
	if !i.letter || i.delivery.shape != message {
		return false
	}
	d, ok := i.delivery.value.AsDict()
	if !ok {
		return false
	}
	kind, ok := d.GetStr(nameKind)
	if !ok {
		return false
	}
	text, ok := kind.AsStr()
	return ok && text.String() == kindJobResult
}

// asyncCall is a message by which another actor calls a handler and waits for the answer.
type asyncCall struct {
	cid   object.Value
	reply object.Value // the caller's handler
	args  object.Value
}

// asyncCallOf recognizes one among the structured messages; args become the delivery's value.
//
// Spec: sdk §9.6, §7 (async_<m>).
func asyncCallOf(i *handlerCall) *asyncCall {
	if i.delivery.shape != message || !i.routed {
		return nil
	}
	d, ok := i.delivery.value.AsDict()
	if !ok {
		return nil
	}
	field := func(name *object.Str) object.Value {
		v, _ := d.GetStr(name)
		return v
	}
	text := func(v object.Value) string {
		if v.IsZero() {
			return ""
		}
		s, ok := v.AsStr()
		if !ok {
			return ""
		}
		return s.String()
	}
	c := &asyncCall{cid: field(nameCID), reply: field(nameReplyHandler), args: field(nameArgs)}
	if text(field(nameKind)) != kindAsyncCall || text(c.cid) == "" || text(c.reply) == "" {
		return nil
	}
	if c.args.IsZero() {
		c.args = object.None
	}
	if _, isList := c.args.AsList(); !isList && !c.args.IsNone() {
		if _, isMap := c.args.AsDict(); !isMap {
			return nil
		}
	}
	return c
}

// answer calls a handler for another actor and sends it the result. What the handler raises is the answer, and its effects are undone; it
// is a failure of the delivery only if the answer cannot be sent.
//
// Spec: sdk §7 (both sides deferred), §9.6.
func (f *Invocation) answer(m *object.Machine, mod *object.Module, i *handlerCall, c *asyncCall) ([]byte, *object.Exception) {
	i.delivery.shape, i.delivery.value = called, c.args
	before := f.work.mark()
	value, e := f.dispatch(m, mod, i)
	if e == nil && f.mode != Deferred {
		e = f.raise(m, raise(PurityViolation, "an asynchronous call needs a @deferred handler"))
	}
	status := "ok"
	if e != nil {
		if e.Fatal != object.NotFatal {
			return nil, e
		}
		f.work.revert(before)
		end := f.ending(m, e)
		if end.failure != nil {
			return nil, e
		}
		status, value = "error", m.Str(end.name+": "+end.text)
	}
	reply := m.NewDict()
	reply.SetStr(m, nameKind, m.Str(kindActorResult))
	reply.SetStr(m, nameCID, c.cid)
	reply.SetStr(m, nameReplyHandler, c.reply)
	reply.SetStr(m, nameStatus, m.Str(status))
	reply.SetStr(m, nameResult, value)
	data, e := f.encode(m, reply.Value())
	if e != nil {
		return nil, e
	}
	f.mode = Deferred
	if _, err := f.Send(*f.sender, data, true, 0); err != nil {
		return nil, f.raise(m, err)
	}
	return nil, nil
}

// awaits reports whether a delivery is the answer of an actor that one of this actor's continuations called: only then may an actor enter
// a resume step.
//
// Spec: sdk §5.4, §10.7.
func (f *Invocation) awaits(d *delivery) (bool, error) {
	if f.work.turn.Kind != block.Message || d.shape != message || f.sender == nil {
		return false, nil
	}
	payload, ok := d.value.AsDict()
	if !ok {
		return false, nil
	}
	v, ok := payload.GetStr(nameCID)
	if !ok {
		return false, nil
	}
	cid, ok := v.AsStr()
	if !ok {
		return false, nil
	}
	id, part, grouped := strings.Cut(cid.String(), ":")
	record, found, err := f.work.overlay.Lookup(StorageKey(f.self, []byte(recordPrefixes[0]+id)))
	if err != nil || !found || len(record) <= recordHead {
		return false, err
	}
	from := recordSource(record[recordHead:], part, grouped)
	return len(from) == account.AddressSize && bytes.Equal(from, f.sender[:]), nil
}

// recordHead is what lies before the map of a continuation record: its checksum and its timeout block.
const recordHead = digest.Size + 8

// recordSource is the address a continuation record waits for; of a group's, that of one task.
func recordSource(body []byte, part string, grouped bool) []byte {
	v, err := cbor.Parse(body)
	if err != nil {
		return nil
	}
	fields, _ := v.(cbor.Map)
	from, _ := fields.Lookup("from")
	if !grouped {
		one, _ := from.([]byte)
		return one
	}
	list, _ := from.([]any)
	if len(part) != 1 || part[0] < '0' || int(part[0]-'0') >= len(list) {
		return nil
	}
	one, _ := list[part[0]-'0'].([]byte)
	return one
}
