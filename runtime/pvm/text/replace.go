package text

// ReplacedLen answers the length Replace gives its result, from the number of occurrences Count found (at most the
// limit); ok is false when it does not fit in an int.
func ReplacedLen(length, oldLen, newLen, count int) (n int, ok bool) {
	if newLen <= oldLen || count == 0 {
		return length - count*(oldLen-newLen), true
	}
	grow := newLen - oldLen
	const limit = int(^uint(0) >> 1)
	if grow > (limit-length)/count {
		return 0, false
	}
	return length + count*grow, true
}

// Replace appends s to dst with the first count occurrences of old replaced by with. count must be what Count answered
// for s and old, or less. The empty old stands before every unit and at the end.
func Replace[T Unit](dst, s, old, with []T, count int) []T {
	if len(old) == 0 {
		for i := range s {
			if i < count {
				dst = append(dst, with...)
			}
			dst = append(dst, s[i])
		}
		if count > len(s) {
			dst = append(dst, with...)
		}
		return dst
	}
	p := NewPattern(old)
	at := 0
	for ; count > 0; count-- {
		i := p.Index(s, at)
		if i < 0 {
			break
		}
		dst = append(dst, s[at:i]...)
		dst = append(dst, with...)
		at = i + len(old)
	}
	return append(dst, s[at:]...)
}

// ExpandedLen answers the length of s with tabs expanded to columns of the given size; ok is false when it does not fit
// in an int. Columns start anew after a line feed or carriage return; a size below one removes tabs.
func ExpandedLen[T Unit](s []T, size int) (n int, ok bool) {
	column := 0
	for _, u := range s {
		width := 1
		switch u {
		case '\t':
			if width = 0; size > 0 {
				width = size - column%size
			}
			column += width
		case '\n', '\r':
			column = 0
		default:
			column++
		}
		if n += width; n < 0 || column < 0 {
			return 0, false
		}
	}
	return n, true
}

// ExpandTabs appends s to dst with tabs expanded.
func ExpandTabs[T Unit](dst, s []T, size int) []T {
	column := 0
	for _, u := range s {
		switch u {
		case '\t':
			if size > 0 {
				for width := size - column%size; width > 0; width-- {
					dst = append(dst, ' ')
					column++
				}
			}
			continue
		case '\n', '\r':
			column = 0
		default:
			column++
		}
		dst = append(dst, u)
	}
	return dst
}
