package sim

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Seed is a line of the seed file: a seed that showed something once, and what.
type Seed struct {
	Seed uint64
	What string
}

// String gives the line.
func (s Seed) String() string { return fmt.Sprintf("%d # %s", s.Seed, s.What) }

// ParseSeeds reads a seed file: a number on each line, then what it showed. Empty lines and lines that start with # are passed over.
func ParseSeeds(r io.Reader) (list []Seed, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text := strings.TrimSpace(lines.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		number, what, _ := strings.Cut(text, "#")
		s := Seed{What: strings.TrimSpace(what)}
		if s.Seed, err = strconv.ParseUint(strings.TrimSpace(number), 10, 64); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		list = append(list, s)
	}
	return list, lines.Err()
}
