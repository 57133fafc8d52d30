package suite

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sort"
)

// GasFile is where a project keeps what its tests used.
const GasFile = "gas.json"

// Use is the cycles and cells of a test.
type Use struct {
	Cycles uint64 `json:"cycles"`
	Cells  uint64 `json:"cells"`
}

// Change is a test whose use is not what it was. Before or After is nil for a test that was not there.
type Change struct {
	Test          string
	Before, After *Use
}

// LoadGas reads what tests used when it was saved last; nothing was saved when the map is nil.
func LoadGas(dir string) (map[string]Use, error) {
	text, err := os.ReadFile(filepath.Join(dir, GasFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var m map[string]Use
	return m, json.Unmarshal(text, &m)
}

// Gas gives what the tests of a report used.
func (r *Report) Gas() map[string]Use {
	m := map[string]Use{}
	for i := range r.Tests {
		if t := &r.Tests[i]; t.OK {
			m[t.ID()] = Use{t.Cycles, t.Cells}
		}
	}
	return m
}

// SaveGas writes what tests used.
func SaveGas(dir string, m map[string]Use) error {
	text, err := json.MarshalIndent(m, "", "  ") // keys come sorted
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, GasFile), append(text, '\n'), 0o644)
}

// Changes compares two runs, in the order of the tests' names.
func Changes(before, after map[string]Use) []Change {
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	var list []Change
	for name := range names {
		b, hadBefore := before[name]
		a, hasAfter := after[name]
		if hadBefore && hasAfter && a == b {
			continue
		}
		c := Change{Test: name}
		if hadBefore {
			c.Before = &b
		}
		if hasAfter {
			c.After = &a
		}
		list = append(list, c)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Test < list[j].Test })
	return list
}
