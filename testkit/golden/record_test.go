package golden

import (
	"reflect"
	"testing"
)

func TestFill(t *testing.T) {
	type inner struct {
		N     uint32
		name  string
		Empty any
	}
	type outer struct {
		Set   uint64
		Truth bool
		Kind  uint8
		Row   [2]byte
		Data  []byte
		List  []inner
		Maybe *uint64
		Given *uint64
		a, b  int
	}
	given := uint64(7)
	v := Fill(&outer{Set: 5, Given: &given})
	if v.Set != 5 || *v.Given != 7 || !v.Truth || v.Kind != 1 {
		t.Errorf("%+v", v)
	}
	if v.Row[0] == v.Row[1] || len(v.Data) != 3 || v.Data[0] == v.Data[1] || v.a == 0 || v.a == v.b || *v.Maybe == 0 {
		t.Errorf("%+v", v)
	}
	if len(v.List) != 3 || v.List[0].N == 0 || v.List[0].N == v.List[1].N || v.List[2].name == "" || v.List[0].name == v.List[1].name ||
		v.List[0].Empty != nil {
		t.Errorf("%+v", v.List)
	}
	if again := Fill(&outer{Set: 5, Given: &given}); !reflect.DeepEqual(again, v) {
		t.Error("two fillings differ")
	}
}
