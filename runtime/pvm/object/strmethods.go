package object

// strMethods declares the methods of str.
func strMethods() []Method { return nil }

// strMod is the operator % of str.
func strMod(m *Machine, a, b Value) (Value, *Exception) { return NotImplemented, nil }

// DecodeUTF8 is str(x, encoding, errors) and bytes.decode: x is a bytes or
// bytearray object; a missing encoding or error mode is the zero Value.
func (m *Machine) DecodeUTF8(x, encoding, errors Value) (Value, *Exception) {
	return m.Str(string(bytesOf(x))), nil
}
