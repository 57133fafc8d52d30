package sim

import (
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// packedFrom is the number of switches of a machine from which on they are written packed.
const packedFrom = 24

// text gives a switch as a line of a plan.
func (s Switch) text(machine string) string {
	if s.Run == "" {
		return fmt.Sprintf("pause %s %s %d for %v", machine, s.Front, s.N, s.Pause)
	}
	return fmt.Sprintf("switch %s %s %d to %s", machine, s.Front, s.N, s.Run)
}

// readSwitch takes a line that text gave.
func (s *Schedule) readSwitch(words []string) (err error) {
	if len(words) != 6 || words[4] != map[string]string{"switch": "to", "pause": "for"}[words[0]] {
		return fmt.Errorf("%s takes a machine, a subsystem, a number, and what happens", words[0])
	}
	x := Switch{Front: words[2]}
	if x.N, err = strconv.ParseUint(words[3], 10, 64); err != nil {
		return err
	}
	if words[0] == "switch" {
		x.Run = words[5]
	} else if x.Pause, err = readSpan(words[5]); err == nil && x.Pause == 0 {
		err = errors.New("a pause of nothing")
	}
	s.add(words[1], x)
	return err
}

func (s *Schedule) add(machine string, list ...Switch) {
	if s.Switches == nil {
		s.Switches = map[string][]Switch{}
	}
	s.Switches[machine] = append(s.Switches[machine], list...)
}

// packSwitches gives the subsystems' names and, for each switch, three small numbers: whose turn it would be, at which message after the last one
// with a switch, and who goes first, or twice that many names plus the pause.
func packSwitches(list []Switch) string {
	var names []string
	index := map[string]uint64{}
	number := func(name string) uint64 {
		i, known := index[name]
		if !known {
			i = uint64(len(names))
			index[name], names = i, append(names, name)
		}
		return i
	}
	for _, s := range list {
		number(s.Front)
		if s.Run != "" {
			number(s.Run)
		}
	}
	var data []byte
	last := map[string]uint64{}
	for _, s := range list {
		data = binary.AppendUvarint(data, number(s.Front))
		data = binary.AppendVarint(data, int64(s.N-last[s.Front]))
		last[s.Front] = s.N
		if s.Run == "" {
			data = binary.AppendUvarint(data, uint64(len(names)))
			data = binary.AppendUvarint(data, uint64(s.Pause))
		} else {
			data = binary.AppendUvarint(data, number(s.Run))
		}
	}
	return strings.Join(names, ",") + " " + base64.RawStdEncoding.EncodeToString(data)
}

// unpackSwitches reads what packSwitches gave.
func unpackSwitches(names []string, text string) (list []Switch, err error) {
	data, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil {
		return nil, err
	}
	short := errors.New("packed switches end within a number")
	next := func() (x uint64) {
		x, n := binary.Uvarint(data)
		if n <= 0 {
			err, data = short, nil
			return 0
		}
		data = data[n:]
		return x
	}
	last := map[uint64]uint64{}
	for len(data) > 0 {
		front := next()
		delta, n := binary.Varint(data)
		if n <= 0 {
			return nil, short
		}
		data = data[n:]
		run := next()
		if front >= uint64(len(names)) || run > uint64(len(names)) {
			return nil, fmt.Errorf("packed switches name subsystem %d of %d", max(front, run), len(names))
		}
		last[front] += uint64(delta)
		s := Switch{Front: names[front], N: last[front]}
		if run < uint64(len(names)) {
			s.Run = names[run]
		} else if s.Pause = time.Duration(next() &^ (1 << 63)); s.Pause == 0 && err == nil {
			err = errors.New("a pause of nothing")
		}
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	return list, nil
}

// readPacked takes a machine's packed switches.
func (s *Schedule) readPacked(args []string) error {
	names := strings.Split(args[1], ",")
	if slices.Contains(names, "") {
		return errors.New("a subsystem without a name")
	}
	list, err := unpackSwitches(names, args[2])
	s.add(args[0], list...)
	return err
}
