package pyio_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/cowboyinc/cowboy-go/runtime/pvm"
)

// The files of a call hold 256 KiB together and not a byte more: written, appended, left as a gap, added by truncate, in one file or in several. What a
// shorter file gives up is there again. Nothing of a refused write is left.
//
// Spec: WP §3.1 (256 KiB).
func TestSpace(t *testing.T) {
	const most = 262_144
	for name, c := range map[string]struct{ fits, over string }{
		"one write":  {"f.write(b'x' * %d)", ""},
		"many":       {"[f.write(b'x' * (%d // 2)) for _ in range(2)] and f.write(b'x' * (%[1]d %% 2))", ""},
		"gap":        {"f.seek(%d - 1) >= 0 and f.write(b'x')", ""},
		"truncate":   {"f.truncate(%d)", ""},
		"two files":  {"g.write(b'x' * 1000) and f.write(b'x' * (%d - 1000))", ""},
		"characters": {"open('/tmp/t', 'w').write('é' * (%d // 2)) and f.write(b'x' * (%[1]d %% 2))", ""},
		"line ends":  {"open('/tmp/t', 'w', newline='\\r\\n').write('\\n' * (%d // 2)) and f.write(b'x' * (%[1]d %% 2))", ""},
		"append":     {"f.write(b'x' * 10) and open('/tmp/f', 'ab').write(b'x' * (%d - 10))", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{most, most + 1} {
				source := "f = open('/tmp/f', 'wb')\ng = open('/tmp/g', 'wb')\ntry:\n    " + fmt.Sprintf(c.fits, n) +
					"\n    print('fits')\nexcept OSError as e:\n    print(e.errno, e)\n"
				got, fault := run(t, source, pvm.Config{})
				want := "fits\n"
				if n > most {
					want = "28 [Errno 28] No space left on device\n"
				}
				if got != want || fault != nil {
					t.Errorf("%s, %d bytes: %q %v", name, n, got, fault)
				}
			}
		})
	}
	got, fault := run(t, `
f = open('/tmp/f', 'w+b')
f.write(b'a' * 262144)
for again in range(3):
    try:
        f.write(b'bc')
    except OSError as e:
        print(e.errno, f.tell(), len(open('/tmp/f', 'rb').read()))
f.seek(262143)
try:
    f.write(b'bc')
except OSError as e:
    print(e.errno, f.seek(-1, 2), f.read())
f.truncate(262143)
print(open('/tmp/g', 'w').write('z'))
open('/tmp/f', 'w')
print(open('/tmp/h', 'wb').write(b'y' * 262143))
f.seek(0)
print(f.read(), f.truncate(0), open('/tmp/g').read())
`, pvm.Config{})
	if want := strings.Repeat("28 262144 262144\n", 3) + "28 262143 b'a'\n1\n262143\nb'' 0 z\n"; got != want || fault != nil {
		t.Errorf("%s %v", got, fault)
	}
}

// A write costs a cell for each byte at once, gaps included, and nothing where it is refused; reading costs none. Without cells nothing is written.
//
// Spec: CIP-3 §2.2.2 (/tmp scratch space: file.write(data) immediately charges data.len() cells); WP §4.1.
func TestCells(t *testing.T) {
	for source, want := range map[string]uint64{
		"open('/tmp/f', 'w')": 0, "open('/tmp/f', 'wb').write(b'x' * 100)": 100, "open('/tmp/f', 'w').write('é' * 100)": 200,
		"open('/tmp/f', 'w', newline='\\r\\n').write('a\\n')": 3, "[open('/tmp/f', 'w').write('abc') for _ in range(4)]": 12,
		"f = open('/tmp/f', 'wb')\nf.seek(50)\nf.write(b'abc')": 53, "open('/tmp/f', 'wb').truncate(70)": 70,
		"f = open('/tmp/f', 'w+b')\nf.write(b'abc')\nf.truncate(1)\nf.seek(0)\nf.read()\nf.truncate(2)": 4,
		"f = open('/tmp/f', 'w')\nf.writelines(['a\\n', 'bc\\n'])":                                      5, "open('/tmp/f', 'w').write('')": 0,
		"f = open('/tmp/f', 'wb')\ntry:\n    f.write(b'x' * 262145)\nexcept OSError:\n    pass": 0,
		"f = open('/tmp/f', 'wb')\nf.write(b'abcdef')\nf.seek(2)\nf.write(b'xyz')":              9,
	} {
		t.Run(source, func(t *testing.T) {
			meter := pvm.NewMeter(1_000_000, 1_000)
			if _, fault := run(t, source, pvm.Config{Meter: meter}); fault != nil {
				t.Errorf("%s: %v", source, fault)
			}
			if got := meter.CellsUsed(); got != want {
				t.Errorf("%s: %d cells, want %d", source, got, want)
			}
		})
	}
	for cells, want := range map[uint64]bool{10: true, 9: false} {
		t.Run(fmt.Sprint(cells), func(t *testing.T) {
			_, fault := run(t, "open('/tmp/f', 'w').write('0123456789')", pvm.Config{Meter: pvm.NewMeter(1_000_000, cells)})
			if (fault == nil) != want || fault != nil && fault.Kind != pvm.OutOfCells {
				t.Errorf("%d cells: %v", cells, fault)
			}
		})
	}
}

