package pvmtool

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// SyntaxError gives the error of a compilation as CPython 3.11 prints it: file, line, source line with carets, message.
// Any other error gives its text behind the file's name.
func SyntaxError(file string, source []byte, err error) string {
	var bad *pvm.SyntaxError
	if !errors.As(err, &bad) {
		return fmt.Sprintf("%s: %v\n", file, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  File \"%s\", line %d\n", file, bad.Line)
	lines := strings.Split(string(source), "\n")
	if bad.Line >= 1 && bad.Line <= len(lines) {
		b.WriteString(marked(lines[bad.Line-1], bad))
	}
	fmt.Fprintf(&b, "%s: %s\n", bad.Kind, unitext.Head(bad.Msg))
	return b.String()
}

// printable keeps a terminal from being told what to do by a file that is no text.
func printable(r rune) rune {
	if r != '\t' && r != '\f' && unicode.IsControl(r) {
		return unicode.ReplacementChar
	}
	return r
}

// marked is a source line without its indentation, or the part of a long one that matters, and carets under what is wrong in it.
func marked(line string, bad *pvm.SyntaxError) string {
	line, start, end := part(strings.TrimRight(line, " \t\r\f"), bad.Col-1, bad.EndCol-1)
	text := []rune(strings.Map(printable, line))
	shown := strings.TrimLeft(string(text), " \t\f")
	indent := len(text) - len([]rune(shown))
	out := "    " + shown + "\n"
	if bad.EndLine != bad.Line {
		end = len(text)
	}
	if start < 0 {
		return out
	}
	if end <= start {
		end = start + 1
	}
	if start -= indent; start < 0 {
		start = 0
	}
	return out + "    " + strings.Repeat(" ", start) + strings.Repeat("^", max(end-indent-start, 1)) + "\n"
}

// part is what is shown of a line, and where in it the characters from start to end are.
func part(line string, start, end int) (shown string, from, to int) {
	shown, moved := unitext.WindowAt(line, start)
	if moved != 0 || len(shown) != len(line) {
		end = min(end-moved, utf8.RuneCountInString(shown))
	}
	return shown, start - moved, end
}
