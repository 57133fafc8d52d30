package params

import (
	"bytes"
	"fmt"
	"go/constant"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/cowboyinc/cowboy-go/chain/digest"
	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The frozen form of the genesis parameters and of every exported constant: a
// change of either is a change of protocol and shows in the diff of the file.
// Spec: WP §13, §13.1.
func TestGolden(t *testing.T) {
	var params bytes.Buffer
	sum := digest.NewKeccak256()
	for _, g := range Genesis().Groups() {
		fmt.Fprintf(&params, "%s %x\n", g.Key, g.Value)
		sum.Write([]byte(g.Key))
		sum.Write(g.Value)
	}
	fmt.Fprintf(&params, "keccak256 %x\n", sum.Sum(nil))
	golden.File(t, "testdata/params.golden", params.Bytes())
	golden.File(t, "testdata/constants.golden", constants(t))
}

// constants lists the package's exported constants with their exact values.
func constants(t *testing.T) []byte {
	t.Helper()
	const mode = packages.NeedName | packages.NeedTypes | packages.NeedSyntax | packages.NeedImports | packages.NeedDeps
	found, err := packages.Load(&packages.Config{Mode: mode}, ".")
	if err != nil || len(found) != 1 || len(found[0].Errors) > 0 {
		t.Fatalf("%v %+v", err, found)
	}
	pkg := found[0].Types
	var lines []string
	for _, name := range pkg.Scope().Names() {
		if c, ok := pkg.Scope().Lookup(name).(*types.Const); ok && c.Exported() {
			if c.Val().Kind() == constant.Unknown {
				t.Fatalf("%s has no value", name)
			}
			lines = append(lines, name+" "+c.Val().ExactString())
		}
	}
	slices.Sort(lines)
	return []byte(strings.Join(lines, "\n") + "\n")
}
