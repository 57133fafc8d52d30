package params

import (
	"fmt"

	"github.com/cowboyinc/cowboy-go/chain/account"
	"github.com/cowboyinc/cowboy-go/chain/codec"
	"github.com/cowboyinc/cowboy-go/chain/state"
	"github.com/cowboyinc/cowboy-go/chain/unit"
)

// KeySchedule is where a network that goes on to later versions of the protocol says
// from which heights on, a record of 0x09. It is written at genesis: governance does
// not reach it.
const KeySchedule = "protocol:schedule"

// MaxActivations bounds a schedule.
const MaxActivations = 256

// Activation is the height a version of the protocol begins at.
type Activation struct {
	Version uint32      `json:"version"`
	Height  unit.Height `json:"height"`
}

// Schedule says when versions of the protocol begin, ascending by version and by
// height. What no activation has reached is version 1; the empty schedule is
// version 1 for ever.
type Schedule []Activation

// At is the version in force at a height.
func (s Schedule) At(h unit.Height) uint32 {
	version := uint32(ProtocolVersion)
	for _, a := range s {
		if h >= a.Height {
			version = a.Version
		}
	}
	return version
}

// Validate requires versions above 1 and heights that both ascend. Two may not begin
// at one height.
func (s Schedule) Validate() error {
	last := Activation{Version: ProtocolVersion}
	for i, a := range s {
		if i >= MaxActivations || a.Version <= last.Version || i > 0 && a.Height <= last.Height {
			return fmt.Errorf("%w: schedule.%d", ErrInvalid, i)
		}
		last = a
	}
	return nil
}

func scheduleKey() []byte {
	return account.KeyString(account.KindRecord, account.System(account.Governance), KeySchedule)
}

// Save stores the schedule at genesis. An empty one is not stored.
func (s Schedule) Save(to state.Store) {
	if len(s) == 0 {
		return
	}
	b := codec.AppendLen(nil, len(s))
	for _, a := range s {
		b = codec.AppendUint(codec.AppendUint(b, uint64(a.Version)), uint64(a.Height))
	}
	to.Set(scheduleKey(), b)
}

// LoadSchedule reads the schedule of a state. An error wraps ErrInvalid, or is the
// source's.
func LoadSchedule(from state.Reader) (Schedule, error) {
	raw, ok, err := from.Lookup(scheduleKey())
	if err != nil || !ok {
		return nil, err
	}
	r := codec.NewReader(raw)
	s := make(Schedule, r.Len(1, MaxActivations, 2))
	for i := range s {
		s[i] = Activation{r.Uint32(), unit.Height(r.Uint())}
	}
	if err := r.Finish(); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, KeySchedule, err)
	}
	return s, s.Validate()
}
