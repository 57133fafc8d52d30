package rules

import "testing"

func TestTables(t *testing.T) {
	for _, c := range []struct{ a, b int }{{1, 1}} { // a breach
		if c.a != c.b {
			t.Error(c)
		}
	}
	for a, b := range map[int]int{1: 1} { // a breach
		if a != b {
			t.Fatalf("%d", a)
		}
	}
	cases := []struct{ a, b int }{{1, 1}}
	for _, c := range cases { // a breach
		if c.a != c.b {
			t.Errorf("%v", c)
		}
	}
	var more = [...]struct{ a, b int }{{1, 1}}
	for _, c := range more { // a breach
		if c.a != c.b {
			t.Fatal(c)
		}
	}
	for _, c := range cases { // subtests
		t.Run("", func(t *testing.T) {
			if c.a != c.b {
				t.Error(c)
			}
		})
	}
	sum := 0
	for _, c := range cases { // reports nothing
		sum += c.a
	}
	for _, n := range []int{1, 2} { // no table
		if n == 0 {
			t.Error(sum)
		}
	}
}

func helper(t *testing.T) {
	for a, b := range map[int]int{1: 1} { // no test
		if a != b {
			t.Error(a)
		}
	}
}
