package main

import "testing"

func TestBox(t *testing.T) {
	if !onlyTests() {
		t.Error("not full")
	}
}

func unused() bool { return true }
