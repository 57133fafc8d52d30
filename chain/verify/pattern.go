package verify

import (
	"regexp"
	"regexp/syntax"
	"strings"
)

// The bounds of regular expressions in schemas.
const (
	MaxPatternBytes = 256   // of the text of one
	MaxSteps        = 512   // of one, which its program has instructions at most
	MaxSchemaSteps  = 1_024 // of all of a schema together
)

// pattern is a regular expression, made into a program when it is first matched.
type pattern struct {
	text    string
	program *regexp.Regexp
}

// matches reports whether the expression matches somewhere in a text. The time is in proportion to the steps of the expression and the bytes of the text,
// whatever they are.
func (p *pattern) matches(text string) bool {
	if p.program == nil {
		p.program, _ = regexp.Compile(p.text) // readPattern has parsed it
	}
	return p.program != nil && p.program.MatchString(text)
}

// readPattern holds an expression to what is taken, and gives the instructions its program has at most, without making the program. It is RE2's language, which
// has neither references back nor looks around, so that matching is linear; and of it what does not rest on the tables of a version of Unicode: no \p and no
// flags, which could ask for cases to be ignored. An error is of ErrConfig.
//
// Spec: runner-marketplace §2.3 (JsonSchemaValid); WP-January "SDK Verifier Functions" (regex_match).
func readPattern(text string) (steps int, err error) {
	if len(text) > MaxPatternBytes {
		return 0, config("schema", "a pattern has at most %d bytes", MaxPatternBytes)
	}
	if flagged(text) {
		return 0, config("schema", "a pattern has neither flags nor names nor \\Q: %.64q", text)
	}
	tree, err := syntax.Parse(text, syntax.ClassNL|syntax.OneLine|syntax.PerlX)
	if err != nil {
		return 0, config("schema", "pattern: %v", err)
	}
	if steps = 2 + stepsOf(tree); steps > MaxSteps {
		return 0, config("schema", "a pattern has at most %d steps: %.64q", MaxSteps, text)
	}
	return steps, nil
}

// flagged reports whether an expression has a group with a question mark that is not (?:, or quotes by \Q, outside of its classes.
func flagged(text string) bool {
	for len(text) > 0 {
		n := 1
		switch {
		case text[0] == '\\':
			if n = min(2, len(text)); text[n-1] == 'Q' {
				return true
			}
		case text[0] == '[':
			n = class(text)
		case strings.HasPrefix(text, "(?") && !strings.HasPrefix(text, "(?:"):
			return true
		}
		text = text[n:]
	}
	return false
}

// class is how many bytes the class has that a text begins with; all of them where it does not end.
func class(text string) int {
	at := 1
	if strings.HasPrefix(text[at:], "^") {
		at++
	}
	for first := true; at < len(text); first = false {
		switch rest := text[at:]; {
		case rest[0] == ']' && !first:
			return at + 1
		case rest[0] == '\\':
			at++
		case strings.HasPrefix(rest, "[:"):
			if end := strings.Index(rest[2:], ":]"); end >= 0 {
				at += end + 3
			}
		}
		at++
	}
	return len(text)
}

// stepsOf is how many instructions a parsed expression makes at most; MaxSteps and one for all that make more.
func stepsOf(e *syntax.Regexp) int {
	n := 0
	for _, sub := range e.Sub {
		n = min(n+stepsOf(sub), MaxSteps+1)
	}
	switch e.Op {
	case syntax.OpLiteral:
		n = len(e.Rune)
	case syntax.OpAlternate:
		n += len(e.Sub)
	case syntax.OpRepeat:
		if n *= max(e.Min, e.Max, 1); e.Max >= 0 {
			n += e.Max - e.Min
		} else {
			n += 2
		}
	case syntax.OpCapture, syntax.OpStar, syntax.OpPlus, syntax.OpQuest:
		n += 2
	}
	return min(max(n, 1), MaxSteps+1)
}
