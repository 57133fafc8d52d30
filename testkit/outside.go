package testkit

import (
	"fmt"
	"testing"
)

// Refusal is what a chain outside of go test panics with when it cannot do what it is asked.
type Refusal struct{ Text string }

// Outside is a testing.TB for chains outside of go test: what would end a test panics with a Refusal.
type Outside struct{ testing.TB }

// Helper does nothing.
func (Outside) Helper() {}

// Fatal panics with a Refusal.
func (Outside) Fatal(args ...any) { panic(Refusal{fmt.Sprint(args...)}) }

// Fatalf panics with a Refusal.
func (Outside) Fatalf(f string, args ...any) { panic(Refusal{fmt.Sprintf(f, args...)}) }

// Errorf panics with a Refusal.
func (Outside) Errorf(f string, args ...any) { panic(Refusal{fmt.Sprintf(f, args...)}) }
