//go:build !linux

package direct

import (
	"os"
	"syscall"
)

// Memory gives memory.
func Memory(size int) []byte { return make([]byte, size) }

// IsAligned reports that a part may lie anywhere.
func IsAligned([]byte) bool { return true }

// Create makes nothing.
func Create(string) (*os.File, error) { return nil, syscall.EINVAL }

// Write writes nothing.
func Write(*os.File, [][]byte) error { return syscall.EINVAL }

// Read reads nothing.
func Read(*os.File, []byte, int) ([]byte, error) { return nil, syscall.EINVAL }

func allocate(*os.File, int64) error { return nil }

func again(*os.File) (*os.File, error) { return nil, syscall.EINVAL }
