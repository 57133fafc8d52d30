package pyfuzz

import (
	"fmt"
	"regexp"
	"strings"
)

// otherSeeds is how many further processes of CPython, each with addresses and hashes of strings of its own, run a
// program that differs.
const otherSeeds = 4

// excuse names the deviation behind outputs that differ, or returns "": the program met a rule of the chain and hid it, or
// CPython does not agree with itself because an address, the order of a set or the sign of a NaN has reached the output.
func excuse(interpreter, source, got, want string) (string, error) {
	if text := hidden(source); text != "" {
		return text, nil
	}
	at := firstDifferent(got, want)
	if text := listed(FirstDifference(got, want)); text != "" {
		return text, nil
	}
	for seed := 1; seed <= otherSeeds; seed++ {
		c, err := StartCPython(interpreter, fmt.Sprint(seed))
		if err != nil {
			return "", err
		}
		again, err := c.run(source, otherMachine)
		_ = c.Close()
		if err != nil {
			return "", err
		}
		if firstDifferent(normal(again), want) <= at {
			return "an address, a hash or the sign of a NaN", nil
		}
	}
	return "", nil
}

var operands = regexp.MustCompile(`'(<|>|<=|>=)\\*' not supported between instances of \\*'(\w+)\\*' and \\*'(\w+)\\*'`)

// method finds the name of a built-in method with its class.
var method = regexp.MustCompile(`\b\w+\.(\w+\(\) takes )`)

// written finds the methods, written in Python here, that refuse arguments in the words of Python functions.
var written = regexp.MustCompile(`\b(OrderedDict|defaultdict)\.\w+\(\) takes \d+ positional arguments? but \d+ were given`)

// negativeNaN gives the NaNs in packed structures the sign that they have on the PVM.
var negativeNaN = strings.NewReplacer(
	`\xff\xf8\x00`, `\x7f\xf8\x00`, `\xff\xc0\x00`, `\x7f\xc0\x00`, `\x00\xf8\xff`, `\x00\xf8\x7f`, `\x00\xc0\xff`, `\x00\xc0\x7f`,
	`\x00\xfe`, `\x00~`, `\xfe\x00`, `~\x00`,
)

// listed names the deviation that shows in the first lines that differ: which of the elements of a set are compared first,
// what a built-in method of a subclass is called, or the sign of a NaN.
func listed(got, want string) string {
	x, y := operands.FindStringSubmatch(got), operands.FindStringSubmatch(want)
	switch {
	case x != nil && y != nil && x[1] == y[1] && x[2] == y[3] && x[3] == y[2]:
		return "order of a set"
	case method.ReplaceAllString(got, "$1") == method.ReplaceAllString(want, "$1"):
		return "class of a built-in method"
	case written.MatchString(got) && strings.Contains(want, "takes"):
		return "arguments of a method in Python"
	case got == negativeNaN.Replace(want):
		return "sign of a NaN"
	}
	return ""
}

// firstDifferent is the number of the first line in which two outputs differ; of equal ones, beyond every line.
func firstDifferent(a, b string) int {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] {
			return i
		}
	}
	if len(x) == len(y) {
		return int(^uint(0) >> 1)
	}
	return min(len(x), len(y))
}

var handler = regexp.MustCompile(`(?m)^(\s*)except\*?(?: ([^:\n]+?))?(?: as (\w+))?:(?:[ \t]*(\S.*)|(\n[ \t]+))`)

// hidden runs a program whose handlers print what they catch, and returns the first deviation in its output.
func hidden(source string) string {
	telling := handler.ReplaceAllStringFunc(source, func(line string) string {
		part := handler.FindStringSubmatch(line)
		indent, types, name, body, next := part[1], part[2], part[3], part[4], part[5]
		if types == "" {
			types = "BaseException"
		}
		if name == "" {
			name = "caught_"
		}
		head, _, _ := strings.Cut(line[len(indent):], " ")
		head = strings.TrimSuffix(head, ":")
		tell := fmt.Sprintf("print(type(%s).__name__, %s)", name, name)
		if next != "" { // the block begins on the next line
			return fmt.Sprintf("%s%s %s as %s:%s%s%s", indent, head, types, name, next, tell, next)
		}
		return fmt.Sprintf("%s%s %s as %s: %s; %s", indent, head, types, name, tell, body)
	})
	o := RunPVM(telling, false)
	for _, text := range deviations {
		if strings.Contains(o.Output, text) {
			return text
		}
	}
	return ""
}
