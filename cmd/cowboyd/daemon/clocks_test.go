package daemon

import (
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

// Whose clock is off: this machine's, where most of the others agree; a validator's, which is named, where its blocks alone are ahead; nobody's within half a
// second ahead and two behind. What was heard more than ten minutes ago, or in another epoch, tells nothing.
func TestClocksName(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	set := &stake.Set{Epoch: 3}
	for i := range byte(5) {
		set.Members = append(set.Members, stake.Member{Address: account.System(10 + i)})
	}
	named := func(rank int) string { return "validator " + set.Members[rank].Address.String() }
	const ms = time.Millisecond
	for name, c := range map[string]struct {
		ahead map[uint32]time.Duration
		age   time.Duration
		epoch uint64
		text  string // of the one warning; empty: there is none
		do    string
	}{
		"all agree": {map[uint32]time.Duration{0: -40 * ms, 1: 500 * ms, 3: -2 * time.Second, 4: 0}, 0, 3, "", ""},
		"behind": {
			map[uint32]time.Duration{0: time.Hour, 1: 59 * time.Minute, 3: time.Hour, 4: 0}, 0, 3,
			"this machine's clock is 1h0m0s behind, by the blocks of 3 of 4 other validators", "NTP",
		},
		"a little behind": {
			map[uint32]time.Duration{0: 501 * ms, 1: 600 * ms, 3: 700 * ms}, 0, 3,
			"this machine's clock is 600ms behind, by the blocks of 3 of 3", "wait",
		},
		"ahead": {
			map[uint32]time.Duration{0: -time.Hour, 1: -time.Hour, 3: -2*time.Second - 1}, 0, 3,
			"this machine's clock is up to 1h0m0s ahead, by the blocks of 3 of 3", "if it is right",
		},
		"one other": {
			map[uint32]time.Duration{0: -40 * ms, 1: time.Hour, 3: -50 * ms}, 0, 3,
			"a clock is ahead of this machine's: " + named(1) + " by 1h0m0s", "tell its operator",
		},
		"half of the others": {
			map[uint32]time.Duration{0: time.Minute, 1: time.Hour, 3: 0, 4: 0}, 0, 3,
			named(0) + " by 1m0s, " + named(1) + " by 1h0m0s", "tell",
		},
		"two of two is most":   {map[uint32]time.Duration{0: time.Minute, 1: time.Minute}, 0, 3, "1m0s behind, by the blocks of 2 of 2", "NTP"},
		"the only other":       {map[uint32]time.Duration{1: time.Hour}, 0, 3, named(1) + " by 1h0m0s", "look at both clocks"},
		"slow blocks of one":   {map[uint32]time.Duration{0: -time.Minute, 1: 0, 3: 0}, 0, 3, "", ""},
		"heard long ago":       {map[uint32]time.Duration{0: time.Hour, 1: time.Hour}, 10*time.Minute + 1, 3, "", ""},
		"of another epoch":     {map[uint32]time.Duration{0: time.Hour, 1: time.Hour}, 0, 2, "", ""},
		"nobody proposed yet":  {nil, 0, 3, "", ""},
		"of a rank that is no": {map[uint32]time.Duration{9: time.Hour}, 0, 3, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			at := replica.Status{Validators: 5, Rank: 2}
			at.Round.Epoch = c.epoch
			for rank := range uint32(10) {
				if ahead, ok := c.ahead[rank]; ok {
					at.Clocks = append(at.Clocks, replica.Clock{Rank: rank, Ahead: ahead, At: now.Add(-c.age)})
				}
			}
			r := sound()
			r.clocks = compared(at, set, now)
			list := r.warnings()
			if c.text == "" {
				if len(list) != 0 {
					t.Errorf("%+v", list)
				}
				return
			}
			if len(list) != 1 || list[0].kind != "clock" || !strings.Contains(list[0].do, c.do) || over[list[0].kind] == "" {
				t.Fatalf("%+v", list)
			}
			if !strings.Contains(list[0].text, c.text) {
				t.Errorf("%q, want %q", list[0].text, c.text)
			}
		})
	}
}
