package text

// Category is a general category of the Unicode Character Database.
type Category uint8

// The thirty general categories, in alphabetical order after Cn (unassigned).
const (
	Cn Category = iota
	Cc
	Cf
	Co
	Cs
	Ll
	Lm
	Lo
	Lt
	Lu
	Mc
	Me
	Mn
	Nd
	Nl
	No
	Pc
	Pd
	Pe
	Pf
	Pi
	Po
	Ps
	Sc
	Sk
	Sm
	So
	Zl
	Zp
	Zs
)

const categoryNames = "CnCcCfCoCsLlLmLoLtLuMcMeMnNdNlNoPcPdPePfPiPoPsScSkSmSoZlZpZs"

// String answers the two-letter name.
func (c Category) String() string {
	if c > Zs {
		return "??"
	}
	return categoryNames[2*c : 2*c+2]
}

// CategoryOf answers the general category of r in Unicode 14.0.
func CategoryOf(r rune) Category {
	return Category(characterRecords[record(r)+categoryAt])
}
