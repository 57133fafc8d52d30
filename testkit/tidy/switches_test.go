package tidy

import (
	"reflect"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/chain/tx"
)

// TestNoSwitchOverInstructions keeps the rows the only list of instructions.
func TestNoSwitchOverInstructions(t *testing.T) {
	loaded, err := everything()
	if err != nil {
		t.Fatal(err)
	}
	for _, pkg := range loaded {
		for _, p := range Switches(pkg) {
			t.Error(p)
		}
	}
}

// TestSwitchesFindsEach shows that the check can fail, and what it lets pass.
func TestSwitchesFindsEach(t *testing.T) {
	loaded, err := Load(".", "./testdata/switching")
	if err != nil {
		t.Fatal(err)
	}
	var lines []int
	for _, p := range Switches(loaded[0]) {
		lines = append(lines, p.Pos.Line)
	}
	if !slices.Equal(lines, []int{7, 11, 15}) {
		t.Errorf("switches in lines %v, want 7, 11 and 15", lines)
	}
}

// TestEveryRowIsReachable holds every body that somebody wrote to be the body of a row of the table, and every row that is built to have one of its own.
func TestEveryRowIsReachable(t *testing.T) {
	loaded, err := Load(root, "./chain/tx")
	if err != nil {
		t.Fatal(err)
	}
	var built []string
	for _, row := range tx.Rows() {
		if row.Built() {
			built = append(built, reflect.TypeOf(row.New()).Elem().Name())
		}
	}
	slices.Sort(built)
	if bodies := Bodies(loaded[0]); !slices.Equal(bodies, built) {
		t.Errorf("bodies %v, rows with a body %v", bodies, built)
	}
}
