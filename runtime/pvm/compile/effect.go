package compile

import (
	mathbits "math/bits"

	"github.com/cowboyinc/cowboy-go/runtime/pvm/object"
)

// span is a run of registers.
type span struct{ from, n int }

// effect is what an instruction reads and writes of registers.
type effect struct {
	reads  [4]span
	count  int
	writes span
}

func (e *effect) read(from, n int) {
	e.reads[e.count] = span{from, n}
	e.count++
}

// effectOf returns the effect of an instruction. A loop step writes its target
// only when it jumps.
func effectOf(in *object.Instr) (e effect) {
	a, b, c := int(in.A), int(in.B), int(in.C)
	e.writes = span{a, 1}
	switch in.Op {
	case OpNop, OpUnsetCell, OpUnsetFree, OpUnsetGlobal, OpUnsetName, OpJump, OpReturnNone, OpGenerator, OpAnnotations:
		e.writes.n = 0
	case OpMade, OpCheck, OpStoreFree, OpStoreGlobal, OpStoreName, OpDelAttr, OpJumpTrue, OpJumpFalse, OpJumpNone, OpJumpEqI,
		OpJumpNeI, OpJumpLtI, OpJumpLeI, OpJumpGtI, OpJumpGeI, OpReturn, OpReraise, OpImportStar, OpMatchSeq, OpMatchMap, OpMatchLen:
		e.read(a, 1)
		e.writes.n = 0
	case OpConst, OpUnset, OpNewCell, OpLoadFree, OpLoadGlobal, OpLoadName, OpLoadClassFree, OpAssertError, OpImport:
	case OpClear:
		e.writes.n = b
	case OpStoreCell, OpSetAttr, OpDelItem, OpJumpIs, OpJumpIn, OpJumpEq, OpJumpNe, OpJumpLt, OpJumpLe, OpJumpGt, OpJumpGe,
		OpJumpNoMatch, OpAppend, OpExtend, OpSetAdd, OpSetUpdate, OpDictUpdate:
		e.read(a, 1)
		e.read(b, 1)
		e.writes.n = 0
	case OpSetItem, OpDictSet, OpDictMerge:
		e.read(a, 1)
		e.read(b, 1)
		e.read(c, 1)
		e.writes.n = 0
	case OpItem, OpAdd, OpSub, OpMul, OpTrueDiv, OpFloorDiv, OpMod, OpAnd, OpOr, OpXor, OpLShift, OpRShift, OpBinary,
		OpCompare, OpIs, OpIn, OpExit, OpSend, OpArguments, OpKeywords, OpMatchKeys, OpMatchClass, OpMatchRest:
		e.read(b, 1)
		e.read(c, 1)
	case OpSlice:
		e.read(b, 3)
	case OpItemSlice:
		e.read(b, 1)
		e.read(c, 2)
	case OpIter:
		e.read(b, 1)
		e.writes.n = 3
	case OpFor:
		e.read(b, 3)
	case OpFor2:
		e.read(b, 3)
		e.writes.n = 2
	case OpUnpack:
		e.read(b, 1)
		e.writes.n = c
	case OpUnpackEx:
		e.read(b, 1)
		e.writes.n = c + int(in.D) + 1
	case OpList, OpTuple, OpSet, OpJoin:
		e.read(b, c)
	case OpDict:
		e.read(b, 2*c)
	case OpFormat:
		e.read(b, 1)
		if c != NoReg {
			e.read(c, 1)
		}
	case OpCall:
		e.read(b, c+1)
	case OpCallMethod:
		e.read(b+1, c+1)
	case OpMethod:
		e.read(b, 1)
		e.writes.n = 2
	case OpCallLoaded:
		e.read(b, c+2)
	case OpCallEx:
		e.read(b, 3)
	case OpFunction:
		e.read(b, mathbits.OnesCount(uint(c)))
	case OpClass:
		e.read(b, 4)
	case OpRaise:
		e.writes.n = 0
		if c > 0 {
			e.read(a, 1)
		}
		if c > 1 {
			e.read(b, 1)
		}
	case OpPopExc:
		e.read(a, 1)
	case OpGroupMatch:
		e.read(a, 1)
		e.read(b, 1)
		e.writes.n = 2
	case OpGroupRaise:
		e.read(b, 2)
	case OpEnter, OpAEnter:
		e.read(b, 1)
		e.writes.n = 2
	default:
		// Everything else computes R[A] from R[B].
		e.read(b, 1)
	}
	return e
}
