package object

// osErrorTypes are the classes that OSError makes of error numbers. The numbers
// are those of Linux on every machine.
var osErrorTypes = map[int64]*Type{
	1: &ExcPermissionError, 2: &ExcFileNotFoundError, 3: &ExcProcessLookupError, 4: &ExcInterruptedError,
	10: &ExcChildProcessError, 11: &ExcBlockingIOError, 13: &ExcPermissionError, 17: &ExcFileExistsError,
	20: &ExcNotADirectoryError, 21: &ExcIsADirectoryError, 32: &ExcBrokenPipeError, 103: &ExcConnectionAbortedError,
	104: &ExcConnectionResetError, 108: &ExcBrokenPipeError, 110: &ExcTimeoutError, 111: &ExcConnectionRefusedError,
	114: &ExcBlockingIOError, 115: &ExcBlockingIOError,
}

// osErrorNew is OSError.__new__: OSError itself, called with an error number and
// a message, makes the class that stands for the number.
func osErrorNew(m *Machine, t *Type, a Args) (Value, *Exception) {
	if n := len(a.Pos()); t == &ExcOSError && n >= 2 && n <= 5 && a.V[0].ref.kind == KindInt {
		if found, ok := osErrorTypes[a.V[0].Int64()]; ok {
			t = found
		}
	}
	return exceptionNew(m, t, a)
}
