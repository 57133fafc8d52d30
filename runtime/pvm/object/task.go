package object

// Task is a coroutine in the ready queue.
type Task struct {
	coro Value
	send Value
}

// Drive runs v to its end if it is a coroutine, and returns it otherwise.
func (m *Machine) Drive(v Value) (Value, *Exception) {
	if v.ref.typ != &TypeCoroutine {
		return v, nil
	}
	g := v.generator()
	for {
		r, e := m.Send(g, None)
		if e != nil {
			return Value{}, e
		}
		if r.ref == nil {
			res := g.Result
			if res.ref == nil {
				res = None
			}
			return res, nil
		}
	}
}
