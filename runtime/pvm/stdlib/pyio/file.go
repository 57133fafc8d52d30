package pyio

import (
	"bytes"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
	"github.com/cowboyinc/cowboy-go/runtime/pvm/stdlib/buffer"
)

// File is an open file of any of the types.
type File struct {
	object.Object
	disk     *Disk
	node     *node
	name     object.Value // as given to open
	encoding object.Value // as given to open
	mode     string
	pos      int
	flavor   flavor
	newline  newline
	seen     uint8 // ends of lines that were read
	reads    bool
	writes   bool
	appends  bool
	closed   bool
	silent   bool // tell() is off while a loop goes over the lines
}

// bytesPerCycle is how many bytes are copied for one cycle.
const bytesPerCycle = 16

// maxSeek bounds positions, as file systems do.
const maxSeek = 1 << 43

func self(v object.Value) *File { return object.Trust[File](v) }

// open raises what CPython says of a closed file: its buffered types name the operation.
func (f *File) open(m *object.Machine, operation string) *object.Exception {
	switch {
	case !f.closed:
		return nil
	case operation == "" || f.flavor == textFile:
		return m.ValueError(closedFile)
	case f.flavor == rawFile:
		return m.ValueError(closedRaw)
	}
	return m.ValueError("%s of closed file", operation)
}

// readable raises what CPython says of a file that is not open for reading.
func (f *File) readable(m *object.Machine, operation string) *object.Exception {
	if f.flavor == writer {
		return unsupported(m, operation)
	}
	if operation == "read1" {
		operation = "read"
	}
	if e := f.open(m, operation); e != nil || f.reads {
		return e
	}
	if f.flavor == textFile {
		return unsupported(m, "not readable")
	}
	return unsupported(m, "File not open for reading")
}

func (f *File) writable(m *object.Machine) *object.Exception {
	switch {
	case f.flavor == reader:
		return unsupported(m, "write")
	case f.closed && f.flavor != textFile && f.flavor != rawFile:
		return m.ValueError("write to closed file")
	}
	if e := f.open(m, "write"); e != nil || f.writes {
		return e
	}
	if f.flavor == textFile {
		return unsupported(m, "not writable")
	}
	return unsupported(m, "File not open for writing")
}

// take gives the next n bytes and moves on.
func (f *File) take(m *object.Machine, n int) (object.Value, *object.Exception) {
	if e := m.ChargeLen(m.Costs().Encode, n, bytesPerCycle); e != nil {
		return object.Value{}, e
	}
	if e := m.Reserve(n); e != nil {
		return object.Value{}, e
	}
	b := bytes.Clone(f.rest()[:n])
	f.pos += n
	return m.Bytes(b), nil
}

// read gives n bytes or characters, all that are left for a negative n.
func (f *File) read(m *object.Machine, n int) (object.Value, *object.Exception) {
	if f.flavor == textFile {
		return f.readText(m, n)
	}
	left := len(f.rest())
	if n < 0 || n > left {
		n = left
	}
	return f.take(m, n)
}

// readLine gives the next line, at most n bytes or characters of it unless n is negative; nothing at the end.
func (f *File) readLine(m *object.Machine, n int) (object.Value, *object.Exception) {
	if f.flavor == textFile {
		return f.readTextLine(m, n)
	}
	rest := f.rest()
	if n >= 0 && n < len(rest) {
		rest = rest[:n]
	}
	size := len(rest)
	if at := bytes.IndexByte(rest, '\n'); at >= 0 {
		size = at + 1
	}
	return f.take(m, size)
}

// readLines gives lines until their lengths pass hint, all for one that is not positive.
func (f *File) readLines(m *object.Machine, hint int) (object.Value, *object.Exception) {
	list := m.NewList(nil)
	pins := m.Pinned()
	m.Pin(list.Value())
	defer m.Unpin(pins)
	for length := 0; ; {
		v, e := f.readLine(m, -1)
		if e != nil {
			return object.Value{}, e
		}
		n := lengthOf(v)
		if n == 0 {
			return list.Value(), nil
		}
		if e := m.Charge(m.Costs().ListAccess); e != nil {
			return object.Value{}, e
		}
		list.Append(m, v)
		if hint > 0 && n > hint-length {
			return list.Value(), nil
		}
		length += n
	}
}

// lengthOf is that of a line.
func lengthOf(v object.Value) int {
	if s, ok := v.AsStr(); ok {
		return s.Len()
	}
	b, _ := v.AsBytes()
	return len(b.Data())
}

// put writes at the position, or at the end of a file that is appended to.
func (f *File) put(m *object.Machine, data []byte) *object.Exception {
	if len(data) == 0 {
		return nil
	}
	if e := m.ChargeLen(0, len(data), bytesPerCycle); e != nil {
		return e
	}
	at := f.pos
	if f.appends {
		at = len(f.node.data)
	}
	if e := f.disk.write(m, f.node, at, data); e != nil {
		return e
	}
	f.pos = at + len(data)
	return nil
}

// write writes a str or bytes and gives how many characters or bytes.
func (f *File) write(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	if e := f.writable(m); e != nil {
		return object.Value{}, e
	}
	if f.flavor == textFile {
		return f.writeText(m, v)
	}
	data, e := buffer.Read(m, v)
	if e != nil {
		return object.Value{}, e
	}
	if e := m.Charge(m.Costs().Encode); e != nil {
		return object.Value{}, e
	}
	return object.Int(int64(len(data))), f.put(m, data)
}

// seek moves to a position from the beginning, from here or from the end.
func (f *File) seek(m *object.Machine, to, whence int64) (object.Value, *object.Exception) {
	switch whence {
	case 0:
	case 1:
		to += int64(f.pos)
	case 2:
		to += int64(len(f.node.data))
	default:
		return object.Value{}, m.ValueError("whence value %d unsupported", whence)
	}
	if to < 0 || to > maxSeek {
		return object.Value{}, systemError(m, invalid, object.Value{})
	}
	f.pos = int(to)
	return object.Int(to), nil
}

// truncate gives the file a size, that of the position if none is given; the position stays.
func (f *File) truncate(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	size := int64(f.pos)
	if !v.IsZero() && !v.IsNone() {
		var e *object.Exception
		if size, e = m.IndexInt64(v, &object.ExcOverflowError); e != nil {
			return object.Value{}, e
		}
	}
	switch {
	case size < 0:
		return object.Value{}, systemError(m, invalid, object.Value{})
	case size > MaxBytes:
		return object.Value{}, systemError(m, noSpace, object.Value{})
	}
	if e := f.disk.resize(m, f.node, int(size), max(0, int(size)-len(f.node.data))); e != nil {
		return object.Value{}, e
	}
	return object.Int(size), nil
}

// readInto fills a buffer and gives how many bytes.
func (f *File) readInto(m *object.Machine, v object.Value) (object.Value, *object.Exception) {
	to, ok := m.WritableBuffer(v)
	if !ok {
		return object.Value{}, m.TypeError("readinto() argument must be read-write bytes-like object, not %s", v.Type().Name)
	}
	n := min(len(to), len(f.rest()))
	if e := m.ChargeLen(m.Costs().Encode, n, bytesPerCycle); e != nil {
		return object.Value{}, e
	}
	f.pos += copy(to[:n], f.rest())
	return object.Int(int64(n)), nil
}
