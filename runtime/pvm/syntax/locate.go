package syntax

import "strings"

// stopError is the error of a scanner that stopped early, once the parser has
// used up the tokens before.
func (p *parser) stopError() *SyntaxError {
	switch p.stop {
	case stopOpen:
		return p.unclosed()
	case stopEnd:
		if p.bracketTop > 0 {
			return p.unclosed()
		}
		t := &p.tokens[len(p.tokens)-1]
		line := p.lineText(int(t.line))
		return p.locate(&SyntaxError{Msg: "unexpected EOF while parsing", Line: int(t.line), Col: characters(line) + 1,
			EndLine: int(t.line), EndCol: -1})
	}
	return p.locate(p.failure)
}

// unclosed is the error of the innermost bracket that stayed open.
func (p *parser) unclosed() *SyntaxError {
	open := p.brackets[p.bracketTop-1]
	err := p.errorAt(int(open.token), int(open.token), "'"+string(open.char)+"' was never closed")
	err.EndCol = 0
	return err
}

// errorAt makes an error that covers tokens first to last.
func (p *parser) errorAt(first, last int, msg string) *SyntaxError {
	a, b := &p.tokens[first], &p.tokens[last]
	return p.errorSpan(Span{a.line, a.col, b.endLine, b.endCol}, a, msg)
}

// errorSpan makes an error for a range of the source. If that begins with a token
// without a column, at is the token: it stands where the scanner stood.
func (p *parser) errorSpan(s Span, at *token, msg string) *SyntaxError {
	err := &SyntaxError{Msg: msg, Line: int(s.Line), EndLine: int(s.EndLine)}
	if p.part != nil {
		err.Msg = "f-string: " + msg
	}
	if s.Col < 0 {
		err.Col = characters(p.text[p.lineStart(int(s.Line)):at.start])
		err.EndCol = -1
		return p.locate(err)
	}
	if p.part != nil {
		// Inside an f-string CPython counts bytes, and on every line from the
		// column of the opening brace.
		err.Col = int(s.Col-p.part.base) + 1
		err.EndCol = int(s.EndCol-p.part.base) + 1
		return p.locate(err)
	}
	line := p.lineText(int(s.Line))
	err.Col = characters(clip(line, int(s.Col))) + 1
	err.EndCol = characters(clip(line, int(s.EndCol))) + 1
	if s.EndLine != s.Line {
		err.EndCol = min(err.EndCol, characters(line)+1)
	}
	return p.locate(err)
}

// clip returns the first n bytes of a line, and the line break as one more.
func clip(line string, n int) string {
	if n <= len(line) {
		return line[:max(n, 0)]
	}
	return line + "\n"
}

// lineStart returns the offset at which a line begins.
func (p *parser) lineStart(line int) int {
	if p.part != nil {
		line -= int(p.part.line) - 1
	}
	off := 0
	for ; line > 1; line-- {
		n := strings.IndexByte(p.text[off:], '\n')
		if n < 0 {
			break
		}
		off += n + 1
	}
	return off
}

// lineText returns a line without its line break.
func (p *parser) lineText(line int) string {
	text := p.text[p.lineStart(line):]
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		text = text[:n]
	}
	return text
}

// locate adds the text of the error's line.
func (p *parser) locate(err *SyntaxError) *SyntaxError {
	if err.Line > 0 {
		err.Text = p.lineText(err.Line)
	}
	return err
}
