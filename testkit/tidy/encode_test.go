package tidy

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestEveryEncodingHasItsHash wants a line in testdata/records.golden for every type of the chain, and of the state that runtime keeps, that encodes
// itself: whoever changes an encoding then sees that it is a change of protocol. Spec: WP §2.5.
func TestEveryEncodingHasItsHash(t *testing.T) {
	loaded, err := Load(root, "./chain/...", "./runtime/system/...", "./chain/entitle")
	if err != nil {
		t.Fatal(err)
	}
	types := 0
	for _, pkg := range loaded {
		list := Encoded(pkg)
		if pkg.PkgPath == instructions { // a body is encoded field by field, as its row lists them
			list = append(list, Bodies(pkg)...)
		}
		if len(list) == 0 {
			continue
		}
		types += len(list)
		golden, err := os.ReadFile(filepath.Join(filepath.Dir(pkg.GoFiles[0]), "testdata", "records.golden"))
		if err != nil {
			t.Errorf("%s encodes %v: %v", pkg.PkgPath, list, err)
			continue
		}
		for _, name := range list {
			if !strings.Contains("\n"+string(golden), "\n"+name+" ") {
				t.Errorf("%s: the encoding of %s has no hash in testdata/records.golden", pkg.PkgPath, name)
			}
		}
	}
	if types < 80 {
		t.Errorf("only %d types encode themselves", types)
	}
}

// TestEncodedFindsEachType shows that the check can fail.
func TestEncodedFindsEachType(t *testing.T) {
	loaded, err := Load(".", "./testdata/encode")
	if err != nil {
		t.Fatal(err)
	}
	if got := Encoded(loaded[0]); !slices.Equal(got, []string{"plain", "pointer", "inner"}) {
		t.Errorf("%v", got)
	}
}
