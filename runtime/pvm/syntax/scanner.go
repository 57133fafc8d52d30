package syntax

// Bounds of the scanner; those of nesting are CPython 3.11's.
const (
	MaxBrackets = 200     // open brackets at one time
	MaxIndent   = 100     // open levels of indentation
	MaxTokens   = 1 << 17 // of a source, those inside f-strings with it: bounds the memory of every pass
)

// A stop says why the scanner could not go on. A hard stop is reported whatever
// the parser thinks of the tokens before it; the others only if the parser gets
// that far.
type stop uint8

const (
	stopNone stop = iota
	stopHard      // malformed token: failure holds the error
	stopSoft      // bad indentation or continuation: failure holds the error
	stopOpen      // end of file inside brackets
	stopEnd       // end of file after a backslash
)

// scanner turns text into tokens. The text ends with a newline and holds no
// carriage return, no NUL and only valid UTF-8.
type scanner struct {
	text    string
	off     int   // next byte
	line    int32 // line of off
	lineOff int   // offset at which that line begins
	tokens  []token
	room    int // how many tokens there may be, before scan; how many more, after it

	indents    [MaxIndent]indent
	indentTop  int
	brackets   [MaxBrackets]bracket
	bracketTop int

	stop    stop
	failure *SyntaxError
}

// indent is one level of indentation measured twice: with tabs to multiples of
// eight columns, and with tabs of one column.
type indent struct{ col, alt int32 }

// bracket is an open bracket: its character and the number of its token.
type bracket struct {
	char  byte
	token int32
}

// scan reads the whole text. It always ends with tEnd or tFail.
func (s *scanner) scan() {
	s.line = 1
	if cap(s.tokens) == 0 {
		s.tokens = make([]token, 0, len(s.text)/3+16)
	}
	for s.scanLine() {
	}
	s.finish()
	s.room -= len(s.tokens)
}

// finish emits what ends the tokens.
func (s *scanner) finish() {
	if s.stop != stopNone {
		s.emitMark(tFail)
		return
	}
	for ; s.indentTop > 0; s.indentTop-- {
		s.emitMark(tDedent)
	}
	s.emitMark(tEnd)
}

// emitMark appends a token without width or column.
func (s *scanner) emitMark(k kind) {
	line := s.line
	if s.off == s.lineOff && line > 1 && s.off == len(s.text) {
		line-- // past the last newline: the last line
	}
	off := int32(s.off)
	s.tokens = append(s.tokens, token{k, off, off, line, -1, line, -1})
}

// emit appends the token from start to the current offset, on one line.
func (s *scanner) emit(k kind, start int) {
	s.tokens = append(s.tokens, token{k, int32(start), int32(s.off), s.line,
		int32(start - s.lineOff), s.line, int32(s.off - s.lineOff)})
}

// scanLine reads one physical line, or one token that spans several and the
// rest of its last line. It reports whether there may be more.
func (s *scanner) scanLine() bool {
	if s.off >= len(s.text) {
		if s.bracketTop > 0 {
			s.stop = stopOpen
		}
		return false
	}
	blank, ok := s.scanIndent()
	if !ok {
		return false
	}
	for {
		if len(s.tokens) >= s.room {
			s.hardFailure(s.off, s.off, "too many tokens")
			return false
		}
		switch s.scanToken(blank) {
		case more:
		case endOfLine:
			return true
		case failed:
			return false
		}
	}
}

// scanIndent reads the white space at the start of a line and emits INDENT and
// DEDENT tokens unless the line is blank or inside brackets.
func (s *scanner) scanIndent() (blank, ok bool) {
	var col, alt, contCol int32
	text, off := s.text, s.off
loop:
	for {
		switch text[off] {
		case ' ':
			col++
			alt++
		case '\t':
			col = (col/8 + 1) * 8
			alt++
		case '\f':
			col, alt = 0, 0
		case '\\':
			// Indentation is that of the first line of a continued line.
			if contCol == 0 {
				contCol = col
			}
			s.off = off + 1
			if !s.continueLine() {
				return false, false
			}
			off = s.off
			continue
		default:
			break loop
		}
		off++
	}
	s.off = off
	if c := text[off]; c == '\n' || c == '#' {
		return true, true
	}
	if s.bracketTop > 0 {
		return false, true
	}
	if contCol != 0 {
		col, alt = contCol, contCol
	}
	return false, s.indentTo(indent{col, alt})
}

