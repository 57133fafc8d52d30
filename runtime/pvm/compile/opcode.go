package compile

// Op is an operation of the register machine. In the comments A, B, C, D, E are
// the operands of object.Instr; R[x] is register x, K[x] constant x, N[x] name x.
type Op = uint16

// The operations.
const (
	OpNop           Op = iota
	OpMove             // R[A] = R[B]
	OpConst            // R[A] = K[D]
	OpCheck            // fail unless R[A] is bound; its name is N[D]; B if a comprehension takes it from around
	OpUnset            // R[A] = unbound
	OpClear            // R[A], … B registers = unbound
	OpNewCell          // R[A] = new cell, unbound
	OpCellOf           // R[A] = new cell holding parameter R[B]
	OpLoadCell         // R[A] = contents of cell R[B], named N[D]; C as B of OpCheck
	OpStoreCell        // contents of cell R[B] = R[A]
	OpUnsetCell        // delete the contents of cell R[B], named N[D]
	OpLoadFree         // R[A] = contents of received cell B, named N[D]
	OpStoreFree        // contents of received cell B = R[A]
	OpUnsetFree        // delete the contents of received cell B, named N[D]
	OpLoadGlobal       // R[A] = global or built-in N[D], which has number E in the unit
	OpStoreGlobal      // global N[D] = R[A], which has number E in the unit
	OpUnsetGlobal      // delete global N[D]
	OpLoadName         // R[A] = N[D] of the class namespace, the globals, the built-ins; E as of OpLoadGlobal
	OpLoadClassFree    // R[A] = N[D] of the class namespace, or the contents of received cell B
	OpStoreName        // class namespace N[D] = R[A]
	OpUnsetName        // delete N[D] from the class namespace
	OpAttr             // R[A] = R[B].N[D]; cache E
	OpSetAttr          // R[A].N[D] = R[B]; cache E
	OpDelAttr          // del R[A].N[D]
	OpItem             // R[A] = R[B][R[C]]
	OpItemK            // R[A] = R[B][K[D]]
	OpSetItem          // R[A][R[B]] = R[C]
	OpDelItem          // del R[A][R[B]]
	OpSlice            // R[A] = slice(R[B], R[B+1], R[B+2])
	OpItemSlice        // R[A] = R[B][R[C]:R[C+1]]
	OpAdd              // R[A] = R[B] + R[C]; E = 1 for the in-place form, here and below
	OpSub
	OpMul
	OpTrueDiv
	OpFloorDiv
	OpMod
	OpAnd
	OpOr
	OpXor
	OpLShift
	OpRShift
	OpBinary    // R[A] = R[B] op R[C], D the operator
	OpAddI      // R[A] = R[B] + D
	OpSubI      // R[A] = R[B] - D
	OpMulI      // R[A] = R[B] * D
	OpFloorDivI // R[A] = R[B] // D
	OpModI      // R[A] = R[B] % D
	OpAndI      // R[A] = R[B] & D
	OpLShiftI   // R[A] = R[B] << D
	OpRShiftI   // R[A] = R[B] >> D
	OpNeg       // R[A] = -R[B]
	OpPos
	OpInvert
	OpNot
	OpCompare // R[A] = R[B] cmp R[C], D the comparison
	OpIs      // R[A] = (R[B] is R[C]) == (D != 0)
	OpIn      // R[A] = (R[B] in R[C]) == (D != 0)
	OpJump    // to D
	OpJumpTrue
	OpJumpFalse // to D if R[A] is false
	OpJumpNone  // to D if (R[A] is None) == (C != 0)
	OpJumpIs    // to D if (R[A] is R[B]) == (C != 0)
	OpJumpIn    // to D if (R[A] in R[B]) == (C != 0)
	OpJumpEq    // to D if (R[A] == R[B]) == (C != 0)
	OpJumpNe
	OpJumpLt
	OpJumpLe
	OpJumpGt
	OpJumpGe
	OpJumpEqI // to D if (R[A] == int32(E)) == (C != 0)
	OpJumpNeI
	OpJumpLtI
	OpJumpLeI
	OpJumpGtI
	OpJumpGeI
	OpIterable   // R[A] = R[B] if it can be iterated later as it is, else iter(R[B])
	OpIter       // R[A..A+2] = state of an iteration over R[B]
	OpFor        // R[A] = next of the iteration R[B..B+2], to D; falls through at the end; E its own cost
	OpFor2       // R[A], R[A+1] = unpacked next of the iteration R[B..B+2], to D
	OpUnpack     // R[A..A+C-1] = unpacked R[B]
	OpUnpackEx   // R[A..] = R[B] unpacked to C values, a list, D values
	OpList       // R[A] = [R[B], … C values]; D = 1, here and below: more will be added
	OpTuple      // R[A] = (R[B], … C values)
	OpSet        // R[A] = {R[B], … C values}
	OpDict       // R[A] = {R[B]: R[B+1], … C items}
	OpMade       // the container R[A] is complete: the program may see it
	OpAppend     // R[A].append(R[B])
	OpExtend     // R[A].extend(R[B])
	OpToTuple    // R[A] = tuple(R[B]) of a list made by the compiler
	OpArguments  // R[A] = tuple(R[B]), the only positional arguments of a call of R[C]
	OpKeywords   // R[A] = dict(R[B]), the only keyword arguments of a call of R[C]; unbound if there are none
	OpSetAdd     // R[A].add(R[B])
	OpSetUpdate  // R[A].update(R[B])
	OpDictSet    // R[A][R[B]] = R[C]
	OpDictUpdate // R[A].update(R[B]), a mapping
	OpDictMerge  // R[A].update(R[B]) for keyword arguments of the function R[C]
	OpFormat     // R[A] = format(R[B], R[C] or '' if C is NoReg), conversion D
	OpJoin       // R[A] = ''.join(R[B], … C strings)
	OpCall       // R[A] = R[B](R[B+1], … C values), the last ones named KwNames[D]; cache E
	OpCallMethod // R[A] = R[B+1].name(R[B+2], … C values); D = name | keyword names << 16; cache E
	OpMethod     // R[A] = method N[D] of R[B], R[A+1] = R[B]; or R[A] unbound and R[A+1] = the attribute; cache E
	OpCallLoaded // R[A] = R[B](R[B+1], … C values) as OpMethod left them; D = keyword names
	OpCallEx     // R[A] = R[B](*R[B+1], **R[B+2]); no keywords if R[B+2] is unbound
	OpReturn     // return R[A]
	OpReturnNone
	OpFunction    // R[A] = function of child D; C says which of defaults, keyword defaults, annotations are at R[B…]
	OpClass       // R[A] = class: body function R[B], name R[B+1], bases R[B+2], keywords R[B+3] or unbound
	OpGenerator   // return a generator that continues behind this instruction
	OpYield       // yield R[B]; R[A] = what is sent
	OpYieldIter   // R[A] = iterator of R[B] for yield from
	OpAwaitable   // R[A] = iterator of awaitable R[B]; D says of what
	OpSend        // step R[B] with R[C], pass on what it yields; R[A] = its result
	OpAsyncYield  // R[A] = R[B] wrapped as an asynchronous generator yields it
	OpAIter       // R[A] = R[B].__aiter__()
	OpANext       // R[A] = awaitable of R[B].__anext__()
	OpRaise       // raise R[A] from R[B]; C operands
	OpReraise     // go on raising R[A]
	OpPushExc     // R[A] = exception being handled; handle R[B]
	OpPopExc      // handle R[A] again
	OpJumpNoMatch // to D unless exception R[A] matches R[B]
	OpGroupMatch  // split R[A] by R[B]: R[A] = the rest, R[A+1] = the match or None
	OpGroupRaise  // R[A] = what except* raises: R[B] the original, R[B+1] the list of results
	OpAssertError // R[A] = AssertionError
	OpEnter       // R[A] = __exit__ of R[B], R[A+1] = __enter__()
	OpExit        // R[A] = R[B](type, value, traceback) for exception R[C]
	OpAEnter      // R[A] = __aexit__ of R[B], R[A+1] = __aenter__(), to be awaited
	OpImport      // R[A] = import of N[D]: the module itself if B, else the top package; C leading dots
	OpImportFrom  // R[A] = attribute N[D] of module R[B]
	OpImportStar  // all public names of module R[A]
	OpMatchSeq    // to D unless R[A] is a sequence
	OpMatchMap    // to D unless R[A] is a mapping
	OpMatchLen    // to D unless len(R[A]) == B, or >= B if C
	OpMatchKeys   // R[A] = values of the keys R[C] in mapping R[B], or None
	OpMatchClass  // R[A] = attributes of R[B] for class R[C] with positional count D>>16, names K[D&0xffff]; or None
	OpMatchRest   // R[A] = dict of R[B] without the keys R[C]
	OpMatchItem   // R[A] = R[B][C], or R[B][len - C] if D
	OpAnnotations // make sure that __annotations__ exists
	OpLoadSuper   // R[A] = attribute N[D] of super(): R[B] the class, R[B+1] the instance
	OpEnd
)

