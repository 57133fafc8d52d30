package check

import (
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/syntax"
)

// A yield is pointed at where a finally or the end of a with is due behind it, and nowhere else.
//
// Spec: WP "Determinism Guarantees" (reference counting).
func TestWaits(t *testing.T) {
	const source = `
def plain():
    yield 1
    try:
        yield 2
    except ValueError:
        yield 3

def due():
    try:
        yield 10
        x = yield from plain()
    except ValueError as e:
        for a in range(2):
            yield 14
    else:
        print((yield 16))
    finally:
        yield 18
    with open("/tmp/a") as f:
        if f:
            yield 21
        def inner():
            yield 23
        g = lambda: (yield 24)
    try:
        try:
            pass
        finally:
            yield 29
    finally:
        pass

class A:
    async def m(self):
        async with self:
            yield 36
`
	tree, err := syntax.Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, at := range Waits(tree) {
		lines = append(lines, int(at.Line))
	}
	if want := []int{11, 12, 15, 17, 22, 30, 37}; !slices.Equal(lines, want) {
		t.Errorf("lines %v, want %v", lines, want)
	}
}
