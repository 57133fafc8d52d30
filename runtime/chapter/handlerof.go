package chapter

// MaxArguments bounds what is looked through for the name of a handler, in bytes.
const MaxArguments = 16 << 10

// keyHandler is the member of a message that names its handler.
const keyHandler = "handler"

// HandlerOf is the handler that a message names, as an actor's does: the text at "handler" of a map in canonical CBOR, "" where there is none. It looks at
// no more than MaxArguments bytes, each once, and builds nothing.
//
// Spec: sdk §7 (messages).
func HandlerOf(data []byte) string {
	if len(data) > MaxArguments {
		return ""
	}
	w := walker{rest: data}
	major, count := w.head()
	if major != majorMap {
		return ""
	}
	for range count {
		major, size := w.head()
		key := w.take(major, size)
		if string(key) == keyHandler && major == majorText {
			if major, size = w.head(); major == majorText {
				return string(w.take(major, size))
			}
			return ""
		}
		if w.skip(); w.bad {
			return ""
		}
	}
	return ""
}

// The major types of CBOR that a walker tells apart.
const (
	majorBytes = 2
	majorText  = 3
	majorArray = 4
	majorMap   = 5
	majorTag   = 6
)

// walker goes over CBOR without building it.
type walker struct {
	rest []byte
	bad  bool
}

// head reads the beginning of an item.
func (w *walker) head() (major byte, n uint64) {
	if len(w.rest) == 0 {
		w.bad = true
		return 0, 0
	}
	first := w.rest[0]
	w.rest = w.rest[1:]
	major, n = first>>5, uint64(first&31)
	if n < 24 {
		return major, n
	}
	size := 1 << (n - 24)
	if n > 27 || size > len(w.rest) {
		w.bad = true
		return 0, 0
	}
	n = 0
	for _, b := range w.rest[:size] {
		n = n<<8 | uint64(b)
	}
	w.rest = w.rest[size:]
	return major, n
}

// take is the body of a string; of anything else there is none.
func (w *walker) take(major byte, size uint64) []byte {
	if w.bad || major != majorBytes && major != majorText {
		return nil
	}
	if size > uint64(len(w.rest)) {
		w.bad = true
		return nil
	}
	body := w.rest[:size]
	w.rest = w.rest[size:]
	return body
}

// skip goes over an item and all within it.
func (w *walker) skip() {
	for left := uint64(1); left > 0 && !w.bad; left-- {
		switch major, n := w.head(); major {
		case majorBytes, majorText:
			w.take(major, n)
		case majorTag:
			left++
		case majorArray, majorMap:
			if n > uint64(len(w.rest)) {
				w.bad = true
				return
			}
			left += n * uint64(major-majorArray+1)
		}
	}
}

// Items counts the items of a value in CBOR, those within lists and maps too; what is not well formed ends the count. It builds nothing.
func Items(data []byte) (n int) {
	w := walker{rest: data}
	for len(w.rest) > 0 && !w.bad {
		switch major, size := w.head(); major {
		case majorBytes, majorText:
			w.take(major, size)
		}
		n++
	}
	return n
}
