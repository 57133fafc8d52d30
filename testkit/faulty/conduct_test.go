package faulty

import "testing"

func TestKinds(t *testing.T) {
	for _, kind := range append(Kinds(), Invalid()...) {
		if New(kind) == nil {
			t.Errorf("%s has no conduct", kind)
		}
	}
	if New("") != nil || New("honest") != nil {
		t.Error("an unknown kind has a conduct")
	}
}
