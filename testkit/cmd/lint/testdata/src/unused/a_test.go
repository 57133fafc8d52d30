package unused

import "testing"

func TestTested(t *testing.T) {
	if tested() != 1 {
		t.Error("not 1")
	}
}
