package sim

import "testing"

// TestRecordedRuns shows that a run is what its record says: with every fault named, and with every choice named, the trace is the same.
//
// Spec: commonware §7 (determinism).
func TestRecordedRuns(t *testing.T) {
	for seed := uint64(1); seed <= 12; seed++ {
		p := PlanOf(seed)
		if seed%3 == 0 {
			p.Schedule = Schedule{Order: PCT, Depth: 3, Steps: 1_000}
		}
		drawn, err := Run(p)
		if err != nil {
			t.Fatal(err)
		}
		for name, again := range map[string]Plan{"explicit": drawn.Explicit(), "recorded": drawn.Recorded()} {
			t.Run(name, func(t *testing.T) {
				r, err := Run(again)
				if err != nil {
					t.Fatal(err)
				}
				if r.Trace != drawn.Trace || r.Blocks != drawn.Blocks || len(r.Faults) != len(drawn.Faults) {
					t.Errorf("seed %d, %s: trace %016x, was %016x; %d faults, were %d", seed, name, r.Trace, drawn.Trace, len(r.Faults), len(drawn.Faults))
				}
			})
		}
	}
}
