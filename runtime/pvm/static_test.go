package pvm_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// TestBuiltinTypesKeepTheirNames: what all machines share cannot be renamed by one of them.
//
// Spec: CIP-3 §2.2.
func TestBuiltinTypesKeepTheirNames(t *testing.T) {
	const source = `
import collections
try:
    collections._dot(int)
except TypeError as e:
    assert str(e).startswith("_dot() argument must be"), e
else:
    raise AssertionError("int was renamed")
try:
    [].x
except AttributeError as e:
    assert str(e) == "'list' object has no attribute 'x'", e
try:
    "" + 1
except TypeError as e:
    assert "(not \"int\")" in str(e), e
class Own:
    pass
collections._dot(Own)
`
	if _, _, fault := execute(t, source, pvm.Config{}); fault != nil {
		t.Fatal(fault, fault.Traceback)
	}
}
