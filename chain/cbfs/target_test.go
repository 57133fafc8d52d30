package cbfs

import (
	"errors"
	"strings"
	"testing"
)

// A link leads to no more than a path has, which is as much as is read of it.
//
// Spec: storage-cbfs §2.1 (512 bytes), §2.4.
func TestTargets(t *testing.T) {
	for name, c := range map[string]struct {
		size int
		want error
	}{"none": {0, nil}, "the longest": {MaxPathBytes, nil}, "a longer one": {MaxPathBytes + 1, ErrManifest}} {
		t.Run(name, func(t *testing.T) {
			e := Entry{Path: "z", Kind: Symlink, Target: strings.Repeat("t", c.size)}
			if err := e.Check(); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if _, err := ManifestRoot([]Entry{e}); !errors.Is(err, c.want) {
				t.Errorf("in a manifest: %v, want %v", err, c.want)
			}
			if _, err := DecodeEntry(e.Encode()); (err == nil) != (c.want == nil) {
				t.Errorf("read again: %v", err)
			}
		})
	}
}
