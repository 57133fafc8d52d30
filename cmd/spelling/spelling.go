package spelling

// Distance counts the letters to change, add or remove between two words, byte by byte.
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := corner
			if a[i] != b[j] {
				cost++
			}
			corner = row[j+1]
			row[j+1] = min(cost, row[j]+1, corner+1)
		}
	}
	return row[len(b)]
}

// Nearest is the first of the words that are the fewest changes away from one, or "" if none is at most so many away.
func Nearest(word string, words []string, most int) (nearest string) {
	for _, w := range words {
		if d := Distance(word, w); d <= most {
			nearest, most = w, d-1
		}
	}
	return nearest
}
