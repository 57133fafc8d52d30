package daemon

import (
	"strings"
	"testing"
	"time"

	"github.com/cowboyinc/cowboy-go/actors/attendant"
	"github.com/cowboyinc/cowboy-go/actors/catchup"
	"github.com/cowboyinc/cowboy-go/actors/replica"
	"github.com/cowboyinc/cowboy-go/actors/rpc/wire"
	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/simplex"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// sound is the outlook of a validator of five with which nothing is wrong.
func sound() outlook {
	return outlook{
		agreement:  replica.Status{Validators: 5, Rank: 2, Known: 4},
		height:     2_000,
		registered: true, address: account.System(9), member: true, validator: stake.Validator{Status: stake.Active},
		turnout: stake.Turnout{Missed: 250, Counted: 1_000, Lately: 32, Recent: 64, Last: 1_999},
		paid:    true, balance: 5 * unit.CBY,
	}
}

// TestWarningsNameWhatIsWrong: each trouble of a validator is told with its name and what helps, one unit beyond where all is well.
func TestWarningsNameWhatIsWrong(t *testing.T) {
	if r := sound(); len(r.warnings()) != 0 {
		t.Fatalf("nothing is wrong: %v", r.warnings())
	}
	away := account.System(3).String()
	for _, c := range []struct {
		kind, text, do string
		change         func(*outlook)
	}{
		{"jailed", "is jailed until block 2001, now 2000; it was jailed 2 times", "cowboy validator unjail", func(r *outlook) {
			r.validator = stake.Validator{Status: stake.Jailed, JailedUntil: 2_001, Jailings: 2}
		}},
		{"jailed", "its jail period is over since block 2000", "cowboy validator unjail", func(r *outlook) {
			r.validator = stake.Validator{Status: stake.Jailed, JailedUntil: 2_000, Jailings: 1}
		}},
		{"missed", "missed 251 of 1000 votes; beyond 500 it is jailed", "cowboyd peers", func(r *outlook) { r.turnout.Missed = 251 }},
		{"missed", "missed 33 of the last 64 votes", "cowboyd peers", func(r *outlook) { r.turnout.Lately = 33 }},
		{"missed", "missed 9 of the last 16 votes", "cowboyd peers", func(r *outlook) { r.turnout.Lately, r.turnout.Recent = 9, 16 }},
		{"reach", "not connected to 1 of the 4 other validators: " + away, "p2p.peers", func(r *outlook) {
			r.agreement.Known, r.short, r.away = 3, 30*time.Second, []string{away}
		}},
		{"unpaid", "cannot pay for its part in the key ceremony or for evidence: its account has 0.5 CBY", "send coins", func(r *outlook) {
			r.duties, r.balance = attendant.Status{Unpaid: true}, unit.CBY/2
		}},
		{"mute", "can post no dealer log", "restore", func(r *outlook) { r.duties = attendant.Status{Mute: true, Dealer: true} }},
	} {
		t.Run(c.text, func(t *testing.T) {
			r := sound()
			c.change(&r)
			list := r.warnings()
			if len(list) != 1 || list[0].kind != c.kind || !strings.Contains(list[0].text, c.text) || !strings.Contains(list[0].do, c.do) {
				t.Fatalf("%+v", list)
			}
			if c.kind != "reach" && !strings.Contains(list[0].text, r.address.String()) {
				t.Errorf("%q does not name the validator", list[0].text)
			}
			if over[c.kind] == "" {
				t.Errorf("nothing is said when %s is over", c.kind)
			}
		})
	}
	for name, change := range map[string]func(*outlook){
		"a moment without a peer": func(r *outlook) { r.agreement.Known, r.short = 3, 30*time.Second-1 },
		"few votes are counted":   func(r *outlook) { r.turnout.Lately, r.turnout.Recent = 15, 15 },
		"a node that follows": func(r *outlook) {
			*r = outlook{agreement: replica.Status{Validators: 5, Rank: simplex.Observer}, short: time.Hour}
		},
		"jailed, so it is not told to vote": func(r *outlook) { r.validator.Status, r.turnout.Missed = stake.Unbonding, 600 },
	} {
		t.Run(name, func(t *testing.T) {
			r := sound()
			if change(&r); len(r.warnings()) != 0 {
				t.Error(r.warnings())
			}
		})
	}
}

// TestDoubtsTellWhyBlocksDoNotCome: no quorum is told where fewer than 2f+1 of n are here and the newest block is old, catching up where others claim more.
func TestDoubtsTellWhyBlocksDoNotCome(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(*outlook)
		want   string
	}{
		{"all here", func(*outlook) {}, ""},
		{"four of five are a quorum", func(r *outlook) { r.agreement.Known, r.age = 3, time.Hour }, ""},
		{"three of five are none", func(r *outlook) { r.agreement.Known, r.age, r.away = 2, time.Hour, []string{"0xaa", "0xbb"} },
			"no quorum: 3 of 5 validators are here, and 4 are needed; away: 0xaa, 0xbb"},
		{"a node that follows counts not", func(r *outlook) { r.agreement.Known, r.agreement.Rank, r.age = 3, simplex.Observer, time.Hour },
			"no quorum: 3 of 5 validators are here, and 4 are needed"},
		{"blocks come", func(r *outlook) { r.agreement.Known, r.age = 2, 10*time.Second }, ""},
		{"alone", func(r *outlook) { r.agreement, r.age = replica.Status{Validators: 1}, time.Hour }, ""},
		{"three behind", func(r *outlook) { r.sync, r.age = catchup.Status{Target: 2_003}, time.Minute }, ""},
		{"four behind", func(r *outlook) { r.sync, r.age = catchup.Status{Target: 2_004}, time.Minute }, "catching up: block 2000 of 2004"},
		{"somebody claims much, and blocks come", func(r *outlook) { r.sync, r.age = catchup.Status{Target: 1 << 40}, 10*time.Second }, ""},
		{"with a rate", func(r *outlook) { r.sync, r.rate, r.age = catchup.Status{Target: 2_100}, 2.5, time.Minute },
			"catching up: block 2000 of 2100, 2.5 blocks a second, about 40s left"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := sound()
			c.change(&r)
			got := strings.Join(r.doubts(time.Second), "|")
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			if told := explained(wire.Ready{Reason: r.doubts(time.Second)}); told != (c.want != "") {
				t.Error("the doctor takes it for a wrong clock")
			}
		})
	}
}

// TestPace: the rate is taken over five seconds at least.
func TestPace(t *testing.T) {
	var p pace
	begin := time.Unix(1_700_000_000, 0)
	for _, c := range []struct {
		height unit.Height
		after  time.Duration
		want   float64
	}{{100, 0, 0}, {140, 4 * time.Second, 0}, {150, 5 * time.Second, 10}, {151, 6 * time.Second, 10}, {150, 10 * time.Second, 0}} {
		t.Run(c.after.String(), func(t *testing.T) {
			if got := p.at(c.height, begin.Add(c.after)); got != c.want {
				t.Errorf("%v blocks a second, want %v", got, c.want)
			}
		})
	}
}
