package pvm

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/text"
	"golang.org/x/text/unicode/norm"
)

var (
	// ErrSourceUTF8 reports actor source that is not UTF-8.
	ErrSourceUTF8 = errors.New("pvm: source is not UTF-8")
	// ErrSourceUnassigned reports a code point that Unicode 14.0 does not assign.
	ErrSourceUnassigned = errors.New("pvm: source has a code point unassigned in Unicode 14.0")
	// ErrSourceMarks reports more than 30 combining marks in a row.
	ErrSourceMarks = errors.New("pvm: source has more than 30 combining marks in a row")
)

// graphemeJoiner is U+034F, which the normaliser inserts into runs of more than
// 30 combining marks; Normalization Form C itself never adds or removes one.
const graphemeJoiner = "\u034f"

const byteOrderMark = "\ufeff"

// CanonicalSource gives the one form of actor source that is hashed and stored:
// UTF-8, Normalization Form C, line feeds only, no byte order mark. Leading
// byte order marks are dropped, CR LF and CR become LF. It gives ErrSourceUTF8, or
// ErrSourceUnassigned: code points that Unicode 14.0 (Python 3.11) does not
// assign are refused because their normalization is not fixed yet, while that of
// assigned ones never changes; or ErrSourceMarks, the bound of the stream-safe
// text format of Unicode Annex 15.
// Spec: WP §1.2.
func CanonicalSource(source []byte) ([]byte, error) {
	if !utf8.Valid(source) {
		return nil, ErrSourceUTF8
	}
	for bytes.HasPrefix(source, []byte(byteOrderMark)) {
		source = source[len(byteOrderMark):]
	}
	ascii := true
	for rest := source; len(rest) > 0; {
		if rest[0] < utf8.RuneSelf {
			rest = rest[1:]
			continue
		}
		ascii = false
		r, n := utf8.DecodeRune(rest)
		if !text.IsAssigned(r) {
			return nil, ErrSourceUnassigned
		}
		rest = rest[n:]
	}
	lines := lineFeeds(source)
	if ascii {
		return lines, nil
	}
	composed := norm.NFC.Bytes(lines)
	if bytes.Count(composed, []byte(graphemeJoiner)) != bytes.Count(lines, []byte(graphemeJoiner)) {
		return nil, ErrSourceMarks
	}
	return composed, nil
}

// lineFeeds copies source with CR LF and CR written as LF.
func lineFeeds(source []byte) []byte {
	out := make([]byte, 0, len(source))
	for i, c := range source {
		switch {
		case c != '\r':
			out = append(out, c)
		case i+1 == len(source) || source[i+1] != '\n':
			out = append(out, '\n')
		}
	}
	return out
}
