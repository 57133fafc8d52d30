package conform

import (
	_ "embed"
	"errors"
	"fmt"
	"path"
	"strings"
)

//go:embed notapplicable.txt
var exclusionList string

// ErrExclusion rejects a line of the list of tests that do not apply.
var ErrExclusion = errors.New("conform: bad line in the list of tests that do not apply")

// exclusion is a line of the list: tests whose id matches pattern do not apply.
type exclusion struct{ pattern, reason string }

type exclusions []exclusion

// parseExclusions reads lines "pattern: reason"; # begins a comment.
func parseExclusions(text string) (exclusions, error) {
	var list exclusions
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		pattern, reason, ok := strings.Cut(line, ":")
		reason = strings.TrimSpace(reason)
		if _, err := path.Match(pattern, ""); err != nil || !ok || reason == "" {
			return nil, fmt.Errorf("%w: line %d", ErrExclusion, i+1)
		}
		list = append(list, exclusion{pattern, reason})
	}
	return list, nil
}

// match returns why a test does not apply.
func (l exclusions) match(id string) (reason string, ok bool) {
	for _, x := range l {
		if hit, _ := path.Match(x.pattern, id); hit {
			return x.reason, true
		}
	}
	return "", false
}
