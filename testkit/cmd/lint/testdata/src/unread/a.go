// Package unread has calls whose errors nobody reads.
package unread

import (
	"fmt"
	"os"
)

func calls(f *os.File, ended chan error) {
	defer f.Close()
	defer os.RemoveAll("folder")
	fmt.Fprintln(os.Stdout, "text")
	<-ended
	_ = f.Close()
	f.Close()            // want "unchecked error"
	defer f.Sync()       // want "unchecked error"
	os.RemoveAll("file") // want "unchecked error"
}

var _ = calls