// What files hold is memory of the call: 512 KiB by the formula that doubles room, beside the 700 KiB of a bytearray, pass a limit of a megabyte; one or
// the other does not. So do a hundred thousand names.
//
// Spec: WP §3.1 (per-call memory limit).
func TestMemory(t *testing.T) {
	const fill = "f = open('/tmp/f', 'wb')\nfor _ in range(63):\n    f.write(b'x' * 4096)\n"
	const hold = "b = bytearray(800 << 10)\n"
	for source, want := range map[string]bool{
		fill: true, hold: true, fill + hold: false, hold + fill: false, fill + "f = None\n" + hold: false,
		fill + "f.truncate(0)\n" + hold: true, fill + "open('/tmp/f', 'w')\n" + hold: true,
		"for i in range(500):\n    open('/tmp/' + str(i), 'w')\n":     true,
		"for i in range(100_000):\n    open('/tmp/' + str(i), 'w')\n": false,
	} {
		t.Run(source, func(t *testing.T) {
			_, fault := run(t, source, pvm.Config{MemoryLimit: 1 << 20})
			if (fault == nil) != want || fault != nil && fault.Type != "MemoryError" {
				t.Errorf("%q: %v", source, fault)
			}
		})
	}
}

// Work is paid for before it is done: a meter that holds less than reading, writing or opening costs ends the call with the file as it was. Costs are in
// proportion to the bytes.
//
// Spec: CIP-3 §2.2 (Price).
func TestCycles(t *testing.T) {
	cost := func(setup, source string) uint64 {
		t.Helper()
		used := func(s string) uint64 {
			meter := pvm.NewMeter(100_000_000, 1_000_000)
			if _, fault := run(t, s, pvm.Config{Meter: meter}); fault != nil {
				t.Fatalf("%s: %v", s, fault)
			}
			return meter.Used()
		}
		return used(setup+source) - used(setup)
	}
	const setup = "f = open('/tmp/f', 'w+b')\nf.write(b'x' * 100_000)\nt = open('/tmp/f')\nd = b'x' * 100_000\ns = 'x' * 100_000\nf.seek(0)\n"
	for source, want := range map[string]uint64{
		"f.read()\n": 100_000 / 16, "t.read()\n": 100_000, "t.readline()\n": 100_000, "f.write(d)\n": 100_000 / 16, "f.readlines()\n": 100_000 / 16,
		"open('/tmp/g', 'w').write(s)\n": 100_000, "open('/tmp/' + '/' * 4000 + 'x', 'w')\n": 4_000, "t.read(1)\n": 0, "t.readline(1)\n": 0,
		"f.readline(1)\n": 0,
	} {
		t.Run(source, func(t *testing.T) {
			if got := cost(setup, source); got < want || got > want+want/4+20_000 || want == 0 && got > 60 {
				t.Errorf("%q costs %d, want at least %d and not much more", source, got, want)
			}
		})
	}
	meter := pvm.NewMeter(1_000, 1_000_000)
	if _, fault := run(t, "f = open('/tmp/f', 'w')\nf.write('x' * 1_000)\n", pvm.Config{Meter: meter}); fault == nil || fault.Kind != pvm.OutOfCycles ||
		meter.CellsUsed() != 0 {
		t.Errorf("%v, %d cells", fault, meter.CellsUsed())
	}
}

// UnsupportedOperation is an OSError and a ValueError, a machine without files has no open(), and every machine has a space of its own.
//
// Spec: WP §3.1 (per-invocation).
func TestMachines(t *testing.T) {
	got, fault := run(t, "f = open('/tmp/f', 'w')\nf.write('here')\nfor kind in (OSError, ValueError):\n    try:\n        f.read()\n    except kind as e:\n"+
		"        print(type(e), [c.__name__ for c in type(e).__mro__])\n", pvm.Config{})
	line := "<class 'io.UnsupportedOperation'> ['UnsupportedOperation', 'OSError', 'ValueError', 'Exception', 'BaseException', 'object']\n"
	if got != line+line || fault != nil {
		t.Errorf("%s %v", got, fault)
	}
	if _, fault = run(t, "open('/tmp/f')", pvm.Config{}); fault == nil || fault.Type != "FileNotFoundError" {
		t.Errorf("another machine's file: %v", fault)
	}
}

// What is not below /tmp is refused, on the way too, whatever the mode; so is a relative path, since there is no working directory.
//
// Spec: WP "Forbidden Operations" (all but /tmp; path traversal outside /tmp).
func TestOutside(t *testing.T) {
	for _, path := range []string{
		"'/etc/passwd'", "b'/etc/passwd'", "'x'", "'./x'", "'tmp/x'", "'../tmp/x'", "'/tmp/../etc/passwd'", "'/tmp/../tmp/x'", "'/tmp/..'", "'/tmp/./../x'",
		"'/tmpx'", "'/tmp2/x'", "'/TMP/x'", "'/'", "'//'", "'/..'", "'/../tmp/x'", "'/x/../tmp/x'", "'/var/tmp/x'", "'C:\\\\x'", "' /tmp/x'", "'~/x'",
		"'/tmp\\n/x'",
	} {
		for _, mode := range []string{"r", "w", "a", "x", "r+b"} {
			got, fault := run(t, "try:\n    open("+path+", '"+mode+"')\nexcept PermissionError as e:\n    print(e.errno, e.strerror, e.filename == "+path+")\n",
				pvm.Config{})
			if got != "13 Permission denied True\n" || fault != nil {
				t.Errorf("%s %s: %q %v", path, mode, got, fault)
			}
		}
	}
	for _, path := range []string{"'/tmp/x'", "'/./tmp/x'", "'//tmp///x'", "'/tmp/..x'", "'/tmp/...'"} {
		if got, fault := run(t, "print(open("+path+", 'w').write('x'))", pvm.Config{}); got != "1\n" || fault != nil {
			t.Errorf("%s: %q %v", path, got, fault)
		}
	}
}
