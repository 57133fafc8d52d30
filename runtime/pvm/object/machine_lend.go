package object

// Lend returns room for the n arguments of a call, until GiveBack. Calls nest, so
// the room is a stack; a call for which it must grow leaves the arguments of those
// around it where they are.
func (m *Machine) Lend(n int) []Value {
	at := len(m.lent)
	for cap(m.lent) < at+n {
		m.lent = append(m.lent[:cap(m.lent)], Value{})
	}
	m.lent = m.lent[:at+n]
	return m.lent[at : at+n : at+n]
}

// GiveBack ends the last Lend, which was of n values.
func (m *Machine) GiveBack(n int) {
	at := len(m.lent) - n
	clear(m.lent[at:])
	m.lent = m.lent[:at]
}

// fewArguments are copied for a method at the price of its call.
const fewArguments = 16

// copies charges for the n arguments of a method that are copied behind its receiver, which in a method of a method happens again at each level, and
// asks whether what is lent fits the heap, with what those levels would be lent besides.
//
// Spec: CIP-3 §2.2.1 (cycles are a measure of work).
func (m *Machine) copies(n, besides int) *Exception {
	if n <= fewArguments {
		return nil
	}
	if e := m.Charge(n / 2); e != nil {
		return e
	}
	return m.Reserve((len(m.lent) + besides + n) * valueSize)
}

// callWithSelf calls fn with v before args, at the price of a call.
func (m *Machine) callWithSelf(fn, v Value, args []Value, names []*Str) (Value, *Exception) {
	all := m.Lend(len(args) + 1)
	all[0] = v
	copy(all[1:], args)
	r, e := m.Call(fn, Args{V: all, Names: names})
	m.GiveBack(len(args) + 1)
	return r, e
}

// callCopied is Call with arguments that stay the caller's own.
func (m *Machine) callCopied(fn Value, args []Value) (Value, *Exception) {
	all := m.Lend(len(args))
	copy(all, args)
	r, e := m.Call(fn, Args{V: all})
	m.GiveBack(len(args))
	return r, e
}

// callBinding calls fn, found on v's type and of a type that binds as functions
// do, without making the method but at its price.
func (m *Machine) callBinding(fn, v Value, args []Value, names []*Str) (Value, *Exception) {
	m.account(methodSize)
	m.meter.Owe(methodCost)
	if e := m.Charge(m.costs.Call); e != nil {
		return Value{}, e
	}
	if e := m.Enter(); e != nil {
		return Value{}, e
	}
	all := m.Lend(len(args) + 1)
	all[0] = v
	copy(all[1:], args)
	r, e := m.Apply(fn, Args{V: all, Names: names})
	m.GiveBack(len(args) + 1)
	m.Leave()
	return r, e
}

// bindable is what binding fn, of a type that binds as functions do, checks.
func (m *Machine) bindable() *Exception {
	e := m.Enter()
	if e == nil {
		m.Leave()
	}
	return e
}
