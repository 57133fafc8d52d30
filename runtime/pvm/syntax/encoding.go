package syntax

import (
	"fmt"
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// checkEncoding refuses bytes that are not UTF-8, and a declaration in the
// first two lines that names another encoding.
func checkEncoding(source string) *SyntaxError {
	if bad := text.ValidUTF8([]byte(source)); bad != nil {
		return refusal(source, bad.Start, fmt.Sprintf("(unicode error) 'utf-8' codec can't decode byte 0x%02x in position %d: %s",
			source[bad.Start], bad.Start, bad.Reason))
	}
	rest := source
	for line := 1; line <= 2; line++ {
		end := strings.IndexAny(rest, "\r\n")
		if end < 0 {
			end = len(rest)
		}
		name, blank := declaration(rest[:end])
		if name != "" && !isUTF8Name(name) {
			return &SyntaxError{Msg: "encoding problem: " + name, Line: line}
		}
		if !blank || end == len(rest) {
			return nil
		}
		rest = strings.TrimPrefix(rest[end:], "\r")
		rest = strings.TrimPrefix(rest, "\n")
	}
	return nil
}

// refusal is an error at one byte of a source that is not scanned.
func refusal(source string, at int, msg string) *SyntaxError {
	before := strings.ReplaceAll(strings.ReplaceAll(source[:at], "\r\n", "\n"), "\r", "\n")
	line, col := strings.Count(before, "\n")+1, characters(before[strings.LastIndexByte(before, '\n')+1:])+1
	return &SyntaxError{Msg: msg, Line: line, Col: col, EndLine: line, EndCol: col + 1}
}

// declaration returns the encoding that a comment line declares, and whether
// the line holds nothing but white space and a comment.
func declaration(line string) (name string, blank bool) {
	line = strings.TrimLeft(line, " \t\f")
	if line == "" {
		return "", true
	}
	if line[0] != '#' {
		return "", false
	}
	for {
		_, after, found := strings.Cut(line, "coding")
		if !found {
			return "", true
		}
		line = after
		if after == "" || after[0] != ':' && after[0] != '=' {
			continue
		}
		after = strings.TrimLeft(after[1:], " \t")
		n := 0
		for n < len(after) && (after[n] == '-' || after[n] == '.' || after[n] < 0x80 && identByte(after[n])) {
			n++
		}
		if n > 0 {
			return after[:n], true
		}
	}
}

// isUTF8Name says whether an encoding name means UTF-8.
func isUTF8Name(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
	return name == "utf-8" || name == "utf8" || strings.HasPrefix(name, "utf-8-")
}
