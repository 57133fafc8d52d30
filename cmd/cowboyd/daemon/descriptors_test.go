package daemon

import (
	"errors"
	"fmt"
	"testing"
)

// TestConnectionLimits: the core's descriptors come first, the rest is for clients. With 128 of them: 48 for the core, 16 for segments yet to come, 16 for the
// operator, and 48 remain.
func TestConnectionLimits(t *testing.T) {
	for i, x := range []struct {
		limit, segments uint64
		most, each      int
	}{
		{128, 0, 48, 12}, {128, 40, 8, 2}, {1_024, 10, 1_024 - 48 - 10 - 128 - 16, 205}, {1 << 20, 10, 8_192, 2_048}, {1 << 63, 1, 8_192, 2_048},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			clients, operators, err := connectionLimits(x.limit, x.segments)
			if err != nil || clients.Most != x.most || clients.Each != x.each || operators.Most != 16 || operators.Each != 0 {
				t.Errorf("of %d with %d segments: %+v, %+v, %v", x.limit, x.segments, clients, operators, err)
			}
		})
	}
	var few *tooFewError
	if _, _, err := connectionLimits(128, 41); !errors.As(err, &few) || few.have != 128 || few.want != 129 {
		t.Errorf("one too few: %v", err)
	}
}

// TestRelayShare: all relays together take an eighth of the descriptors and may dial as many: of 1,024 six relays have 128/6 = 21 each, of 65,536 no more than
// 128 each, and with less than eight for one the node says how many it needs.
func TestRelayShare(t *testing.T) {
	for i, x := range []struct {
		limit       uint64
		count, each int
	}{{64, 0, 0}, {64, 1, 8}, {1_024, 6, 21}, {384, 6, 8}, {65_536, 24, 128}, {1 << 63, 24, 128}} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if each, err := relayShare(x.limit, x.count); err != nil || each != x.each {
				t.Errorf("of %d for %d relays: %d, %v", x.limit, x.count, each, err)
			}
		})
	}
	var few *tooFewError
	if _, err := relayShare(383, 6); !errors.As(err, &few) || few.have != 383 || few.want != 384 {
		t.Errorf("one too few: %v", err)
	}
}
