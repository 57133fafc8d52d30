package sim

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

const everyFault = `plan 2
seed 18446744073709551615
validators 4
observers 1
clients 2
interval 250ms
timeouts 1000 1500 1500 6000 400
settle 25
leave 40
latency 3ms 80ms
chaos 6s
end 9.5s
real
heavy 12
faulty 0 twin
faulty 2 equivocator
chance loss 0.0625
chance copies 0.5
chance panics 0.001
chance skew 80ms
chance split 1.5s
chance crash 2s
chance power yes
chance full yes
chance fail yes
order steady
switch node-0 core/ledger 7 to core/executor
pause node-0 core/ledger 7 for 350µs
switch node-0 intake/verifier 1 to core/ledger
switch twin-0 core/replica 12 to core/ledger
crash node-2 at 1.234s for 800ms
power node-2 at 1.234s for 800ms keep 77
power node-2 op 33 for 800ms keep 77
tear node-2 journal byte 10241 for 800ms
fail node-2 chain write 9
fail node-2 chain sync 17
fail node-2 chain at 2.1s
full node-2 journal at 2.1s
full node-2 journal byte 12345
panic node-2 core/replica command 57
drop node-1 node-3 frame 88
delay node-1 node-3 frame 88 for 900ms
copy node-1 node-3 frame 88 for 20ms
cut node-0>node-1 node-1>node-0 at 1s for 1.5s
skew node-2 at 0s for -80ms
`

// Everything a plan can say is read back as it was written.
func TestPlanText(t *testing.T) {
	p, err := ParsePlan(strings.NewReader(everyFault))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(p.Text()); got != everyFault {
		t.Errorf("written back:\n%s", got)
	}
	if len(p.Faults) != 15 || p.Faults[13].Links[1] != (Direction{"node-1", "node-0"}) || p.Faults[3].N != 10241 || p.Faults[14].For != -80*time.Millisecond {
		t.Errorf("faults %v", p.Faults)
	}
	if s := p.Schedule.Switches["node-0"]; len(s) != 3 || s[1] != (Switch{"core/ledger", 7, "", 350 * time.Microsecond}) {
		t.Errorf("switches %v", s)
	}
	for seed := uint64(1); seed < 200; seed++ {
		drawn := PlanOf(seed)
		again, err := ParsePlan(bytes.NewReader(drawn.Text()))
		if err != nil || !reflect.DeepEqual(again, drawn) {
			t.Fatalf("seed %d: %v\n%+v\n%+v", seed, err, drawn, again)
		}
	}
}

// Many switches are packed.
func TestPackedSwitches(t *testing.T) {
	var list []Switch
	for i := uint64(1); i < 400; i++ {
		s := Switch{Front: fmt.Sprint("front", i%7), N: i * i, Run: fmt.Sprint("run", i%5)}
		if i%11 == 0 {
			s.Run, s.Pause = "", time.Duration(i)*time.Microsecond
		}
		list = append(list, s)
	}
	p := Plan{Validators: 1, Faulty: map[uint32]string{}, Schedule: Schedule{Order: Steady, Switches: map[string][]Switch{"node-0": list}}}
	again, err := ParsePlan(bytes.NewReader(p.Text()))
	if err != nil || !reflect.DeepEqual(again, p) {
		t.Errorf("%v: %v", err, again)
	}
	t.Logf("%d bytes for %d switches", len(p.Text()), len(list))
}

// What is no plan is refused with the line.
func TestParsePlanRefuses(t *testing.T) {
	head := "plan 2\nvalidators 4\n"
	for text, find := range map[string]string{
		"":                                         "names no validators",
		"seed 1":                                   "line 1: it starts with",
		"plan 1\n":                                 "line 1: it starts with",
		"plan 2\nseed 1\n":                         "names no validators",
		head + "validators 0":                      "not between 1 and",
		head + "validators 100000":                 "not between 1 and",
		head + "seed":                              "line 3: seed takes 1",
		head + "seed -1":                           "invalid syntax",
		head + "latency 3ms":                       "latency takes 2",
		head + "interval -3ms":                     "negative",
		head + "timeouts 1 2 3 4 x":                "invalid syntax",
		head + "faulty 1 saint":                    "saint",
		head + "faulty 5 silent":                   "validator 5 of 4",
		head + "chance loss 2":                     "no chance",
		head + "chance loss NaN":                   "no chance",
		head + "chance luck 0.1":                   "luck",
		head + "chance power no":                   "not yes",
		head + "order random":                      "unknown order",
		head + "order pct depth 0 steps 9":         "not between",
		head + "switch node-1 a 1 to":              "takes a machine",
		head + "pause node-1 a 1 to b":             "takes a machine",
		head + "switch node-1 a x to b":            "invalid syntax",
		head + "pause node-1 a 1 for 0s":           "pause of nothing",
		head + "packed node-1 a":                   "takes 3",
		head + "packed node-1 a,,b AAAA":           "without a name",
		head + "packed node-1 a ?":                 "illegal base64",
		head + "packed node-1 a AA":                "end within a number",
		head + "packed node-1 a AQIA":              "subsystem 1 of 1",
		head + "quake node-1 at 3s":                `unknown word "quake"`,
		head + "crash":                             "a name is missing",
		head + "crash node-1":                      "does not say when",
		head + "crash node-1 at 3s for":            `unexpected "for"`,
		head + "crash node-1 at soon":              "invalid duration",
		head + "crash node-1 at 1s at 2s":          `unexpected "at"`,
		head + "panic node-1 core/ledger at 3s":    `unexpected "at"`,
		head + "tear node-1 chain sync 4":          `unexpected "sync"`,
		head + "drop node-1 node-2 frame 3 for 4s": `unexpected "for"`,
	} {
		t.Run(text, func(t *testing.T) {
			_, err := ParsePlan(strings.NewReader(text))
			if !errors.Is(err, ErrPlan) || !strings.Contains(err.Error(), find) {
				t.Errorf("%q: %v", text, err)
			}
		})
	}
}

// FuzzParsePlan: whatever is accepted is written in one way only.
func FuzzParsePlan(f *testing.F) {
	f.Add([]byte(everyFault))
	f.Add([]byte("plan 2\nvalidators 1\norder pct depth 3 steps 100\npacked node-0 a,b AAIBAAIB"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ParsePlan(bytes.NewReader(data))
		if err != nil {
			return
		}
		text := p.Text()
		again, err := ParsePlan(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !bytes.Equal(again.Text(), text) {
			t.Errorf("\n%s\n%s", text, again.Text())
		}
	})
}
