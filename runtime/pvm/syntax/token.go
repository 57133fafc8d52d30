package syntax

// kind is the kind of a token.
type kind uint8

// The kinds of token. Keywords have kinds of their own; soft keywords are names.
const (
	tEnd kind = iota
	tNewline
	tIndent
	tDedent
	tName
	tNumber
	tString
	tStray // a character no token begins with: $ ? ! and control characters
	tFail  // the scanner stopped here

	tLPar
	tRPar
	tLSqb
	tRSqb
	tLBrace
	tRBrace
	tColon
	tComma
	tSemi
	tDot
	tEllipsis
	tArrow
	tWalrus
	tAssign
	tAt
	tPlus
	tMinus
	tStar
	tSlash
	tDoubleSlash
	tPercent
	tDoubleStar
	tLShift
	tRShift
	tAmp
	tPipe
	tCaret
	tTilde
	tEq
	tNe
	tDiamond
	tLt
	tGt
	tLe
	tGe

	// Augmented assignment, in the order of Operator.
	tPlusEq
	tMinusEq
	tStarEq
	tAtEq
	tSlashEq
	tPercentEq
	tDoubleStarEq
	tLShiftEq
	tRShiftEq
	tPipeEq
	tCaretEq
	tAmpEq
	tDoubleSlashEq

	// Keywords.
	kFalse
	kNone
	kTrue
	kAnd
	kAs
	kAssert
	kAsync
	kAwait
	kBreak
	kClass
	kContinue
	kDef
	kDel
	kElif
	kElse
	kExcept
	kFinally
	kFor
	kFrom
	kGlobal
	kIf
	kImport
	kIn
	kIs
	kLambda
	kNonlocal
	kNot
	kOr
	kPass
	kRaise
	kReturn
	kTry
	kWhile
	kWith
	kYield

	numKinds
)

// kindText is how each fixed token is written.
var kindText = [numKinds]string{
	tLPar: "(", tRPar: ")", tLSqb: "[", tRSqb: "]", tLBrace: "{", tRBrace: "}",
	tColon: ":", tComma: ",", tSemi: ";", tDot: ".", tEllipsis: "...", tArrow: "->",
	tWalrus: ":=", tAssign: "=", tAt: "@", tPlus: "+", tMinus: "-", tStar: "*",
	tSlash: "/", tDoubleSlash: "//", tPercent: "%", tDoubleStar: "**", tLShift: "<<",
	tRShift: ">>", tAmp: "&", tPipe: "|", tCaret: "^", tTilde: "~", tEq: "==",
	tNe: "!=", tDiamond: "<>", tLt: "<", tGt: ">", tLe: "<=", tGe: ">=",
	tPlusEq: "+=", tMinusEq: "-=", tStarEq: "*=", tAtEq: "@=", tSlashEq: "/=",
	tPercentEq: "%=", tDoubleStarEq: "**=", tLShiftEq: "<<=", tRShiftEq: ">>=",
	tPipeEq: "|=", tCaretEq: "^=", tAmpEq: "&=", tDoubleSlashEq: "//=",
	kFalse: "False", kNone: "None", kTrue: "True", kAnd: "and", kAs: "as",
	kAssert: "assert", kAsync: "async", kAwait: "await", kBreak: "break",
	kClass: "class", kContinue: "continue", kDef: "def", kDel: "del", kElif: "elif",
	kElse: "else", kExcept: "except", kFinally: "finally", kFor: "for", kFrom: "from",
	kGlobal: "global", kIf: "if", kImport: "import", kIn: "in", kIs: "is",
	kLambda: "lambda", kNonlocal: "nonlocal", kNot: "not", kOr: "or", kPass: "pass",
	kRaise: "raise", kReturn: "return", kTry: "try", kWhile: "while", kWith: "with",
	kYield: "yield",
}

// token is one token of the source. Offsets are into the scanned text; lines
// count from 1 and columns are byte offsets in the line, both relative to the
// scanned text. INDENT, DEDENT and ENDMARKER have no column: col is -1.
type token struct {
	kind            kind
	start, end      int32
	line, col       int32
	endLine, endCol int32
}

// keyword returns the kind of the word, tName unless it is a keyword.
func keyword(word string) kind {
	switch word {
	case "False":
		return kFalse
	case "None":
		return kNone
	case "True":
		return kTrue
	case "and":
		return kAnd
	case "as":
		return kAs
	case "assert":
		return kAssert
	case "async":
		return kAsync
	case "await":
		return kAwait
	case "break":
		return kBreak
	case "class":
		return kClass
	case "continue":
		return kContinue
	case "def":
		return kDef
	case "del":
		return kDel
	case "elif":
		return kElif
	case "else":
		return kElse
	case "except":
		return kExcept
	case "finally":
		return kFinally
	case "for":
		return kFor
	case "from":
		return kFrom
	case "global":
		return kGlobal
	case "if":
		return kIf
	case "import":
		return kImport
	case "in":
		return kIn
	case "is":
		return kIs
	case "lambda":
		return kLambda
	case "nonlocal":
		return kNonlocal
	case "not":
		return kNot
	case "or":
		return kOr
	case "pass":
		return kPass
	case "raise":
		return kRaise
	case "return":
		return kReturn
	case "try":
		return kTry
	case "while":
		return kWhile
	case "with":
		return kWith
	case "yield":
		return kYield
	}
	return tName
}
