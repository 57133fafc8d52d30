package object

import "strconv"

// The fields of a SyntaxError: the message, then the details of the tuple that
// follows it.
var syntaxErrorFields = [...]string{"msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset", "print_file_and_line"}

func syntaxErrorDetails(s *Spec) {
	for i, name := range syntaxErrorFields {
		s.Fields = append(s.Fields, extraField(name, i))
	}
	s.Slots.Init = syntaxErrorInit
	s.Slots.Str = syntaxErrorStr
}

func syntaxErrorInit(m *Machine, v Value, a Args) *Exception {
	if e := exceptionInit(m, v, a); e != nil {
		return e
	}
	x := v.exception()
	if len(a.V) > 0 {
		x.SetField(0, a.V[0])
	}
	if len(a.V) != 2 {
		return nil
	}
	info, e := m.Collect(a.V[1])
	if e != nil {
		return e
	}
	switch n := len(info); {
	case n < 4:
		return m.TypeError("function takes at least 4 arguments (%d given)", n)
	case n > 6:
		return m.TypeError("function takes at most 6 arguments (%d given)", n)
	case n == 5:
		return m.TypeError("end_offset must be provided when end_lineno is provided")
	}
	for i, d := range info {
		x.SetField(i+1, d)
	}
	m.noteBulk(v.ref)
	return nil
}

// syntaxErrorStr is the message with the last part of the file's name and the line.
func syntaxErrorStr(m *Machine, v Value) (Value, *Exception) {
	e := v.exception()
	text, exc := m.strText(orNone(e.Field(0)))
	if exc != nil {
		return Value{}, exc
	}
	file, line := e.Field(1), e.Field(2)
	hasLine := line.ref != nil && line.IsInt()
	var name *Str
	if file.ref != nil {
		name, _ = file.AsStr()
	}
	switch {
	case name != nil && hasLine:
		text += " (" + lastPart(name.s) + ", line " + strconv.FormatInt(line.Int64(), 10) + ")"
	case name != nil:
		text += " (" + lastPart(name.s) + ")"
	case hasLine:
		text += " (line " + strconv.FormatInt(line.Int64(), 10) + ")"
	}
	return m.shown(text), nil
}

// lastPart is a path behind its last slash.
func lastPart(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
