package pvm

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// maxLinks bounds how many causes and contexts of an exception are shown,
// maxGroups how deep groups within groups are.
const (
	maxLinks  = 16
	maxGroups = 10
)

// traceback renders an exception the way CPython 3.11 prints it: causes and
// contexts first, each with its frames, source lines and carets where the program
// kept its text, then the exception with its notes; groups as trees.
func traceback(m *object.Machine, e *object.Exception, suggest bool) string {
	p := &printer{m: m, suggest: suggest, seen: map[*object.Exception]bool{}}
	p.chain(e, "", maxLinks)
	return p.b.String()
}

type printer struct {
	m       *object.Machine
	suggest bool // names that were perhaps meant
	b       strings.Builder
	seen    map[*object.Exception]bool
	groups  int // that contain what is being shown
}

// line writes one line behind the margin of the group it belongs to.
func (p *printer) line(margin, text string) {
	p.b.WriteString(margin)
	p.b.WriteString(text)
	p.b.WriteByte('\n')
}

func (p *printer) chain(e *object.Exception, margin string, links int) {
	p.seen[e] = true
	if links > 0 {
		if c, ok := cause(e); ok && !p.seen[c] {
			p.chain(c, margin, links-1)
			p.link(margin, "The above exception was the direct cause of the following exception:")
		} else if c := e.Context; c != nil && !e.Suppress && !p.seen[c] {
			p.chain(c, margin, links-1)
			p.link(margin, "During handling of the above exception, another exception occurred:")
		}
	}
	if group := parts(e); group != nil {
		if p.groups >= maxGroups {
			p.line(margin, fmt.Sprintf("... (max_group_depth is %d)", maxGroups))
			return
		}
		p.groups++
		p.group(e, group, margin)
		p.groups--
		return
	}
	if len(e.Trace) > 0 {
		p.line(margin, "Traceback (most recent call last):")
		p.frames(e, margin)
	}
	p.exception(e, margin)
}

func (p *printer) link(margin, text string) {
	p.line(margin, "")
	p.line(margin, text)
	p.line(margin, "")
}

func cause(e *object.Exception) (*object.Exception, bool) {
	if e.Cause.IsZero() {
		return nil, false
	}
	return e.Cause.AsException()
}

// parts returns the exceptions of a group, nil for any other exception.
func parts(e *object.Exception) []object.Value {
	if !e.Is(&object.ExcBaseExceptionGroup) {
		return nil
	}
	t, ok := e.Field(1).AsTuple()
	if !ok {
		return nil
	}
	return t.Items()
}

// group renders an exception group as a tree.
func (p *printer) group(e *object.Exception, members []object.Value, margin string) {
	const shown = 15
	inner := margin + "  | "
	if strings.HasSuffix(margin, "| ") {
		inner = margin
	}
	head := strings.TrimSuffix(inner, "| ") + "+ "
	if inner == margin {
		head = margin
	}
	if len(e.Trace) > 0 {
		p.line(head, "Exception Group Traceback (most recent call last):")
		p.frames(e, inner)
	}
	p.exception(e, inner)
	base := strings.TrimSuffix(inner, "| ")
	deeper := base + "  | "
	for i, v := range members {
		bar := base + "  +---------------- "
		if i == 0 {
			bar = base + "+-+---------------- "
		}
		if i == shown {
			p.line("", bar+"... ----------------")
			p.line(deeper, fmt.Sprintf("and %d more exception%s", len(members)-shown, object.Plural(len(members)-shown)))
			break
		}
		p.line("", fmt.Sprintf("%s%d ----------------", bar, i+1))
		if x, ok := v.AsException(); ok {
			p.chain(x, deeper, maxLinks)
		}
	}
	if last, ok := members[len(members)-1].AsException(); !ok || parts(last) == nil || len(members) > shown {
		p.line("", base+"  +------------------------------------")
	}
}

// frames lists the frames the exception passed, outermost first; frames of the
// library are left out, repetitions counted.
func (p *printer) frames(e *object.Exception, margin string) {
	var last object.TraceEntry
	repeated := 0
	flush := func() {
		if repeated > 3 {
			p.line(margin, fmt.Sprintf("  [Previous line repeated %d more time%s]", repeated-3, object.Plural(repeated-3)))
		}
	}
	for i := len(e.Trace) - 1; i >= 0; i-- {
		t := e.Trace[i]
		if t.Code.Flags&object.Internal != 0 {
			continue
		}
		if repeated > 0 && t.Code == last.Code && t.Code.Pos4[t.PC].Line == last.Code.Pos4[last.PC].Line {
			repeated++
			if repeated > 3 {
				continue
			}
		} else {
			flush()
			repeated = 1
		}
		last = t
		at := t.Code.Pos4[t.PC]
		if name := e.Field(0); i == 0 && name != (object.Value{}) && e.Is(&object.ExcAttributeError) {
			at = lookup(t.Code.Unit.Lines, at, name)
		}
		p.frame(t, at, margin)
	}
	flush()
}

