package frame_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cowboyinc/cowboy-go/actors/format"
	"github.com/cowboyinc/cowboy-go/actors/frame"
	"github.com/cowboyinc/cowboy-go/actors/ledger/store/disk"
)

var (
	errDamaged = errors.New("damaged")
	errPresent = errors.New("present")
	owned      = &format.Kind{Name: "owned", Now: 1, Read: frame.VersionOf("mine", errDamaged)}
)

func titled(owner string) frame.Title {
	return frame.Title{Kind: owned, Mark: "mine", Owner: []byte(owner)}
}

// A file is made once, and read by its owner alone; one of another version says so, and is not damaged.
//
// Spec: commonware §3.5.
func TestTitle(t *testing.T) {
	d := disk.NewMemory()
	names := frame.Names{File: "f", Next: "f.next", Lock: "lock"}
	if err := frame.Make(d, names, errPresent, titled("ann"), []byte("one"), nil, []byte("two")); err != nil {
		t.Fatal(err)
	}
	if err := frame.Make(d, names, errPresent, titled("ann")); !errors.Is(err, errPresent) {
		t.Errorf("made twice: %v", err)
	}
	var got []string
	read := func(title frame.Title) error {
		f, err := frame.Open(d, names)
		if err != nil {
			t.Fatal(err)
		}
		got = nil
		err = f.ReadOf(title, errDamaged, func(payload []byte) error { got = append(got, string(payload)); return nil })
		return errors.Join(err, f.Close())
	}
	if err := read(titled("ann")); err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("its owner reads %q, %v", got, err)
	}
	for name, other := range map[string]frame.Title{
		"another owner":    titled("bob"),
		"a longer name":    titled("anna"),
		"another mark":     {Kind: owned, Mark: "ours", Owner: []byte("ann")},
		"an owner of none": titled(""),
	} {
		t.Run(name, func(t *testing.T) {
			if err := read(other); !errors.Is(err, errDamaged) || len(got) != 0 {
				t.Errorf("read %q, %v", got, err)
			}
		})
	}
	d.Edit("f", func(data []byte) []byte {
		title := titled("ann").Bytes()
		title[4] = 2
		return frame.Append(nil, title)
	})
	var version *format.Error
	if err := read(titled("ann")); !errors.As(err, &version) || errors.Is(err, errDamaged) {
		t.Errorf("of a later version: %v", err)
	}
}
