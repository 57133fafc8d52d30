package cost

// Published prices.
const (
	Arith        = 1   // + - * / % and the other operators of numbers. Spec: CIP-3 §2.2.1.
	Call         = 10  // calling a function. Spec: CIP-3 §2.2.1.
	DictAccess   = 3   // getting or setting an item of a dict. Spec: CIP-3 §2.2.1.
	ListAccess   = 2   // appending to or accessing a list. Spec: CIP-3 §2.2.1.
	Char         = 1   // each character of a string operation. Spec: CIP-3 §2.2.1.
	ImportFirst  = 100 // first import of a module, its body extra. Spec: CIP-3 §2.2.1.
	ImportAgain  = 5   // further imports of it in a transaction. Spec: CIP-3 §2.2.1.
	ImportDenied = 50  // import of a module that is not allowed. Spec: CIP-3 §2.2.1.
	Serialize    = 20  // serialising an object, its bytes extra. Spec: CIP-3 §2.2.1.
	Encode       = 10  // str.encode and bytes.decode, the length extra. Spec: CIP-3 §2.2.1.
)

// Prices of our own.
const (
	Compare       = 1 // one comparison, identity or truth test that decides a branch
	Branch        = 1 // a conditional jump on a value
	Name          = 1 // a global, built-in, captured or class-level name
	Attribute     = 2 // reading, setting or deleting an attribute
	Item          = 2 // reading, setting or deleting an item; dicts add DictExtra
	DictExtra     = DictAccess - Item
	Slice         = 4  // making a slice
	Iterate       = 4  // asking for an iterator
	Step          = 1  // one step of a loop
	Display       = 5  // making a list, tuple, set or dict
	Element       = 1  // each element of it; sets and dicts pay DictAccess
	Unpack        = 2  // unpacking, each value Element extra
	Format        = 5  // formatting one value, its characters extra
	Function      = 12 // making a function
	Class         = 200
	Raise         = 20 // a raise statement
	Error         = 45 // an exception that native code makes and raises
	Exception     = 16 // making an exception by calling its class
	BigInt        = 6  // an int beyond 64 bits, its memory extra
	BigWords      = 6  // products of the operands' words, those of 256 bits aside, for one cycle
	Try           = 1  // entering a try block
	Handler       = 5  // entering an except or finally block for an exception
	Match         = 3  // testing an exception against a type, a subject against a pattern
	With          = 12
	Yield         = 5
	Comprehension = 5
	Import        = ImportAgain
	Assert        = 1
	Float         = 1 // more for an operator of floats, which are computed in software
	FloatDiv      = 3 // more for a quotient of floats or ints
	FloatMod      = 8 // more for a remainder or floored quotient of floats, and one for each FloatModBits of difference in size
	FloatModBits  = 8
	Nest          = 5  // more for a call of a Python function by native code
	Deeper        = 40 // more for the first native call on a level beyond ShallowNest that calls back, for which the stack below grows
	ShallowNest   = 8
	Bind          = 1  // giving a name the value of another one or of a constant
	Mapping       = 20 // making a dict or a set; its items pay DictAccess
	Expanding     = 1  // each argument that comes out of * or **, or goes into one
	BytesPerCycle = 32 // bytes allocated for one cycle, texts aside
)
