package text

import "unicode/utf8"

// LongLine is the longest line of a source, in bytes, that a diagnostic shows as it is. Of a longer one it shows a Window.
const LongLine = 1_000

// The characters of a window, and how many of them stand before what the window is about.
const (
	windowRunes = 160
	windowLead  = 60
)

// Cut stands for what a window leaves out on one side.
const Cut = "…"

// Window is the part of a long line around the byte offset at, with Cut on each side where something is left out, and how many bytes an offset
// into the line has to go down to be one into the window; that may be negative. A line of at most LongLine bytes is its own window. Offsets outside of
// the line count as its nearest end.
func Window(line string, at int) (shown string, down int) {
	if len(line) <= LongLine {
		return line, 0
	}
	from := min(max(at, 0), len(line))
	for n := 0; n < windowLead && from > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(line[:from])
		from -= size
	}
	to := from
	for n := 0; n < windowRunes && to < len(line); n++ {
		_, size := utf8.DecodeRuneInString(line[to:])
		to += size
	}
	shown, down = line[from:to], from
	if from > 0 {
		shown, down = Cut+shown, down-len(Cut)
	}
	if to < len(line) {
		shown += Cut
	}
	return shown, down
}

// WindowAt is Window for a place that is counted in characters: at is the character around which the window lies, down how many characters a place has
// to go down.
func WindowAt(line string, at int) (shown string, down int) {
	if len(line) <= LongLine {
		return line, 0
	}
	offset := len(line)
	for i := range line {
		if at <= 0 {
			offset = i
			break
		}
		at--
	}
	shown, less := Window(line, offset)
	return shown, utf8.RuneCountInString(line[:offset]) - utf8.RuneCountInString(shown[:offset-less])
}

// Head is the beginning of a text for people, with Cut where more than LongLine bytes are left out.
func Head(s string) string {
	if len(s) <= LongLine {
		return s
	}
	end := LongLine
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + Cut
}