// indentTo compares the line's indentation with the open levels.
func (s *scanner) indentTo(in indent) bool {
	top := s.indents[s.indentTop]
	switch {
	case in.col == top.col:
		return in.alt == top.alt || s.tabFailure()
	case in.col > top.col:
		if s.indentTop+1 >= MaxIndent {
			return s.softFailure(KindIndentation, "too many levels of indentation", 1, 0)
		}
		if in.alt <= top.alt {
			return s.tabFailure()
		}
		s.indentTop++
		s.indents[s.indentTop] = in
		s.emitMark(tIndent)
		return true
	}
	dedents := 0
	for s.indentTop > 0 && in.col < s.indents[s.indentTop].col {
		s.indentTop--
		dedents++
	}
	if in.col != s.indents[s.indentTop].col {
		end := s.off
		for s.text[end] != '\n' {
			end++
		}
		return s.softFailure(KindIndentation, "unindent does not match any outer indentation level",
			characters(s.text[s.lineOff:end+1]), -1)
	}
	if in.alt != s.indents[s.indentTop].alt {
		return s.tabFailure()
	}
	for ; dedents > 0; dedents-- {
		s.emitMark(tDedent)
	}
	return true
}

func (s *scanner) tabFailure() bool {
	return s.softFailure(KindTab, "inconsistent use of tabs and spaces in indentation", 1, 0)
}

// softFailure stops the scanner with an error that counts only if the parser
// gets there. It returns false.
func (s *scanner) softFailure(k ErrorKind, msg string, col, endCol int) bool {
	s.stop = stopSoft
	s.failure = &SyntaxError{Kind: k, Msg: msg, Line: int(s.line), Col: col, EndLine: int(s.line), EndCol: endCol}
	return false
}

// hardFailure stops the scanner with an error from the character before offset
// start to the one before offset end, both on the current line.
func (s *scanner) hardFailure(start, end int, msg string) outcome {
	s.stop = stopHard
	s.failure = &SyntaxError{Msg: msg, Line: int(s.line), Col: characters(s.text[s.lineOff:start]),
		EndLine: int(s.line), EndCol: characters(s.text[s.lineOff:end])}
	return failed
}

// continueLine moves from behind a backslash to the start of the next line.
func (s *scanner) continueLine() bool {
	if s.text[s.off] != '\n' {
		return s.softFailure(KindSyntax, "unexpected character after line continuation character",
			characters(s.text[s.lineOff:s.off])+1, 0)
	}
	if s.off+1 >= len(s.text) {
		s.off++
		s.stop = stopEnd
		return false
	}
	s.newline()
	return true
}

// newline passes the newline at the current offset.
func (s *scanner) newline() {
	s.off++
	s.line++
	s.lineOff = s.off
}

// outcome is what became of an attempt to read one token.
type outcome uint8

const (
	more outcome = iota
	endOfLine
	failed
)

// scanToken reads white space and one token, or the end of the line.
func (s *scanner) scanToken(blank bool) outcome {
	text := s.text
	off := s.off
	for text[off] == ' ' || text[off] == '\t' || text[off] == '\f' {
		off++
	}
	start := off
	c := text[off]
	switch charClass[c] {
	case className:
		return s.scanName(start)
	case classDigit:
		s.off = off
		return s.scanNumber()
	case classQuote:
		s.off = off
		return s.scanString(start)
	}
	switch c {
	case '#':
		for text[off] != '\n' {
			off++
		}
		fallthrough
	case '\n':
		s.off = off
		if !blank && s.bracketTop == 0 {
			s.emit(tNewline, start)
		}
		s.newline()
		return endOfLine
	case '\\':
		s.off = off + 1
		if !s.continueLine() {
			return failed
		}
		if s.off < len(text) {
			return more
		}
		return endOfLine
	case '.':
		if charClass[text[off+1]] == classDigit {
			s.off = off
			return s.scanNumber()
		}
	}
	s.off = off
	return s.scanOperator(start)
}

// class sorts bytes by the token they begin.
type class uint8

const (
	classOther class = iota
	className
	classDigit
	classQuote
)

// charClass is the class of each byte. Bytes from 0x80 up begin names; what they
// spell is checked once the name is complete.
var charClass = func() (t [256]class) {
	for c := range t {
		switch {
		case c == '_', 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', c >= 0x80:
			t[c] = className
		case '0' <= c && c <= '9':
			t[c] = classDigit
		case c == '"', c == '\'':
			t[c] = classQuote
		}
	}
	return t
}()

// identByte says whether a byte may continue an identifier.
func identByte(c byte) bool {
	k := charClass[c]
	return k == className || k == classDigit
}
