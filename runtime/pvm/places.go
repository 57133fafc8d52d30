package pvm

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// maxPlaces bounds the places of one exception: half of them are the outermost, half the innermost.
const maxPlaces = 32

// Place is where a frame stood when an exception passed it.
type Place struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Source   string `json:"source,omitempty"`   // the line without its indentation, or the part of a long one around the place; "" where nobody has it
	Marks    string `json:"marks,omitempty"`    // under Source: what of it failed; "" for all of it
	Repeated int    `json:"repeated,omitempty"` // how many frames of the same place, more than three in a row, are left out after it
	Skipped  int    `json:"skipped,omitempty"`  // how many further frames are left out after it
}

// Places gives the frames that an exception passed, outermost first, without those of libraries: what CPython 3.11 shows of a traceback. lines gives the
// source of a unit by its lines, nil where it is not known. It runs no code of the program.
func Places(e *object.Exception, lines func(*object.Unit) []string) []Place {
	var list []Place
	last, repeated := object.TraceEntry{}, 0
	for i := len(e.Trace) - 1; i >= 0; i-- {
		t := e.Trace[i]
		if t.Code.Flags&object.Internal != 0 {
			continue
		}
		at := t.Code.Pos4[t.PC]
		if repeated > 0 && t.Code == last.Code && at.Line == last.Code.Pos4[last.PC].Line {
			if repeated++; repeated > 3 {
				list[len(list)-1].Repeated++
				continue
			}
		} else {
			repeated = 1
		}
		last = t
		text := lines(t.Code.Unit)
		if name := e.Field(0); i == 0 && name != (object.Value{}) && e.Is(&object.ExcAttributeError) {
			at = lookup(text, at, name)
		}
		p := Place{File: t.Code.File, Line: int(at.Line), Function: t.Code.Name.String()}
		p.Source, p.Marks = quote(text, at)
		list = append(list, p)
	}
	if over := len(list) - maxPlaces; over > 0 {
		list[maxPlaces/2-1].Skipped = over
		list = append(list[:maxPlaces/2], list[maxPlaces/2+over:]...)
	}
	return list
}

// quote gives the line of a place, and the marks under it.
func quote(lines []string, at object.Position) (shown, marks string) {
	if at.Line < 1 || int(at.Line) > len(lines) {
		return "", ""
	}
	text, at := window(lines[at.Line-1], at)
	if shown = strings.TrimSpace(text); shown == "" {
		return "", ""
	}
	return shown, carets(text, at)
}

// Said is the text of an exception as str() gives it, where that runs no code of the program; otherwise its first argument if that is a text. It is for
// exceptions of a machine whose execution is over.
func Said(m *object.Machine, e *object.Exception) string {
	if e.Fatal != object.NotFatal {
		return ""
	}
	defer m.Meter().Aside(describeBudget)()
	if e.Type().Static() && scalars(m.Arguments(e)) {
		if text, failed := m.StrText(e.Value()); failed == nil {
			return unitext.Head(text)
		}
	}
	text, _ := e.Text()
	return unitext.Head(text)
}

// scalars reports whether the texts of values are the machine's to make, and short work.
func scalars(list []object.Value) bool {
	for _, v := range list {
		if !v.IsNone() && !v.IsBool() && !v.IsInt() && !v.IsFloat() && v.Type() != &object.TypeStr && v.Type() != &object.TypeBytes {
			return false
		}
	}
	return true
}
