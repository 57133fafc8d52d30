package relay

import (
	"reflect"
	"testing"

	"github.com/cowboyinc/cowboy-go/testkit/golden"
)

// The hash of every record this package encodes: one that changes is a change of protocol.
// Spec: WP §2.5; storage-cbfs §2.
func TestGoldenRecords(t *testing.T) {
	var terms Terms
	golden.Fill(&terms)
	list := map[string][]byte{
		"Relay": golden.Fill(&Relay{}).Encode(), "Placement": golden.Fill(&Placement{}).Encode(), "Challenge": golden.Fill(&Challenge{}).Encode(),
		"Clock": golden.Fill(&Clock{}).Encode(),
	}
	for _, key := range Keys() {
		list["Terms "+key] = terms.Encode(key)
	}
	golden.Records(t, list)
}

// Spec: WP §2.5.
func TestRecordsAreReadAsTheyWereWritten(t *testing.T) {
	r, p, c, k := golden.Fill(&Relay{}), golden.Fill(&Placement{}), golden.Fill(&Challenge{}), golden.Fill(&Clock{})
	for name, run := range map[string]func(cut int) (any, any, error){
		"relay":     func(cut int) (any, any, error) { v, err := DecodeRelay(cutOff(r.Encode(), cut)); return r, v, err },
		"placement": func(cut int) (any, any, error) { v, err := DecodePlacement(cutOff(p.Encode(), cut)); return p, v, err },
		"challenge": func(cut int) (any, any, error) { v, err := DecodeChallenge(cutOff(c.Encode(), cut)); return c, v, err },
		"clock":     func(cut int) (any, any, error) { v, err := DecodeClock(cutOff(k.Encode(), cut)); return k, v, err },
	} {
		t.Run(name, func(t *testing.T) {
			want, back, err := run(0)
			if err != nil || !reflect.DeepEqual(back, want) {
				t.Errorf("%+v %v", back, err)
			}
			if _, _, err := run(1); err == nil {
				t.Error("it is read without its last byte")
			}
		})
	}
}

// Governed values are read as they were written, and none is taken from outside its range.
//
// Spec: storage-cbfs §6, §8.
func TestTerms(t *testing.T) {
	good := Genesis()
	for _, key := range Keys() {
		t.Run(key, func(t *testing.T) {
			if err := Check(key, good.Encode(key)); err != nil {
				t.Error(err)
			}
			if err := Check(key, append(good.Encode(key), 0)); err == nil {
				t.Error("a longer one is taken")
			}
		})
	}
	for name, c := range map[string]struct {
		key    string
		change func(t *Terms)
		taken  bool
	}{
		"the whole is shared":    {KeyRent, func(t *Terms) { t.Rent.BurnBPS, t.Rent.PoolBPS = 5_000, 5_000 }, true},
		"more than the whole":    {KeyRent, func(t *Terms) { t.Rent.BurnBPS, t.Rent.PoolBPS = 5_000, 5_001 }, false},
		"a share that overflows": {KeyRent, func(t *Terms) { t.Rent.BurnBPS, t.Rent.PoolBPS = 10_001, 1<<64-1 }, false},
		"no epoch":               {KeyRent, func(t *Terms) { t.Rent.EpochBlocks = 0 }, false},
		"the highest price":      {KeyRent, func(t *Terms) { t.Rent.PerMiB = mostPerMiB }, true},
		"a higher price":         {KeyRent, func(t *Terms) { t.Rent.PerMiB = mostPerMiB + 1 }, false},
		"no window":              {KeyProof, func(t *Terms) { t.Proof.Window = 0 }, false},
		"no interval":            {KeyProof, func(t *Terms) { t.Proof.Interval = 0 }, false},
		"a penalty too high":     {KeyPenalty, func(t *Terms) { t.Penalty.Fraud = mostAmount + 1 }, false},
		"a delay too long":       {KeyStake, func(t *Terms) { t.Stake.UnstakeBlocks = mostBlocks + 1 }, false},
		"a bond too high":        {KeyPolicy, func(t *Terms) { t.Policy.BondPerGiB = mostPerGiB + 1 }, false},
		"a mark of all":          {KeyPolicy, func(t *Terms) { t.Policy.HighWaterBPS = 10_000 }, true},
		"a mark of more":         {KeyPolicy, func(t *Terms) { t.Policy.HighWaterBPS = 10_001 }, false},
		"stale at once":          {KeyPolicy, func(t *Terms) { t.Policy.StaleMs = 0 }, false},
	} {
		t.Run(name, func(t *testing.T) {
			terms := Genesis()
			c.change(&terms)
			if err := Check(c.key, terms.Encode(c.key)); (err == nil) != c.taken {
				t.Error(err)
			}
			back := Genesis()
			if err := back.decode(c.key, terms.Encode(c.key)); err != nil || back != terms {
				t.Errorf("%+v %v", back, err)
			}
		})
	}
}

func cutOff(raw []byte, n int) []byte { return raw[:len(raw)-n] }
