package text

import "unicode/utf8"

// Layout of one record of characterRecords: flags (2 bytes), category (1), decimal and digit value (4 bits each, 15 for
// none), then four case mappings of 4 bytes (upper, lower, title, fold).
const (
	recordSize   = 20
	categoryAt   = 2
	digitsAt     = 3
	mappingsAt   = 4
	noDigit      = 15
	leafBits     = 6
	midBits      = 6
	blockBytes   = 2 << midBits
	leafBytes    = 2 << leafBits
	maxCodePoint = 0x10FFFF
)

// The flags of a record, in the order gen/tables.py writes them.
const (
	flagAlpha = 1 << iota
	flagDecimal
	flagDigit
	flagNumeric
	flagSpace
	flagPrintable
	flagLower
	flagUpper
	flagIDStart
	flagIDContinue
	flagCaseIgnorable
	flagCased
)

// leafValue follows the three levels of a table: code point >> 12 chooses a block of mid, the next 6 bits a leaf, the
// last 6 bits the entry. A rune outside Unicode is answered like the unassigned code point 0x10FFFF.
func leafValue(top, mid, leaf string, r rune) int {
	c := uint32(r)
	if c > maxCodePoint {
		c = maxCodePoint
	}
	m := int(top[c>>(leafBits+midBits)])*blockBytes + int(c>>leafBits&(1<<midBits-1))*2
	l := (int(mid[m])|int(mid[m+1])<<8)*leafBytes + int(c&(1<<leafBits-1))*2
	return int(leaf[l]) | int(leaf[l+1])<<8
}

// record answers the offset of r's record in characterRecords.
func record(r rune) int {
	return leafValue(characterTop, characterMid, characterLeaf, r) * recordSize
}

// flags answers the flags of r. What is outside Unicode has those of the unassigned code point 0x10FFFF.
func flags(r rune) int {
	c := min(uint32(r), maxCodePoint)
	return int(leafFlags[int(flagPages[c>>leafBits])<<leafBits|int(c&(1<<leafBits-1))])
}

// flagPages gives the leaf of 64 code points that begin with the index, leafFlags the flags of those of each leaf: what the three levels
// of the table and the records say, in one step less and without the rest of the record.
var (
	flagPages = func() (out [maxCodePoint>>leafBits + 1]uint16) {
		for i := range out {
			m := int(characterTop[i>>midBits])*blockBytes + i&(1<<midBits-1)*2
			out[i] = uint16(characterMid[m]) | uint16(characterMid[m+1])<<8
		}
		return out
	}()
	leafFlags = func() (out [len(characterLeaf) / 2]uint16) {
		for i := range out {
			at := (int(characterLeaf[2*i]) | int(characterLeaf[2*i+1])<<8) * recordSize
			out[i] = uint16(characterRecords[at]) | uint16(characterRecords[at+1])<<8
		}
		return out
	}()
)

// IsAlpha reports whether r is a letter (general category Lm, Lt, Lu, Ll or Lo), as str.isalpha asks.
func IsAlpha(r rune) bool { return flags(r)&flagAlpha != 0 }

// IsDecimal reports whether r is a decimal digit of some script, as str.isdecimal asks.
func IsDecimal(r rune) bool { return flags(r)&flagDecimal != 0 }

// IsDigit reports whether r is a digit, superscripts and the like included, as str.isdigit asks.
func IsDigit(r rune) bool { return flags(r)&flagDigit != 0 }

// IsNumeric reports whether r has a numeric value, fractions and ideographs included, as str.isnumeric asks.
func IsNumeric(r rune) bool { return flags(r)&flagNumeric != 0 }

// IsAlnum reports whether r is a letter or has a numeric value, as str.isalnum asks.
func IsAlnum(r rune) bool { return flags(r)&(flagAlpha|flagDecimal|flagDigit|flagNumeric) != 0 }

// IsSpace reports whether r is white space for str.isspace, str.strip and str.split.
func IsSpace(r rune) bool {
	if r < 0x80 {
		return r == ' ' || r >= 0x09 && r <= 0x0D || r >= 0x1C && r <= 0x1F
	}
	return flags(r)&flagSpace != 0
}

// IsPrintable reports whether repr shows r as it is: not a control, format, surrogate, private, unassigned or separator
// character, the ASCII space excepted.
func IsPrintable(r rune) bool {
	if r < 0x7F {
		return r >= 0x20
	}
	return flags(r)&flagPrintable != 0
}

// IsLower reports whether r has the property Lowercase.
func IsLower(r rune) bool { return flags(r)&flagLower != 0 }

// IsUpper reports whether r has the property Uppercase.
func IsUpper(r rune) bool { return flags(r)&flagUpper != 0 }

// IsTitle reports whether r is a title-case letter (general category Lt).
func IsTitle(r rune) bool { return CategoryOf(r) == Lt }

// IsCased reports whether r has the property Cased: upper, lower or title case.
func IsCased(r rune) bool { return flags(r)&flagCased != 0 }

// IsCaseIgnorable reports whether r has the property Case_Ignorable, which decides where a final sigma stands.
func IsCaseIgnorable(r rune) bool { return flags(r)&flagCaseIgnorable != 0 }

// IsIDStart reports whether an identifier may begin with r: XID_Start or the underscore.
func IsIDStart(r rune) bool {
	if r < 0x80 {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return flags(r)&flagIDStart != 0
}

// IsIDContinue reports whether r may follow in an identifier: XID_Continue.
func IsIDContinue(r rune) bool {
	if r < 0x80 {
		return r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	}
	return flags(r)&flagIDContinue != 0
}

// IsIdentifier reports whether s is a Python identifier (keywords included). The compiler compares identifiers after
// NFKC; IsIdentifier looks at the text as it stands, as str.isidentifier does.
func IsIdentifier(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 {
			return isWideIdentifier(s)
		} else if c|0x20 < 'a' || c|0x20 > 'z' {
			if c != '_' && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return s != ""
}

func isWideIdentifier(s string) bool {
	first := flagIDStart
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		switch {
		case r < utf8.RuneSelf:
			if r == '_' {
				r = 'a'
			}
		case r >= 0xC2 && r < 0xE0 && i+1 < len(s):
			r, size = r&0x1F<<6|rune(s[i+1])&0x3F, 2
		default:
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if flags(r)&first == 0 {
			return false
		}
		i, first = i+size, flagIDContinue
	}
	return true
}

// IsAssigned reports whether Unicode 14.0 assigns r (private use and surrogates count as assigned).
func IsAssigned(r rune) bool { return r >= 0 && r <= maxCodePoint && CategoryOf(r) != Cn }

// DecimalValue answers the value 0-9 of a decimal digit of any script, or -1.
func DecimalValue(r rune) int {
	if r < 0x80 {
		if r >= '0' && r <= '9' {
			return int(r - '0')
		}
		return -1
	}
	return digitOrNone(characterRecords[record(r)+digitsAt] >> 4)
}

// DigitValue answers the value 0-9 of a digit, superscripts and the like included, or -1.
func DigitValue(r rune) int {
	return digitOrNone(characterRecords[record(r)+digitsAt] & 15)
}

func digitOrNone(nibble byte) int {
	if nibble == noDigit {
		return -1
	}
	return int(nibble)
}
