package scenario

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/txtar"

	unitext "github.com/cowboyinc/cowboy-go/runtime/pvm/text"
)

// Bounds of a story.
const (
	maxLines  = 10_000
	maxOutput = 10_000 // lines of one command
)

// line is one command with the output it must have.
type line struct {
	number int // in the file, from 1
	text   string
	want   []string
}

// story is a parsed archive.
type story struct {
	name    string
	archive *txtar.Archive
	lines   []line
	// layout is the comment as it was, with -1 for the place of each command's expected output.
	layout []string
}

// Error is a mistake in a story.
type Error struct {
	File string
	Line int
	Text string
	Hint string // what to write instead, or nothing
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s:%d: %s", e.File, e.Line, unitext.Head(e.Text))
	if e.Hint != "" {
		text += "\n  " + e.Hint
	}
	return text
}

// parse reads an archive.
func parse(name string, data []byte) (*story, error) {
	s := &story{name: name, archive: txtar.Parse(data)}
	for i, text := range strings.Split(strings.TrimSuffix(string(s.archive.Comment), "\n"), "\n") {
		trimmed := strings.TrimSpace(text)
		switch {
		case strings.HasPrefix(text, "> ") || text == ">":
			if len(s.lines) == 0 {
				return nil, &Error{name, i + 1, "expected output before the first command", ""}
			}
			last := &s.lines[len(s.lines)-1]
			last.want = append(last.want, strings.TrimPrefix(strings.TrimPrefix(text, ">"), " "))
			continue
		case trimmed != "" && !strings.HasPrefix(trimmed, "#"):
			if len(s.lines) == maxLines {
				return nil, &Error{name, i + 1, fmt.Sprintf("a story has at most %d commands", maxLines), ""}
			}
			s.lines = append(s.lines, line{number: i + 1, text: trimmed})
		}
		s.layout = append(s.layout, text)
	}
	return s, nil
}

// file gives a file of the archive, or one beside the story.
func (s *story) file(name string) (string, bool) {
	for _, f := range s.archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	data, err := os.ReadFile(filepath.Join(filepath.Dir(s.name), name))
	return string(data), err == nil
}

// rewritten is the archive with what was printed in the place of what was expected.
func (s *story) rewritten(printed map[int][]string) []byte {
	var b strings.Builder
	next := 0
	for _, text := range s.layout {
		b.WriteString(text + "\n")
		trimmed := strings.TrimSpace(text)
		if trimmed == "" || strings.HasPrefix(trimmed, "#") {
			continue
		}
		for _, out := range printed[s.lines[next].number] {
			b.WriteString(strings.TrimRight("> "+out, " ") + "\n")
		}
		next++
	}
	return s.archived(b.String())
}

// archived is the archive with other commands.
func (s *story) archived(comment string) []byte {
	return txtar.Format(&txtar.Archive{Comment: []byte(comment), Files: s.archive.Files})
}

// words splits a line into its first n words and the rest.
func words(text string, n int) (list []string, rest string) {
	rest = strings.TrimSpace(text)
	for len(list) < n && rest != "" {
		word, after, _ := strings.Cut(rest, " ")
		list, rest = append(list, word), strings.TrimSpace(after)
	}
	return list, rest
}
