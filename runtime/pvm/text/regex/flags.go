package regex

// Flags are the flags of the re module, with the values its constants have.
type Flags uint32

// The flags.
const (
	Template   Flags = 1
	IgnoreCase Flags = 2
	Locale     Flags = 4
	Multiline  Flags = 8
	DotAll     Flags = 16
	Unicode    Flags = 32
	Verbose    Flags = 64
	Debug      Flags = 128
	ASCII      Flags = 256
)

// typeFlags choose the meaning of character classes; a group can change, not clear them.
const typeFlags = ASCII | Locale | Unicode

// flagOf answers the flag an inline letter stands for, or 0.
func flagOf(r rune) Flags {
	switch r {
	case 'i':
		return IgnoreCase
	case 'L':
		return Locale
	case 'm':
		return Multiline
	case 's':
		return DotAll
	case 'x':
		return Verbose
	case 'a':
		return ASCII
	case 't':
		return Template
	case 'u':
		return Unicode
	default:
		return 0
	}
}

// fix checks flags against the type of the pattern; text patterns are Unicode unless ASCII.
func (f Flags) fix(isText bool) (Flags, error) {
	switch {
	case isText && f&Locale != 0:
		return f, &FlagError{"cannot use LOCALE flag with a str pattern"}
	case isText && f&ASCII == 0:
		return f | Unicode, nil
	case isText && f&Unicode != 0:
		return f, &FlagError{"ASCII and UNICODE flags are incompatible"}
	case !isText && f&Unicode != 0:
		return f, &FlagError{"cannot use UNICODE flag with a bytes pattern"}
	case !isText && f&Locale != 0 && f&ASCII != 0:
		return f, &FlagError{"ASCII and LOCALE flags are incompatible"}
	default:
		return f, nil
	}
}

// within answers the flags that hold inside a group that adds and clears some.
func (f Flags) within(add, clear Flags) Flags {
	if add&typeFlags != 0 {
		f &^= typeFlags
	}
	return (f | add) &^ clear
}
