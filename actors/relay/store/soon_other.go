//go:build !linux

package store

import "os"

// writeSoon does nothing where the system knows no such hint.
func writeSoon(*os.File) {}
