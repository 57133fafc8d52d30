package shares

import "github.com/cowboyinc/cowboy-go/actors/format"

// Format is that of all files of a Store.
var Format = sharesFormat()

func sharesFormat() *format.Kind {
	k := &format.Kind{Name: "shares", Files: []string{"shares/" + shareName + "*", "shares/" + dealsName + "*", "shares/" + chargesName}, Now: 1}
	k.Read = k.Unmarked
	return k
}
