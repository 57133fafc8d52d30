package pytest

import "testing"

const small = `
from cowboy_sdk.testing import SimulatedChain
from counter import Counter

def test_one():
    chain = SimulatedChain(Counter)
    assert chain.call("increment") == b"1"
`

// BenchmarkTest is one Python test that deploys an actor and calls one handler.
func BenchmarkTest(b *testing.B) {
	r, err := NewRunner("testdata/test_small.py", []byte(small), Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if result := r.one("test_one"); !result.OK {
			b.Fatal(result.Failure)
		}
	}
}
