package sdk_test

import (
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
	"github.com/cowboyinc/cowboy-go/testkit/scenario"
)

// The programs authors have published, each as a story that drives every handler. The specification counts 42 of them by what they use and does
// not print them; a program here is one of those kinds, written anew from its description: a class alone, a class with functions that forward,
// functions, one main, a bare class. Where a description is pseudo-code or of another machine it is translated by these rules: an elided address
// (0x1111...) is given to init; an elided method (self.execute_buy) becomes the least method of that name with an underscore in front;
// runner.process, which nobody declares, is runner.llm; import random and import time are cowboy_sdk.pvm_random and cowboy_sdk.pvm_time;
// pvm_sdk is cowboy_sdk; the encoding "ascii" is "utf-8", the only one there is; Actor, msg.sender, require, address and u256 of the token listings
// are @actor, runtime.get_sender(), raise, bytes and int. The programs the seeds print are TestTradingBots'.
//
// Spec: sdk §23, §26 (every listing loads and runs), §3.1, §7, §9, §10, §11.
func TestListings(t *testing.T) {
	golden.Each(t, "testdata/listings/*.txtar", func(t *testing.T, path string) {
		r, err := scenario.RunFile(path, scenario.Options{Update: golden.Rewrite()})
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range r.Differences {
			t.Error(d)
		}
	})
}
