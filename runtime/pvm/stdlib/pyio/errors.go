package pyio

import "github.com/cowboyinc/cowboy-go/runtime/pvm/object"

// errno is an error number of Linux.
type errno int64

// The numbers that open() and files raise.
const (
	notFound     errno = 2
	badFile      errno = 9
	denied       errno = 13
	exists       errno = 17
	notDirectory errno = 20
	isDirectory  errno = 21
	invalid      errno = 22
	noSpace      errno = 28
	tooLong      errno = 36
)

// text is what Linux says.
func (n errno) text() string {
	switch n {
	case notFound:
		return "No such file or directory"
	case badFile:
		return "Bad file descriptor"
	case denied:
		return "Permission denied"
	case exists:
		return "File exists"
	case notDirectory:
		return "Not a directory"
	case isDirectory:
		return "Is a directory"
	case invalid:
		return "Invalid argument"
	case noSpace:
		return "No space left on device"
	}
	return "File name too long"
}

// systemError makes the class of OSError that stands for a number; path is its filename unless it is the zero Value.
func systemError(m *object.Machine, n errno, path object.Value) *object.Exception {
	args := []object.Value{object.Int(int64(n)), m.Str(n.text())}
	if !path.IsZero() {
		args = append(args, path)
	}
	v, e := m.Call(object.ExcOSError.Value(), object.Positional(args...))
	if e != nil {
		return e
	}
	made, _ := v.AsException()
	return m.Raised(made)
}

// unsupported is io.UnsupportedOperation.
func unsupported(m *object.Machine, what string) *object.Exception {
	return m.Raise(&object.ExcUnsupportedOperation, "%s", what)
}

// What a closed file says.
const (
	closedFile = "I/O operation on closed file."
	closedRaw  = "I/O operation on closed file"
)
