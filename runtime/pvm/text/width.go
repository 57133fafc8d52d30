package text

import "sort"

// Width returns how many columns of a terminal s takes: two for each wide
// character, one for any other.
//
// Spec: Unicode Standard Annex #11, version 14.0 (East Asian Width).
func Width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= wideRanges[0][0] && isWide(r) {
			n++
		}
	}
	return n
}

func isWide(r rune) bool {
	i := sort.Search(len(wideRanges), func(i int) bool { return wideRanges[i][1] >= r })
	return i < len(wideRanges) && wideRanges[i][0] <= r
}