// lookup narrows the range of a method call to the attribute, if that is what the innermost frame did not find: one
// instruction looks a method up and calls it.
func lookup(lines []string, at object.Position, name object.Value) object.Position {
	attr, ok := name.AsStr()
	if !ok || at.Line < 1 || int(at.EndLine) > len(lines) || at.Col < 0 || int(at.Col) > len(lines[at.Line-1]) {
		return at
	}
	segment := lines[at.Line-1][at.Col:]
	if at.EndLine == at.Line && at.EndCol >= at.Col {
		segment = segment[:min(int(at.EndCol-at.Col), len(segment))]
	}
	for n := at.Line; n < at.EndLine; n++ {
		segment += "\n" + lines[n]
		if n == at.EndLine-1 {
			segment = segment[:len(segment)-len(lines[n])+min(int(at.EndCol), len(lines[n]))]
		}
	}
	tree, err := syntax.Parse([]byte("(" + segment + ")\n"))
	if err != nil || len(tree.Body) != 1 {
		return at
	}
	s, ok := tree.Body[0].(*syntax.ExprStmt)
	if !ok {
		return at
	}
	call, ok := s.Value.(*syntax.Call)
	if !ok {
		return at
	}
	var end syntax.Span
	switch found := call.Func.(type) {
	case *syntax.Attribute:
		if found.Attr == attr.String() {
			end = found.Span
		}
	case *syntax.Name: // the object is on a line above
		if found.ID == attr.String() {
			end = found.Span
		}
	}
	if end.EndLine == 1 {
		at.EndLine, at.EndCol = at.Line, at.Col+end.EndCol-1
	}
	return at
}

func (p *printer) frame(t object.TraceEntry, at object.Position, margin string) {
	p.place(margin, t.Code, at.Line)
	shown, marks := quote(t.Code.Unit.Lines, at)
	if shown == "" {
		return
	}
	p.line(margin, "    "+shown)
	if marks != "" {
		p.line(margin, "    "+marks)
	}
}

// window is the part of a line that is shown, and the range of an instruction in it.
func window(line string, at object.Position) (string, object.Position) {
	shown, down := unitext.Window(line, int(at.Col))
	if len(shown) == len(line) || at.Col < 0 {
		return shown, at
	}
	at.Col -= int32(down)
	if at.EndLine == at.Line {
		at.EndCol -= int32(down)
		if int(at.EndCol) > len(shown) {
			at.EndCol = int32(len(strings.TrimSuffix(shown, unitext.Cut)))
		}
	}
	return shown, at
}

// place writes where a frame is: a fault may have passed hundreds, and any transaction may end in one.
func (p *printer) place(margin string, code *object.Code, line int32) {
	var digits [12]byte
	p.b.WriteString(margin)
	p.b.WriteString("  File \"")
	p.b.WriteString(code.File)
	p.b.WriteString("\", line ")
	p.b.Write(strconv.AppendInt(digits[:0], int64(line), 10))
	p.b.WriteString(", in ")
	p.b.WriteString(code.Name.String())
	p.b.WriteByte('\n')
}

// carets marks the range of an instruction under its source line, unless it is
// the whole of it; the operator of a binary operation stands out.
func carets(text string, at object.Position) string {
	indent := len(text) - len(strings.TrimLeft(text, " \t\f"))
	body := strings.TrimRight(text, " \t\f\r")
	start, end := int(at.Col), int(at.EndCol)
	if at.EndLine != at.Line {
		end = len(body)
	}
	if start < 0 || end <= start || end > len(text) || start < indent {
		return ""
	}
	if start <= indent && end >= len(body) {
		if left, right := anchors(text[start:end]); left < 0 || right <= left {
			return ""
		}
	}
	width := unitext.Width
	marks := []byte(strings.Repeat("^", width(text[start:end])))
	if at.EndLine == at.Line {
		if left, right := anchors(text[start:end]); left >= 0 {
			l, r := width(text[start:start+left]), width(text[start:start+right])
			for i := range marks {
				if i < l || i >= r {
					marks[i] = '~'
				}
			}
		}
	}
	return strings.Repeat(" ", width(text[indent:start])) + string(marks)
}

