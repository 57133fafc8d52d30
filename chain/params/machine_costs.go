package params

// MachineCosts are the prices of the Python machine in cycles, as one version of the protocol has them, and the three numbers beside them that are no prices:
// BigWords, FloatModBits and ShallowNest. It is not modified. What each operation costs is explained in package cost, which the machine knows them by.
// Spec: CIP-3 §2.2.1; sdk §17.4.
type MachineCosts struct {
	// Published. Spec: CIP-3 §2.2.1.
	Arith        int // + - * / % and the other operators of numbers.
	Call         int // calling a function.
	DictAccess   int // getting or setting an item of a dict.
	ListAccess   int // appending to or accessing a list.
	Char         int // each character of a string operation.
	ImportFirst  int // first import of a module, its body extra.
	ImportAgain  int // further imports of it in a transaction.
	ImportDenied int // import of a module that is not allowed.
	Serialize    int // serialising an object, its bytes extra.
	Encode       int // str.encode and bytes.decode, the length extra.

	// Our own.
	Compare       int // one comparison, identity or truth test, with the branch that it decides
	Branch        int // a conditional jump on a value
	Name          int // a global, built-in, captured or class-level name
	Attribute     int // reading, setting or deleting an attribute
	Item          int // reading, setting or deleting an item; a dict takes DictAccess in its place
	Slice         int // making a slice
	Iterate       int // asking for an iterator
	Step          int // one step of a loop
	Display       int // making a list, tuple, set or dict
	Element       int // each element of it; sets and dicts pay DictAccess
	Unpack        int // unpacking, each value Element extra
	Format        int // formatting one value, its characters extra
	Function      int // making a function
	Class         int
	Raise         int // a raise statement
	Error         int // an exception that native code makes and raises
	Exception     int // making an exception by calling its class
	BigInt        int // an int beyond 64 bits, its memory extra
	BigWords      int // products of the operands' words, those of 256 bits aside, for one cycle
	Try           int // entering a try block
	Handler       int // entering an except or finally block for an exception
	Match         int // testing an exception against a type, a subject against a pattern
	With          int
	Yield         int
	Comprehension int
	Assert        int
	Float         int // more for an operator of floats, which are computed in software
	FloatDiv      int // more for a quotient of floats or ints
	FloatMod      int // more for a remainder or floored quotient of floats, and one for each FloatModBits of difference in size
	FloatModBits  int
	Nest          int // more for a call of a Python function by native code
	Deeper        int // more for the first native call on a level beyond ShallowNest that calls back, for which the stack below grows
	ShallowNest   int
	Operand       int // more for an operator, a comparison as a value or an item that is more than a step of the loop: most other than those of small ints
	Cell          int // making a variable that functions share
	Move          int // an instruction without a price of its own, which moves a value or control; giving a name what was computed
	Mapping       int // making a dict or a set; its items pay DictAccess
	Expanding     int // each argument that comes out of * or **, or goes into one
	CopyObject    int // each object that a start copies in place of running a top level
	ByteShift     int // an allocation of n bytes costs n >> ByteShift, texts aside
}

// FirstMachineCosts are the prices of version 1.
func FirstMachineCosts() *MachineCosts {
	return &MachineCosts{
		Arith:         1,
		Call:          10,
		DictAccess:    3,
		ListAccess:    2,
		Char:          1,
		ImportFirst:   100,
		ImportAgain:   5,
		ImportDenied:  50,
		Serialize:     20,
		Encode:        10,
		Compare:       2,
		Branch:        2,
		Name:          2,
		Attribute:     6,
		Item:          2,
		Slice:         15,
		Iterate:       4,
		Step:          2,
		Display:       15,
		Element:       3,
		Unpack:        2,
		Format:        12,
		Function:      20,
		Class:         1000,
		Raise:         20,
		Error:         45,
		Exception:     30,
		BigInt:        20,
		BigWords:      6,
		Try:           1,
		Handler:       5,
		Match:         4,
		With:          25,
		Yield:         7,
		Comprehension: 20,
		Assert:        1,
		Float:         2,
		FloatDiv:      3,
		FloatMod:      8,
		FloatModBits:  8,
		Nest:          5,
		Deeper:        40,
		ShallowNest:   8,
		Operand:       5,
		Cell:          8,
		Move:          1,
		Mapping:       20,
		Expanding:     1,
		CopyObject:    8,
		ByteShift:     5, // 32 bytes
	}
}
