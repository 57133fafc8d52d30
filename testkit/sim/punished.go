package sim

import (
	"slices"
	"time"

	"github.com/cowboyinc/cowboy-go/chain/sig"
	"github.com/cowboyinc/cowboy-go/chain/stake"
	"github.com/cowboyinc/cowboy-go/testkit/faulty"
)

// ProposerPlanOf draws a network in which up to f validators propose blocks that are invalid in one way each. The kinds take turns: as many seeds in a
// row as there are kinds have each of them; where there are two, the second one now and then accuses everybody instead. Signatures are real, so that
// evidence convicts on chain.
func ProposerPlanOf(seed uint64) Plan {
	p := PlanOf(seed)
	p.Real, p.Clients, p.Chaos = true, clientsMax, 3*time.Second
	p.Faulty = map[uint32]string{}
	kinds := faulty.Invalid()
	for i := range sig.Faulty(p.Validators) {
		p.Faulty[uint32((seed+3*uint64(i))%uint64(p.Validators))] = kinds[(seed+7*uint64(i))%uint64(len(kinds))]
	}
	if seed%3 == 0 && len(p.Faulty) > 1 {
		p.Faulty[uint32((seed+3)%uint64(p.Validators))] = faulty.Slanderer
	}
	return p
}

const (
	// trial is how long after it made progress again a network is watched for invalid proposals.
	trial = 60 * time.Second
	// patience is how long after its first offence in a network that is well an offender may go unpunished: views until enough have seen it, and the turns in
	// which members bring evidence.
	patience = 20 * time.Second
)

// offence is what an offender had done when the network healed, and when it first did more.
type offence struct {
	before int
	first  time.Duration // zero: it has not
}

// try holds that who proposes what is invalid is punished: jailed where signatures are real, convicted by evidence that holds where they are not.
// Spec: WP "Slashing" (invalid proposal); governance-staking A3.
func (w *World) try() {
	offenders := w.offenders()
	if len(offenders) == 0 || len(w.chain.Wrong) > 0 {
		return
	}
	for _, m := range offenders {
		w.offences[m] = offence{before: m.conduct.(faulty.Offender).Offences()}
	}
	w.RunUntil(w.since()+trial, func() bool {
		done := true
		for _, m := range offenders {
			d := w.offences[m]
			if d.first == 0 && m.conduct.(faulty.Offender).Offences() > d.before {
				d.first = w.since()
				w.offences[m] = d
			}
			done = done && w.punished(m)
		}
		return done
	})
	for _, m := range offenders {
		if d := w.offences[m]; d.first > 0 && w.since() > d.first+patience && !w.punished(m) {
			w.violation("%s (%s) goes unpunished for a proposal of t=%v", m.name, m.kind, d.first)
		}
	}
}

// offenders are the machines whose proposals are invalid.
func (w *World) offenders() (list []*machine) {
	for _, m := range w.machines {
		if _, ok := m.conduct.(faulty.Offender); ok {
			list = append(list, m)
		}
	}
	return list
}

func (w *World) punished(m *machine) bool {
	if w.plan.Real {
		return w.jailings(m) > 0
	}
	return w.guilty[m]
}

// jailings is how often a machine's validator was jailed.
func (w *World) jailings(m *machine) uint64 {
	v, ok, err := stake.Load(w.chain.State(), m.keys.Account.Address())
	if err != nil {
		panic(err)
	}
	if !ok {
		return 0
	}
	return uint64(v.Jailings)
}

// acquit holds that nobody honest was ever jailed.
func (w *World) acquit() {
	for _, m := range w.machines {
		if m.keys != nil && m.honest() && w.jailings(m) > 0 {
			w.violation("honest %s was jailed", m.name)
		}
	}
}

// convicted lists the kinds of offenders that were punished.
func (w *World) convicted() (kinds []string) {
	for _, m := range w.offenders() {
		if w.punished(m) {
			kinds = append(kinds, m.kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}
