package daemon

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/chain/stake"
)

const (
	// clockLate is how long after their time the blocks of most validators come before this machine's clock is thought to be ahead. Blocks take a while to be
	// made, sent and executed.
	clockLate = 2 * time.Second
	// clockFresh is for how long a proposal tells of a clock.
	clockFresh = 10 * time.Minute
)

// clocks is what proposals tell of the clocks of a network.
type clocks struct {
	own    time.Duration // this machine's clock is ahead of those of most validators; below 0: behind; 0: it agrees
	agree  int           // validators that say so
	others int           // validators whose proposals were looked at
	off    []string      // else: validators whose clocks are ahead of this one's, and how far
}

// compared says whose clock is off. Where the blocks of most other validators are ahead of their time here, or come long after it, it is this machine's; a
// validator whose blocks alone are ahead is named. Two cannot tell which of them it is.
func compared(at replica.Status, set *stake.Set, now time.Time) (c clocks) {
	if at.Round.Epoch != set.Epoch || at.Validators != len(set.Members) {
		return c // agreement is in another epoch, whose ranks are others
	}
	var early, late []time.Duration
	for _, k := range at.Clocks {
		if now.Sub(k.At) > clockFresh || int(k.Rank) >= len(set.Members) {
			continue
		}
		c.others++
		switch {
		case k.Ahead > replica.ClockDrift:
			early = append(early, k.Ahead)
			c.off = append(c.off, fmt.Sprintf("validator %s by %s", set.Members[k.Rank].Address, k.Ahead.Round(100*time.Millisecond)))
		case k.Ahead < -clockLate:
			late = append(late, k.Ahead)
		}
	}
	for _, agree := range [][]time.Duration{early, late} {
		if len(agree) > 1 && 2*len(agree) > c.others {
			slices.Sort(agree)
			c.own, c.agree, c.off = -agree[len(agree)/2], len(agree), nil
		}
	}
	return c
}

func (c *clocks) warnings() []warning {
	said := fmt.Sprintf("by the blocks of %d of %d other validators", c.agree, c.others)
	switch {
	case c.own < 0:
		return []warning{{"clock", fmt.Sprintf("this machine's clock is %s behind, %s", (-c.own).Round(100*time.Millisecond), said),
			"set it by NTP (`chronyc tracking`, `timedatectl`): blocks ahead of it wait, so that votes for them come late or not at all"}}
	case c.own > 0:
		return []warning{{"clock", fmt.Sprintf("this machine's clock is up to %s ahead, %s", c.own.Round(100*time.Millisecond), said),
			"set it by NTP (`chronyc tracking`, `timedatectl`): others let its proposals wait; if it is right, blocks take that long to come here"}}
	case len(c.off) > 0:
		text := "a clock is ahead of this machine's: " + strings.Join(c.off[:min(len(c.off), namesMost)], ", ")
		return []warning{{"clock", text,
			"tell its operator: validators whose clocks are right let its proposals wait; where there are two validators, look at both clocks"}}
	}
	return nil
}
