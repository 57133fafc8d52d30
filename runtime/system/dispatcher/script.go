package dispatcher

import (
	"errors"
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/cbor"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// Bounds of what a network keeps for its developers.
const (
	MaxScripts     = 64
	MaxScriptBytes = 1 << 16 // of one, encoded
	MaxRunners     = 21      // of Votes; Spec: sdk §9.4
	MaxType        = 64      // bytes of a job type
	MaxLate        = 86_400  // blocks an answer is late or a job waits
	MaxCopies      = 16
)

// Ending is how a job ends.
type Ending uint8

// The endings.
const (
	OK    Ending = iota // with the one result
	Error               // with what the actor is told
	Vote                // with what several runners' results come to; null is a runner that failed
	Lost                // nobody answers
	endings
)

// String names the ending as scenarios and commands do.
func (e Ending) String() string {
	return [...]string{"ok", "error", "votes", "lost", "invalid"}[min(e, endings)]
}

// ParseEnding reads what String writes of an ending.
func ParseEnding(name string) (Ending, error) {
	for e := OK; e < endings; e++ {
		if e.String() == name {
			return e, nil
		}
	}
	return endings, fmt.Errorf("%s, not %s", howJobsEnd, name)
}

const howJobsEnd = "a job ends ok, error, lost or votes"

// Reply is how a job ends and when its actor hears of it.
type Reply struct {
	Ending  Ending
	Results [][]byte    // canonical CBOR: one of OK and Error, 1 to MaxRunners of Vote, none of Lost
	Late    unit.Height // blocks, at most MaxLate
	Copies  uint32      // how often it is delivered, 1 to MaxCopies; 0 of Lost
}

// Scope is whose jobs of which type.
type Scope struct {
	Actor *account.Address // nil: everybody's
	Type  string           // "": of every type
}

// Script is what the runners answer to the jobs of a scope.
type Script struct {
	Number uint64 // in the order they were set, the chain's to give
	Scope
	Jobs  uint64 // how many it still is for; 0: all that come
	Reply Reply
}

// ErrScript is a reply or a script that breaks a rule. Errors wrap it with what is wrong.
var ErrScript = errors.New("invalid script")

func wrong(text string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrScript, fmt.Sprintf(text, args...))
}

// Check errs with ErrScript unless the reply keeps the rules above.
func (r *Reply) Check() error {
	least, most := 1, 1
	switch r.Ending {
	case OK, Error:
	case Vote:
		most = MaxRunners
	case Lost:
		least, most = 0, 0
		if r.Late != 0 || r.Copies != 0 {
			return wrong("a lost answer is neither late nor delivered")
		}
	default:
		return wrong(howJobsEnd)
	}
	if n := len(r.Results); n < least || n > most {
		return wrong("%s has %d to %d results, not %d", r.Ending, least, most, n)
	}
	for i, raw := range r.Results {
		if _, err := cbor.Parse(raw); err != nil {
			return wrong("result %d is not canonical CBOR", i+1)
		}
	}
	if r.Late > MaxLate {
		return wrong("an answer is at most %d blocks late", MaxLate)
	}
	if r.Ending != Lost && (r.Copies < 1 || r.Copies > MaxCopies) {
		return wrong("an answer is delivered 1 to %d times", MaxCopies)
	}
	return nil
}

// Append appends the canonical encoding.
func (r *Reply) Append(dst []byte) []byte {
	dst = codec.AppendLen(codec.AppendU8(dst, uint8(r.Ending)), len(r.Results))
	for _, raw := range r.Results {
		dst = codec.AppendBytes(dst, raw)
	}
	return codec.AppendUint(codec.AppendUint(dst, uint64(r.Late)), uint64(r.Copies))
}

// ReadReply reads what Append wrote; the reader keeps the codec error of other bytes. The results alias the input.
func ReadReply(r *codec.Reader) Reply {
	p := Reply{Ending: Ending(r.Tag(uint8(endings))), Results: make([][]byte, r.Len(0, MaxRunners, 1))}
	for i := range p.Results {
		p.Results[i] = r.Bytes(MaxScriptBytes)
	}
	p.Late, p.Copies = unit.Height(r.Uint()), r.Uint32()
	return p
}

// answer is the reply under a committee's threshold. r is checked.
func (r *Reply) answer(threshold int) (Answer, error) {
	results := make([]any, len(r.Results))
	for i, raw := range r.Results {
		var err error
		if results[i], err = cbor.Parse(raw); err != nil {
			return Answer{}, err
		}
		if r.Ending == Vote && results[i] == nil {
			results[i] = errFailed
		}
	}
	a := Answer{Lost: r.Ending == Lost, Error: r.Ending == Error}
	switch r.Ending {
	case OK, Error:
		a.Result = results[0]
	case Vote:
		a = Votes(threshold, results)
	}
	a.Delay, a.Copies = r.Late, int(r.Copies)
	return a, nil
}

var errFailed = errors.New("the runner failed")

// Check errs with ErrScript unless the script keeps its rules.
func (s *Script) Check() error {
	if len(s.Type) > MaxType {
		return wrong("a job type has at most %d bytes", MaxType)
	}
	if err := s.Reply.Check(); err != nil {
		return err
	}
	if n := len(s.Append(nil)); n > MaxScriptBytes {
		return wrong("a script has %d bytes, at most %d are kept", n, MaxScriptBytes)
	}
	return nil
}

// Append appends the canonical encoding, without the number.
func (s *Script) Append(dst []byte) []byte {
	return s.Reply.Append(codec.AppendUint(s.Scope.Append(dst), s.Jobs))
}

// ReadScript reads what Append wrote; the reader keeps the codec error of other bytes. The results alias the input.
func ReadScript(r *codec.Reader) Script {
	s := Script{Scope: ReadScope(r), Jobs: r.Uint()}
	s.Reply = ReadReply(r)
	return s
}

// Append appends the canonical encoding.
func (s *Scope) Append(dst []byte) []byte {
	return codec.AppendBytes(appendActor(dst, s.Actor), []byte(s.Type))
}

// ReadScope reads what Append wrote; the reader keeps the codec error of other bytes.
func ReadScope(r *codec.Reader) Scope {
	return Scope{Actor: readActor(r), Type: string(r.Bytes(MaxType))}
}

func appendActor(dst []byte, actor *account.Address) []byte {
	dst = codec.AppendBool(dst, actor != nil)
	if actor != nil {
		dst = codec.AppendFixed(dst, actor[:])
	}
	return dst
}

func readActor(r *codec.Reader) *account.Address {
	if !r.Option() {
		return nil
	}
	var actor account.Address
	r.Into(actor[:])
	return &actor
}

// holds tells whether a job is of the scope.
func (s *Scope) holds(j *Job) bool {
	return (s.Actor == nil || *s.Actor == j.Actor) && (s.Type == "" || s.Type == j.Type)
}

// covers tells whether every job of another scope is of this one.
func (s *Scope) covers(other *Scope) bool {
	return (s.Actor == nil || other.Actor != nil && *s.Actor == *other.Actor) && (s.Type == "" || s.Type == other.Type)
}
