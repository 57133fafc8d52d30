//go:build examplechapter

package system

import (
	"github.com/cowboyinc/cowboy-go/runtime/chapter"
	"github.com/cowboyinc/cowboy-go/runtime/system/example"
)

func extra() []*chapter.Chapter { return []*chapter.Chapter{example.New()} }
