package pyio

import (
	"strings"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// MaxBytes is what the files of one call may hold together.
//
// Spec: WP §3.1 (256 KiB).
const MaxBytes = 256 << 10

// Disk is the scratch space of one machine.
type Disk struct {
	object.Object
	nodes map[string]*node // by name below /tmp
	used  int              // bytes in files
	held  int              // bytes of memory by formula
}

// node is a file's content.
type node struct{ data []byte }

// Bytes of memory by formula, beside contents and names.
const (
	diskSize = 128
	nodeSize = 96
)

var typeDisk object.Type

var _ = object.Define(&typeDisk, object.Spec{
	Name: "scratch", Module: "_io", NoNew: true, Final: true,
	Layout: object.LayoutOf[Disk](object.KindLeaf),
	Size:   func(o *object.Object) int { return object.Trust[Disk](object.Of(o)).held },
})

// diskOf is the machine's space, made with its first file.
func diskOf(m *object.Machine) *Disk {
	if m.Files.IsZero() {
		d := object.Alloc[Disk](m, &typeDisk, diskSize)
		d.nodes, d.held = map[string]*node{}, diskSize
		m.Files = object.Of(&d.Object)
	}
	return object.Trust[Disk](m.Files)
}

// create adds an empty file.
func (d *Disk) create(m *object.Machine, name string) (*node, *object.Exception) {
	size := nodeSize + len(name)
	if e := m.Reserve(size); e != nil {
		return nil, e
	}
	m.Account(size)
	d.held += size
	n := &node{}
	d.nodes[strings.Clone(name)] = n
	return n, nil
}

// resize gives a file a length; what is added is zero. It charges the cells of paid bytes, which are those the caller writes, gaps included.
//
// Spec: CIP-3 §2.2.2 (immediately charges as many cells as bytes).
func (d *Disk) resize(m *object.Machine, n *node, length, paid int) *object.Exception {
	grown := length - len(n.data)
	if grown > 0 && (length > MaxBytes || d.used+grown > MaxBytes) {
		return systemError(m, noSpace, object.Value{})
	}
	if e := m.ChargeCells(paid); e != nil {
		return e
	}
	if grown <= 0 {
		d.cut(n, length)
		return nil
	}
	if length > cap(n.data) {
		room := max(64, cap(n.data))
		for room < length {
			room *= 2
		}
		if e := m.ChargeLen(0, room, bytesPerCycle); e != nil {
			return e
		}
		if e := m.Reserve(room); e != nil {
			return e
		}
		m.Hold(room - cap(n.data))
		d.held += room - cap(n.data)
		data := make([]byte, len(n.data), room)
		copy(data, n.data)
		n.data = data
	} else if e := m.ChargeLen(0, grown, bytesPerCycle); e != nil {
		return e
	}
	was := len(n.data)
	n.data = n.data[:length]
	clear(n.data[was:])
	d.used += grown
	return nil
}

// cut shortens a file.
func (d *Disk) cut(n *node, length int) {
	d.used -= len(n.data) - length
	if length == 0 {
		d.held -= cap(n.data)
		n.data = nil
		return
	}
	n.data = n.data[:length]
}

// write puts bytes at a position and charges for them and for the gap before them.
func (d *Disk) write(m *object.Machine, n *node, at int, data []byte) *object.Exception {
	if len(data) == 0 {
		return nil
	}
	gap := max(0, at-len(n.data))
	if gap > MaxBytes {
		return systemError(m, noSpace, object.Value{})
	}
	end := max(at+len(data), len(n.data))
	if e := d.resize(m, n, end, gap+len(data)); e != nil {
		return e
	}
	copy(n.data[at:], data)
	return nil
}

// The longest path and name, as on Linux.
const (
	maxPath = 4095
	maxName = 255
)

// resolve finds the name below /tmp that a path means, "" for /tmp itself; slash says whether the path ends in one. A number other than 0 is the
// error.
//
// Spec: WP "Forbidden Operations" (all but /tmp; path traversal outside /tmp).
func (d *Disk) resolve(path string) (name string, slash bool, bad errno) {
	switch {
	case path == "":
		return "", false, notFound
	case len(path) > maxPath:
		return "", false, tooLong
	case path[0] != '/':
		return "", false, denied
	}
	inside := false // the walk is in /tmp, not yet in the root
	for part := range strings.SplitSeq(path, "/") {
		slash = part == ""
		switch {
		case part == "":
			continue
		case len(part) > maxName:
			return "", false, tooLong
		case name != "": // something below a file
			if d.nodes[name] != nil {
				return "", false, notDirectory
			}
			return "", false, notFound
		case part == ".":
		case part == "..", !inside && part != "tmp":
			return "", false, denied
		case !inside:
			inside = true
		default:
			name = part
		}
	}
	if !inside {
		return "", false, denied
	}
	return name, slash, 0
}
