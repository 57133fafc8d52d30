package transport

import (
	"errors"
	"fmt"

	"github.com/quic-go/quic-go"
)

// Code says why a connection is not wanted. It crosses the wire as QUIC's application error code.
type Code uint16

// The codes. New ones are added at the end.
const (
	CodeClosing    Code = iota // orderly end
	CodeNetwork                // the names of the networks differ
	CodeGenesis                // the genesis hashes differ
	CodeVersion                // no protocol version is spoken by both
	CodeMalformed              // the hello breaks its format
	CodeIdentity               // another key answered than the one dialed
	CodeSelf                   // a node dialed itself
	CodeFull                   // no room for another peer
	CodeCrowded                // too many connections from one address
	CodeBlocked                // the peer is banned for the time being
	CodeDuplicate              // another connection to the same peer is kept
	CodeFrame                  // a frame breaks its format or limit
	CodeStream                 // a stream that is not allowed
	CodeStalled                // a frame was neither finished nor taken in time
	CodeTimeout                // the hello took too long
	CodeMisconduct             // the node above judged the peer's messages
	CodeDone                   // a lookup is over
)

// String returns the code as words.
func (c Code) String() string {
	names := [...]string{"closing", "other network", "other genesis", "no common version", "malformed hello", "other identity",
		"self", "full", "address crowded", "blocked", "duplicate", "bad frame", "bad stream", "stalled", "timeout", "misconduct", "done"}
	if int(c) < len(names) {
		return names[c]
	}
	return fmt.Sprintf("code(%d)", uint16(c))
}

// textMax bounds a refusal's text in bytes.
const textMax = 255

// Refusal is a connection's end with a reason. Two refusals are the same error, for errors.Is, if their codes are equal.
type Refusal struct {
	Code   Code
	Text   string // for people; printable ASCII, at most 255 bytes
	Remote bool   // the other side refused
}

// The refusals callers ask about with errors.Is.
var (
	ErrClosing   = &Refusal{Code: CodeClosing}
	ErrNetwork   = &Refusal{Code: CodeNetwork}
	ErrGenesis   = &Refusal{Code: CodeGenesis}
	ErrVersion   = &Refusal{Code: CodeVersion}
	ErrMalformed = &Refusal{Code: CodeMalformed}
	ErrIdentity  = &Refusal{Code: CodeIdentity}
	ErrSelf      = &Refusal{Code: CodeSelf}
	ErrFull      = &Refusal{Code: CodeFull}
	ErrCrowded   = &Refusal{Code: CodeCrowded}
	ErrBlocked   = &Refusal{Code: CodeBlocked}
	ErrDuplicate = &Refusal{Code: CodeDuplicate}
	ErrFrame     = &Refusal{Code: CodeFrame}
	ErrStream    = &Refusal{Code: CodeStream}
	ErrStalled   = &Refusal{Code: CodeStalled}
	ErrTimeout   = &Refusal{Code: CodeTimeout}
)

// NewRefusal makes a refusal of this side.
func NewRefusal(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Text: printable([]byte(fmt.Sprintf(format, args...)), textMax)}
}

// Error implements error.
func (r *Refusal) Error() string {
	who := "refused"
	if r.Remote {
		who = "refused by the peer"
	}
	if r.Text == "" {
		return fmt.Sprintf("transport: %s: %v", who, r.Code)
	}
	return fmt.Sprintf("transport: %s: %v: %s", who, r.Code, r.Text)
}

// Is implements errors.Is.
func (r *Refusal) Is(target error) bool {
	t, ok := target.(*Refusal)
	return ok && t.Code == r.Code
}

// reason makes the error of a connection that ended out of QUIC's: a Refusal if either side gave one.
func reason(err error) error {
	var app *quic.ApplicationError
	if !errors.As(err, &app) || app.ErrorCode > 0xffff {
		return err
	}
	return &Refusal{Code: Code(app.ErrorCode), Text: printable([]byte(app.ErrorMessage), textMax), Remote: app.Remote}
}

// printable keeps at most limit bytes and replaces what a terminal or a log could misread.
func printable(s []byte, limit int) string {
	s = s[:min(len(s), limit)]
	out := make([]byte, len(s))
	for i, b := range s {
		if b < 0x20 || b > 0x7e {
			b = '?'
		}
		out[i] = b
	}
	return string(out)
}