// NoReg stands for no register.
const NoReg = 0xffff

// Names of the operations, for the disassembler.
var opNames = [OpEnd]string{
	"nop", "move", "const", "check", "unset", "clear", "new_cell", "cell_of", "load_cell", "store_cell", "unset_cell",
	"load_free", "store_free", "unset_free", "load_global", "store_global", "unset_global", "load_name",
	"load_class_free", "store_name", "unset_name", "attr", "set_attr", "del_attr", "item", "item_k", "set_item",
	"del_item", "slice", "item_slice", "add", "sub", "mul", "true_div", "floor_div", "mod", "and", "or", "xor",
	"lshift", "rshift", "binary", "add_i", "sub_i", "mul_i", "floor_div_i", "mod_i", "and_i", "lshift_i", "rshift_i",
	"neg", "pos", "invert", "not", "compare", "is", "in", "jump", "jump_true", "jump_false", "jump_none", "jump_is",
	"jump_in", "jump_eq", "jump_ne", "jump_lt", "jump_le", "jump_gt", "jump_ge", "jump_eq_i", "jump_ne_i", "jump_lt_i",
	"jump_le_i", "jump_gt_i", "jump_ge_i", "iterable", "iter", "for", "for2", "unpack", "unpack_ex", "list", "tuple", "set", "dict",
	"made", "append", "extend", "to_tuple", "arguments", "keywords", "set_add", "set_update", "dict_set", "dict_update", "dict_merge", "format", "join",
	"call", "call_method", "method", "call_loaded", "call_ex", "return", "return_none", "function", "class", "generator", "yield", "yield_iter",
	"awaitable", "send", "async_yield", "aiter", "anext", "raise", "reraise", "push_exc", "pop_exc", "jump_no_match",
	"group_match", "group_raise", "assert_error", "enter", "exit", "aenter", "import", "import_from", "import_star",
	"match_seq", "match_map", "match_len", "match_keys", "match_class", "match_rest", "match_item", "annotations", "load_super",
}

// Name returns the name of an operation.
func Name(op Op) string { return opNames[op] }

// ends says whether a basic block ends behind an instruction: control leaves it,
// or comes back to the next one from elsewhere.
func ends(op Op) bool {
	switch {
	case op >= OpJump && op <= OpJumpGeI, op == OpFor, op == OpFor2:
		return true
	case op >= OpCall && op <= OpReturnNone && op != OpMethod, op >= OpGenerator && op <= OpYield, op == OpSend:
		return true
	case op >= OpMatchSeq && op <= OpMatchLen:
		return true
	}
	return op == OpRaise || op == OpReraise || op == OpJumpNoMatch
}
