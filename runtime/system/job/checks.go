package job

import (
	"github.com/cowboyinc/cowboy-go/chain/cbor"
)

// protocol gives a verification of the SDK's builder in the words of the protocol: what an attempt has of time is the job's. The checkers are read by package
// job, as those of commands are.
//
// Spec: sdk §9.3, §9.4; runner-marketplace §2.3.
func protocol(given cbor.Map) cbor.Map {
	var m cbor.Map
	for _, p := range given {
		if p.Key != "timeout_blocks" {
			m = append(m, p)
		}
	}
	return m
}
