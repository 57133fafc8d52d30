package push

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/chain/sig"
)

// RunnerKey is the key of a runner of the tests, by its number: for those of the state and those over connections.
func RunnerKey(t *testing.T, n byte) *sig.PrivateKey {
	t.Helper()
	raw := digest.SHA256([]byte{'r', n})
	key, err := sig.ParsePrivateKey(raw[:])
	if err != nil {
		t.Fatal(err)
	}
	return key
}
