package syntax

import "unicode/utf8"

// characters counts the characters of a piece of a line.
func characters(s string) int { return utf8.RuneCountInString(s) }
