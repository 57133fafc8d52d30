package object

import "unsafe"

// Task is a coroutine that takes turns with others: a turn runs it until it waits
// or ends. Tasks that are ready wait in a queue, first in first out; there is one
// thread and no clock, so the order of turns follows from the program alone.
//
// Awaiting a task waits for its end. A coroutine that yields anything else, as an
// awaitable written in Python may, goes to the end of the queue.
//
// Spec: CIP-3 §2.2.1 (Coroutine and async/await Deterministic Scheduling).
type Task struct {
	Object
	coro    Value
	waiting []*Task // for this one to end
	done    bool
	result  Value
	failure *Exception
}

// TypeTask is the type of tasks.
var TypeTask Type

func defineTask() {
	Define(&TypeTask, Spec{
		Name: "Task", Layout: LayoutOf[Task](KindNative), NoNew: true, Final: true,
		Traverse: func(o *Object, visit func(Value)) {
			t := (*Task)(unsafe.Pointer(o))
			visit(t.coro)
			if t.result.ref != nil {
				visit(t.result)
			}
			if t.failure != nil && t.failure.Fatal == NotFatal {
				visit(t.failure.Value())
			}
			for _, w := range t.waiting {
				visit(Value{ref: &w.Object})
			}
		},
		Slots: Slots{
			Await: selfIter, Iter: selfIter,
			// Asked by the coroutine that awaits the task: itself stands for "wait".
			Next: func(m *Machine, v Value) (Value, *Exception) {
				t := Trust[Task](v)
				switch {
				case !t.done:
					return v, nil
				case t.failure != nil:
					return Value{}, t.failure
				}
				return Value{}, m.RaiseValue(&ExcStopIteration, t.result)
			},
		},
		Methods: []Method{
			{Name: "done", Func: func(m *Machine, a Args) (Value, *Exception) { return Bool(Trust[Task](a.V[0]).done), nil }},
			{Name: "result", Func: func(m *Machine, a Args) (Value, *Exception) {
				t := Trust[Task](a.V[0])
				if !t.done {
					return Value{}, m.RuntimeError("Result is not set.")
				}
				if t.failure != nil {
					return Value{}, t.failure
				}
				return t.result, nil
			}},
		},
	})
}

// spawnCost is the price of making a task and of each of its turns.
const spawnCost = 10

// Spawn puts a coroutine into the queue and returns its task, which can be
// awaited.
func (m *Machine) Spawn(coro Value) (Value, *Exception) {
	if coro.ref.typ != &TypeCoroutine {
		return Value{}, m.TypeError("a coroutine was expected, got %s", m.quietRepr(coro))
	}
	if e := m.Charge(spawnCost); e != nil {
		return Value{}, e
	}
	t := Alloc[Task](m, &TypeTask, 0)
	t.coro = coro
	m.ready = append(m.ready, t)
	return Value{ref: &t.Object}, nil
}

// Drive runs v to its end if it is a coroutine, taking turns with the tasks that
// were spawned, and returns it otherwise. Tasks not ended then are dropped.
func (m *Machine) Drive(v Value) (Value, *Exception) {
	if v.ref.typ != &TypeCoroutine {
		return v, nil
	}
	tv, e := m.Spawn(v)
	if e != nil {
		return Value{}, e
	}
	main := Trust[Task](tv)
	for !main.done {
		if len(m.ready) == 0 {
			return Value{}, m.RuntimeError("every task waits for another one")
		}
		t := m.ready[0]
		m.ready = m.ready[1:]
		if e := m.turn(t); e != nil {
			m.ready = nil
			return Value{}, e
		}
	}
	m.ready = nil
	if main.failure != nil {
		return Value{}, main.failure
	}
	return main.result, nil
}

// turn runs a task until it waits or ends. Only what cannot be caught is
// returned.
func (m *Machine) turn(t *Task) *Exception {
	if e := m.Charge(spawnCost); e != nil {
		return e
	}
	pins := len(m.pins)
	m.Pin(Value{ref: &t.Object})
	g := t.coro.generator()
	r, e := m.Send(g, None)
	m.Unpin(pins)
	switch {
	case e != nil && e.Fatal != NotFatal:
		return e
	case e != nil:
		t.failure = e
	case r.ref == nil:
		t.result = orNone(g.Result)
	default:
		if other, ok := Cast[Task](r, &TypeTask); ok && !other.done {
			other.waiting = append(other.waiting, t)
			m.noteStore(&other.Object, Value{ref: &t.Object})
		} else {
			m.ready = append(m.ready, t)
		}
		return nil
	}
	t.done = true
	m.ready = append(m.ready, t.waiting...)
	t.waiting = nil
	return nil
}
