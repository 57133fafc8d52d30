package pyfuzz

import (
	"regexp"
	"strings"
)

// Verdict classifies one program.
type Verdict uint8

// The verdicts. A deviation is a program that met what consensus changes on
// purpose; the outputs were not compared.
const (
	Equal Verdict = iota
	Different
	Deviation
	OutOfLimit
)

// deviations are texts in the PVM's output that show that a program met a rule of
// the chain; DEVIATIONS.md has the reasons.
var deviations = []string{
	"DeterminismError", "4,096 bits", "4096 bits", "MemoryError", "RecursionError", "maximum recursion depth",
}

// qualified finds the classes that are written in C in CPython and in Python here: the representation of their methods
// has the name of the module there.
var qualified = regexp.MustCompile(`of collections\.(OrderedDict|defaultdict) object at`)

var address = regexp.MustCompile(` at 0x[0-9a-fA-F]+`)

// Compare runs a program on both machines.
func Compare(c *CPython, source string, traceback bool) (v Verdict, got, want string, err error) {
	o := RunPVM(source, traceback)
	if o.Limit != "" {
		return OutOfLimit, o.Limit, "", nil
	}
	for _, text := range deviations {
		if strings.Contains(o.Output, text) {
			return Deviation, text, "", nil
		}
	}
	want, err = c.Run(source, traceback)
	if err != nil {
		return Different, o.Output, "", err
	}
	got, want = normal(o.Output), normal(want)
	if traceback {
		want = inlinedFrames(want)
	}
	switch {
	case strings.HasSuffix(want, "timeout\n"):
		return OutOfLimit, "timeout", "", nil
	case strings.Contains(want, "MemoryError"):
		return Deviation, "MemoryError", "", nil
	case got == want:
		return Equal, got, want, nil
	}
	return Different, got, want, nil
}

// normal takes out of an output what may differ: addresses, and the names of
// OrderedDict's iterators and views, which are those of dict.
func normal(output string) string {
	output = strings.ReplaceAll(output, "odict_iterator", "dict_keyiterator")
	output = strings.ReplaceAll(output, "odict_", "dict_")
	output = qualified.ReplaceAllString(output, "of $1 object at")
	return address.ReplaceAllString(output, " at 0x0")
}

// FirstDifference returns the first lines in which two outputs differ.
func FirstDifference(got, want string) (g, w string) {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(a), len(b)) {
		g, w = "<end of output>", "<end of output>"
		if i < len(a) {
			g = a[i]
		}
		if i < len(b) {
			w = b[i]
		}
		if g != w {
			break
		}
	}
	return g, w
}