// anchors finds the operator of a binary operation, or the brackets of a
// subscript, in the text of an expression: byte offsets, or -1.
func anchors(segment string) (left, right int) {
	tree, err := syntax.Parse([]byte("(" + segment + ")\n"))
	if err != nil || len(tree.Body) != 1 {
		return -1, -1
	}
	s, ok := tree.Body[0].(*syntax.ExprStmt)
	if !ok {
		return -1, -1
	}
	switch x := s.Value.(type) {
	case *syntax.BinOp:
		i := int(x.Left.At().EndCol) - 1
		for i < len(segment) && (segment[i] == ' ' || segment[i] == ')' || segment[i] == '\t') {
			i++
		}
		n := len(x.Op.String())
		if i+n > len(segment) || segment[i:i+n] != x.Op.String() {
			return -1, -1
		}
		return i, i + n
	case *syntax.Subscript:
		i := int(x.Value.At().EndCol) - 1
		for i < len(segment) && segment[i] != '[' {
			i++
		}
		if i >= len(segment) {
			return -1, -1
		}
		return i, len(segment)
	}
	return -1, -1
}

// farthest is the first column that is too far to the right to be marked.
const farthest = 1_000

// syntaxError writes the place that an error of syntax tells of and returns its message.
func (p *printer) syntaxError(e *object.Exception, margin string) (string, *object.Exception) {
	shown := func(i int, none string) string {
		if v := e.Field(i); v != (object.Value{}) && !v.IsNone() {
			if text, failed := p.m.StrText(v); failed == nil {
				return text
			}
		}
		return none
	}
	p.line(margin, fmt.Sprintf("  File \"%s\", line %s", shown(1, "<string>"), shown(2, "")))
	if text, ok := e.Field(4).AsStr(); ok {
		first, last := e.Field(3), e.Field(6)
		whole, moved := quoted(strings.TrimRight(text.String(), "\n"), first)
		line := strings.TrimLeft(whole, " \t\n\f")
		p.line(margin, "    "+line)
		if first.IsInt() {
			start := first.Int64()
			end := start
			if last.IsInt() && last.Int64() != 0 {
				end = last.Int64()
			}
			if end == start || end == -1 {
				end = start + 1
			}
			if start, end = start-moved, end-moved; moved != 0 {
				end = min(end, int64(utf8.RuneCountInString(whole))+1)
			}
			at := start - 1 - int64(len(whole)-len(line))
			if runes := []rune(line); at >= 0 && max(at, end-start) < farthest {
				p.line(margin, "    "+blank(runes[:min(int(at), len(runes))])+strings.Repeat("^", max(int(end-start), 0)))
			}
		}
	}
	return shown(0, ""), nil
}

// quoted is the part of an error's line that is shown, and how many characters a column, counted from 1, goes down in it.
func quoted(whole string, column object.Value) (shown string, moved int64) {
	at := 0
	if column.IsInt() {
		at = int(min(max(column.Int64()-1, 0), int64(len(whole))))
	}
	shown, down := unitext.WindowAt(whole, at)
	return shown, int64(down)
}

// blank is white space as wide as a text, with its tabs.
func blank(text []rune) string {
	out := make([]rune, len(text))
	for i, r := range text {
		out[i] = ' '
		if unicode.IsSpace(r) {
			out[i] = r
		}
	}
	return string(out)
}

// exception writes the type and text of an exception and its notes.
func (p *printer) exception(e *object.Exception, margin string) {
	head := e.Type().FullName()
	if mod, ok := strings.CutPrefix(head, "__main__."); ok {
		head = mod
	}
	text, failed := p.m.StrText(e.Value())
	if e.Is(&object.ExcSyntaxError) && e.Field(2) != (object.Value{}) && !e.Field(2).IsNone() {
		text, failed = p.syntaxError(e, margin)
	}
	switch {
	case failed != nil:
		head += ": <exception str() failed>"
	case text != "":
		head += ": " + text
	}
	if p.suggest {
		if name := p.suggestion(e); name != "" {
			head += ". Did you mean: '" + name + "'?"
		}
	}
	for _, l := range strings.Split(head, "\n") {
		p.line(margin, l)
	}
	notes, ok := e.Attributes().Lookup("__notes__")
	if !ok {
		return
	}
	l, ok := notes.AsList()
	if !ok {
		if text, failed := p.m.ReprText(notes); failed == nil && !notes.IsNone() {
			p.line(margin, text)
		}
		return
	}
	for _, n := range l.Items() {
		s, failed := p.m.StrText(n)
		if failed != nil {
			continue
		}
		for _, part := range strings.Split(s, "\n") {
			p.line(margin, part)
		}
	}
}
