//go:build !examplechapter && !nextedition

package system

import "github.com/cowboyinc/cowboy-go/runtime/chapter"

// extra is where a build with the tag examplechapter adds its chapter.
func extra() []*chapter.Chapter { return nil }
