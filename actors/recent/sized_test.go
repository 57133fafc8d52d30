package recent

import (
	"slices"
	"testing"
)

// What is kept has a bound by its sizes, whatever they are; what was used last stays.
func TestSized(t *testing.T) {
	c := NewSized[string, string](100)
	there := func(want ...string) {
		t.Helper()
		for _, name := range []string{"a", "b", "c", "d"} {
			if v, ok := c.Find(name); ok != slices.Contains(want, name) || ok && v != name {
				t.Errorf("%s: %v %v, want %v", name, v, ok, want)
			}
		}
		for i := len(want) - 1; i >= 0; i-- { // in the order of want again
			c.Find(want[i])
		}
		if c.used > c.most {
			t.Errorf("%d used", c.used)
		}
	}
	c.Put("a", "a", 40)
	c.Put("b", "b", 40)
	there("a", "b")
	c.Put("c", "c", 40)
	there("c", "a")
	c.Put("d", "d", 101)
	there("c", "a")
	c.Put("a", "a", 10)
	c.Put("d", "d", 50)
	there("d", "a", "c")
	c.Put("b", "b", 100)
	there("b")
	c.Forget("b")
	c.Forget("b")
	if there(); c.used != 0 || c.kept.Len() != 0 {
		t.Error(c.used)
	}
}
